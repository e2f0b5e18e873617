#define TOLERANCE 1e-10
#include "golden.inc"
