/* Values from PyTorch Geometric for the other models, for the library in float32. */
#define TOLERANCE 1e-5
#include "golden_baselines.inc"
