/* The properties of GPR-GNN again, for the library in double. */
#include "test_properties.c"
