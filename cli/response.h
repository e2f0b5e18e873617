/* A drawing of a filter's response for the terminal, with the spectrum of the graph behind it. */
#ifndef CLI_RESPONSE_H
#define CLI_RESPONSE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* response: (points) g at equal distances from -1 to 1. density: (bins) of the eigenvalues there, or NULL. Columns are
   as high as its square root, so that one frequent eigenvalue does not hide the others. */
void print_response(FILE *out, const double *response, int64_t points, const double *density, int64_t bins, int width,
                    bool utf8);

#endif
