/* The properties of the baselines again, for the library in double. */
#include "test_baselines.c"
