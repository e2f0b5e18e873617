/* Where the program and libgprgnn_cuda.so meet. The library is opened when it is asked for (tensor/open/cuda_open.c),
 * and needs no symbol of the program: what it needs of it comes in a struct. C on one side, C++ on the other. */
#ifndef GPRI_CUDA_PLUGIN_H
#define GPRI_CUDA_PLUGIN_H

#include "tensor/device.h"

#define GPRI_CUDA_INTERFACE 1 /* counted up when the meaning of anything shared changes and its size does not */
#define GPRI_CUDA_STAMPS 20
#define GPRI_CUDA_LIBRARY "libgprgnn_cuda.so"
#define GPRI_CUDA_FUNCTION "gpri_cuda_open"

/* What the library gets from the program. */
typedef struct gpri_cuda_host {
    /* These two are looked at first: they tell whether the rest means the same on both sides. */
    const char *version;                                                                       /* GPRI_VERSION */
    size_t stamp[GPRI_CUDA_STAMPS];                                                            /* GPRI_CUDA_STAMP */
    gpr_status (*fail)(gpr_status status, const char *format, ...) GPRI_PRINTF(2, 3);          /* gpri_fail */
    void (*log)(gpr_ctx *ctx, gpr_log_level level, const char *format, ...) GPRI_PRINTF(3, 4); /* gpri_log */
    const char *(*size_text)(char *out, double bytes);                                         /* gpri_size_text */
} gpri_cuda_host;

/* The interface and the sizes of the structs that both sides use, as an initialiser. */
#define GPRI_CUDA_STAMP                                                                                              \
    {                                                                                                                \
        GPRI_CUDA_INTERFACE, sizeof(gpri_real), sizeof(gpri_device), sizeof(gpri_ops), sizeof(gpri_matrix),          \
            sizeof(gpri_graph), sizeof(gpri_features), sizeof(gpri_relations), sizeof(gpri_adjacency),               \
            sizeof(gpri_step), sizeof(gpri_attention), sizeof(gpri_targets), sizeof(gpri_mask), sizeof(gpri_scores), \
            sizeof(gpri_epoch), sizeof(gpri_record), sizeof(gpri_rule), sizeof(gpri_metric_plan),                    \
            sizeof(gpri_cuda_host), sizeof(gpri_filter)                                                              \
    }

/* Opens a card: 0 is the first, -1 too. Returns its device, which lives as long as the process; message (size bytes) is
   what the card is called then. NULL: message says what is missing and what to do. host must stay. */
typedef const gpri_device *gpri_cuda_open_fn(const gpri_cuda_host *host, int card, char *message, size_t size);

#endif
