#define TOLERANCE 1e-5
#include "golden_baselines.inc"
