/* Ten training steps of GPR-GNN as PyTorch does them, in float. */
#define TOLERANCE 1e-5
#include "golden.inc"
