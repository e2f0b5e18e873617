/* Calls of operations as a list. While a pass is recorded, an operation does not launch its kernels: the call goes into
 * a list with its arguments. At the end the list is gone through (fuse.cu), and calls that can share a kernel do. */
#ifndef GPRI_CUDA_CALLS_CUH
#define GPRI_CUDA_CALLS_CUH

#include <new>
#include <tuple>

#include "tensor/cuda/base/device.cuh"

struct gpri_cuda_call {
    const void *op; /* gpri_cuda_NAME */
    void (*run)(const void *arguments);
    const void *arguments; /* a std::tuple of what the operation got */
    size_t size;
};

struct gpri_cuda_list {
    gpri_cuda_call *calls;
    int64_t count, capacity;
    bool failed; /* there was no memory for a call */
};

/* The list of the pass that the current queue records; NULL: operations run, or are launched into a recording. */
gpri_cuda_list *gpri_cuda_listing(void);
/* Room for the arguments of one more call, or NULL; then the list has failed. */
void *gpri_cuda_list_add(gpri_cuda_list *list, const void *op, void (*run)(const void *), size_t size);
/* Gives back what the list has, and empties it. */
void gpri_cuda_list_clear(gpri_cuda_list *list);
/* Launches the kernels of all calls, in their order or in one that comes to the same. Needs a queue that does not list.
 */
void gpri_cuda_join(const gpri_cuda_list *list);

/* Operation F as the table has it. */
template <auto F> struct gpri_cuda_entry;
template <class... A, void (*F)(A...)> struct gpri_cuda_entry<F> {
    typedef std::tuple<A...> arguments;
    static void run(const void *list) { std::apply(F, *(const arguments *)list); }
    static void call(A... a) {
        gpri_cuda_list *list = gpri_cuda_listing();
        if (!list) return F(a...);
        if (void *at = gpri_cuda_list_add(list, (const void *)F, run, sizeof(arguments))) new (at) arguments(a...);
    }
};

/* The arguments of a call if it is one of that operation, else NULL. call: may be NULL. */
template <class... A> const std::tuple<A...> *gpri_cuda_call_of(const gpri_cuda_call *call, void (*op)(A...)) {
    return call && call->op == (const void *)op ? (const std::tuple<A...> *)call->arguments : NULL;
}

#endif
