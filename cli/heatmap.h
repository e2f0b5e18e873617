/* A heat map in the terminal: which classes are linked with which. */
#ifndef CLI_HEATMAP_H
#define CLI_HEATMAP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "gprgnn.h"

/* Two columns of shade for a share of 0 to 1. */
const char *share_shade(double share, bool utf8);

/* One row per class: its number, its name in `data` if it has one, its size, and the share of its edges that lead to
   each class. `width` decides whether the shares are shades with percent, shades only, or left out.
   sizes: (classes). edges: (classes x classes) of gpr_dataset_class_edges, or NULL: sizes only. */
void print_class_map(FILE *out, const gpr_dataset *data, const int64_t *sizes, const int64_t *edges, int64_t classes,
                     int width, bool utf8);

#endif
