/* The list of a pass's calls. */
#include "tensor/cuda/fuse/calls.cuh"

#include <stdlib.h>

void *gpri_cuda_list_add(gpri_cuda_list *list, const void *op, void (*run)(const void *), size_t size) {
    const int64_t first = 64;
    if (list->count == list->capacity) {
        const int64_t capacity = list->capacity ? 2 * list->capacity : first;
        gpri_cuda_call *larger = (gpri_cuda_call *)realloc(list->calls, (size_t)capacity * sizeof *larger);
        if (!larger) {
            list->failed = true;
            return NULL;
        }
        list->calls = larger;
        list->capacity = capacity;
    }
    void *arguments = malloc(size);
    if (!arguments) list->failed = true;
    else list->calls[list->count++] = gpri_cuda_call{op, run, arguments, size};
    return arguments;
}

void gpri_cuda_list_clear(gpri_cuda_list *list) {
    for (int64_t i = 0; i < list->count; i++) free((void *)list->calls[i].arguments);
    free(list->calls);
    *list = {};
}
