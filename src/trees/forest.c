/* Scores of a forest, and whether one from elsewhere may be walked. */
#include "trees/forest.h"

void gpri_forest_add(const gpri_forest *forest, int64_t first, int64_t end, const gpri_forest_row *row, gpri_real *z) {
    for (int64_t t = first; t < end; t++) {
        const gpri_real *split = forest->split + t * forest->stride, *value = forest->value + t * forest->stride;
        int64_t at = 0;
        while (split[at] != 0) at = 2 * at + (gpri_forest_left((double)split[at], (double)value[at], row) ? 1 : 2);
        z[forest->groups == 1 ? 1 : t % forest->groups] += value[at];
    }
}

gpr_status gpri_tree_check(const float *split, int64_t depth, int64_t columns, int64_t tree) {
    const int64_t nodes = gpri_tree_nodes(depth), inner = nodes / 2;
    for (int64_t i = 0; i < nodes; i++) {
        const double column = fabs((double)split[i]);
        if (column == 0) continue;
        if (!(column <= (double)columns) || column != floor(column))
            return gpri_fail(GPR_ERROR_FORMAT, "tree %lld, node %lld: it asks about column %g, and there are %lld",
                             (long long)tree, (long long)i, column, (long long)columns);
        if (i >= inner)
            return gpri_fail(GPR_ERROR_FORMAT, "tree %lld, node %lld: it has children below the depth of %lld",
                             (long long)tree, (long long)i, (long long)depth);
    }
    return GPR_OK;
}
