/* Ten training steps of GPR-GNN as PyTorch does them, in double. */
#define TOLERANCE 1e-10
#include "golden.inc"
