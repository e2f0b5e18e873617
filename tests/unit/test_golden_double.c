/* Values from PyTorch for GPR-GNN, for the library in double. */
#define TOLERANCE 1e-10
#include "golden.inc"
