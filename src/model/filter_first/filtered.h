/* The filtered features of all nodes, S = sum_k gamma_k A~^k X: in memory where they are small, else in a file without
 * a name. The bits are the same. */
#ifndef GPRI_FILTERED_H
#define GPRI_FILTERED_H

#include "file/file.h"
#include "model/model.h"

typedef struct gpri_filtered {
    gpr_ctx *ctx;
    int64_t nodes, ld;
    gpri_real *dense;  /* (nodes x ld), or NULL: they are in the file */
    gpri_scratch file; /* panel after panel, each (nodes x its width) */
    int64_t panel;
    gpri_real *strip; /* (STRIP x panel) rows on their way from the file */
} gpri_filtered;

/* Whether so many bytes go to a file, of a call that may take `allowed` bytes of memory (0: not known). */
bool gpri_filtered_in_file(double bytes, double allowed);

/* Says what it needs and makes them. scratch: a path; the file lies in its folder. Borrowed, must outlive *out. NULL:
   they are in memory, whatever their size. Errors: GPR_ERROR_MEMORY and GPR_ERROR_IO before the work where there is too
   little memory or disk. *out is to be freed in any case. */
gpr_status gpri_filtered_new(gpr_ctx *ctx, gpri_filtered *out, const gpr_model *model, const gpr_dataset *data,
                             const char *scratch) GPRI_MUST_CHECK;
/* *rows: (count x ld) of the nodes from `first` on; they lie in `buffer`, (count x ld), or where they are. place: NULL,
   or (nodes) row i is that of the node place[i]. */
gpr_status gpri_filtered_rows(gpri_filtered *filtered, gpri_real **rows, gpri_real *buffer, int64_t first,
                              int64_t count, const int32_t *place) GPRI_MUST_CHECK;
void gpri_filtered_free(gpri_filtered *filtered);

#endif
