/* Attention and jumping knowledge again, for the library in double. */
#include "test_attention.c"
