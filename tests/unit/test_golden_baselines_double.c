/* Values from PyTorch Geometric for the other models, for the library in double. */
#define TOLERANCE 1e-10
#include "golden_baselines.inc"
