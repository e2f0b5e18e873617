/* A pass over the list of calls: what its parts share. */
#ifndef GPRI_CUDA_PASS_CUH
#define GPRI_CUDA_PASS_CUH

#include "tensor/cuda/base/ops.cuh"
#include "tensor/cuda/fuse/calls.cuh"
#include "tensor/cuda/fuse/fused.cuh"

enum { MOST_SOURCES = 64 };

/* The gradient of a weight that lies in parts: who asks for `gradient` finds it in `from`. */
struct known_gradient {
    const gpri_real *gradient;
    gradient_source from;
};

struct pass {
    const gpri_cuda_call *calls;
    int64_t count;
    bool *done; /* calls that are launched already, or need no kernel */
    bool *lazy; /* calls that make gradients of weights: they leave them in parts, for Adam */
    known_gradient known[MOST_SOURCES];
    int known_count;
};

/* The arguments of call i, if it is one of that operation and not done yet; else NULL. */
template <class F> auto call_at(const pass *p, int64_t i, F op) {
    return gpri_cuda_call_of(i < p->count && !p->done[i] ? &p->calls[i] : NULL, op);
}

/* ---- gradients that stay in parts: gradients.cu ---- */

/* Whether `maker` makes this gradient, and a step of Adam that can add parts is all that uses it. */
bool only_adam_uses(const pass *p, const gpri_real *gradient, int64_t size, int64_t maker);

/* Partial sums of a layer: zeroed by a call, added to by another, and copied to the gradients of weights by the next
   ones, which Adam uses. Fills the copies; their number, or 0 where it is not so. */
struct copied {
    int64_t call, first;
    const gpri_real *gradient;
};
enum { MOST_COPIES = 2 };
int copies_of(const pass *p, copied *out, const gpri_real *partial, int64_t size, int64_t maker);
/* The copies need not be made: Adam finds the numbers `offset` after the beginning of the parts. */
void leave_to_adam(pass *p, const copied *copies, int count, gradient_source from, int64_t offset);
/* The call that adds to a partial sum which call `zero` has cleared, if its gradient can stay in parts; else -1. */
int64_t maker_of(const pass *p, int64_t zero);

/* ---- steps on elements: steps.cu ---- */

bool same_matrix(gpri_matrix a, gpri_matrix b);
/* Whether they have no element in common. Two may lie side by side in the same rows. */
bool apart(gpri_matrix a, gpri_matrix b);

/* A call that changes elements one by one: which matrix, how, and which other it reads or writes at the same place. */
struct element_call {
    gpri_matrix y, other;
    element_step step;
};

bool element_call_of(const pass *p, int64_t i, element_call *out);
bool append(element_program *program, const element_call *call);
/* Whether a kernel that writes four columns at once can do it. */
bool by_four(const element_call *call);

/* Two matrices that are changed side by side by different threads, and what these read or write beside them. */
struct targets {
    gpri_matrix y[2];
    gpri_matrix other[2][element_program::MOST];
    element_program *program[2];
    bool four;            /* all must be fit for four columns at once */
    gpri_matrix reads[2]; /* what the kernel reads for other elements too: nothing may be stored there */
};

/* Takes the call if it is a step on one of them. */
bool take(targets *t, const element_call *call);
/* All calls from i on that are such steps; where the first other call is. */
int64_t take_all(pass *p, targets *t, int64_t i);

#endif
