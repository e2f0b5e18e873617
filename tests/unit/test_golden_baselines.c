/* Ten training steps of the baselines as PyTorch Geometric does them, in float. */
#define TOLERANCE 1e-5
#include "golden_baselines.inc"
