/* Geom-GCN again, for the library in double. */
#include "test_geom_model.c"
