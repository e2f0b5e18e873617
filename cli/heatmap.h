/* Which classes are linked with which, as shades in the terminal. */
#ifndef CLI_HEATMAP_H
#define CLI_HEATMAP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "gprgnn.h"

/* A row per class: its number, its name if it has one (by `data`), its size, and the share of its edges' other ends
   that lie in each class, as a shade and in percent where `width` allows it; no shares where even shades do not fit.
   sizes: (classes). edges: (classes x classes) of gpr_dataset_class_edges, or NULL: sizes only. */
void print_class_map(FILE *out, const gpr_dataset *data, const int64_t *sizes, const int64_t *edges, int64_t classes,
                     int width, bool utf8);

#endif
