/* Ten training steps of the baselines as PyTorch Geometric does them, in double. */
#define TOLERANCE 1e-10
#include "golden_baselines.inc"
