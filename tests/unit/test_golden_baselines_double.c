#define TOLERANCE 1e-10
#include "golden_baselines.inc"
