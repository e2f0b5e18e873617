/* Values from PyTorch for GPR-GNN, for the library in float32. */
#define TOLERANCE 1e-5
#include "golden.inc"
