/* The fibers of the emulated card, and the card as a device: its memory is the host's, filled with NaN where it is
 * undefined. */
#undef _FORTIFY_SOURCE /* it takes a jump to another stack for a mistake */
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#include "tensor/cuda/device.cuh"
#include "tensor/cuda/ops.cuh"

uint3 threadIdx, blockIdx;
dim3 blockDim(1), gridDim(1);

/* ---- the threads of a block ---- */

enum { WARP = 32, MOST = 1024, STACK = 1 << 16 };
enum state { READY, AT_BARRIER, AT_EXCHANGE, ENDED };

struct fiber {
    char *stack; /* NULL: it has never run */
    jmp_buf at;  /* where it goes on */
    state is;
    unsigned barriers, exchanges; /* that it has come to */
};

static fiber fibers[MOST];
static jmp_buf scheduler;
static unsigned threads, own;       /* of the block; the one that runs */
static int given[3];                /* at the barriers last, now and next */
static uint64_t exchanged[2][MOST]; /* now and last */
static void (*kernel)(const void *arguments);
static const void *kernel_arguments;
static uint32_t shuffled = 12345;

[[noreturn]] static void fault(const char *what) {
    fprintf(stderr, "emulated card: block %u %u, thread %u: %s\n", blockIdx.x, blockIdx.y, own, what);
    abort();
}

static unsigned below(unsigned bound) {
    shuffled = shuffled * 1664525u + 1013904223u;
    return (shuffled >> 8) % bound;
}

/* Leaves a fiber for the scheduler, until it is let go on. */
static void wait_as(state is) {
    fibers[own].is = is;
    if (_setjmp(fibers[own].at) == 0) _longjmp(scheduler, 1);
}

int emulated_barrier(bool gives) {
    const unsigned at = fibers[own].barriers++ % 3;
    given[(at + 1) % 3] = 0;
    given[at] += gives;
    wait_as(AT_BARRIER);
    return given[at];
}

uint64_t emulated_exchange(uint64_t value, int lane) {
    const unsigned at = fibers[own].exchanges++ % 2, from = own / WARP * WARP + (unsigned)lane;
    exchanged[at][own] = value;
    wait_as(AT_EXCHANGE);
    return exchanged[at][from];
}

/* A fiber lives on for the threads of later blocks. */
static void run_threads() {
    for (;;) {
        kernel(kernel_arguments);
        wait_as(ENDED);
    }
}

static void go_on(fiber *f) {
    if (_setjmp(scheduler) != 0) return;
    if (f->stack) _longjmp(f->at, 1);
    ucontext_t first;
    f->stack = (char *)malloc(STACK);
    getcontext(&first);
    first.uc_stack.ss_sp = f->stack;
    first.uc_stack.ss_size = STACK;
    first.uc_link = NULL;
    makecontext(&first, run_threads, 0);
    setcontext(&first);
}

static void start_threads() {
    given[0] = given[1] = given[2] = 0;
    for (unsigned t = 0; t < threads; t++) {
        fibers[t].is = READY;
        fibers[t].barriers = fibers[t].exchanges = 0;
    }
}

/* Lets those go on that all others have joined; whether there are any. */
static bool release() {
    bool released = false;
    unsigned waiting = 0, alive = 0;
    for (unsigned t = 0; t < threads; t++) {
        alive += fibers[t].is != ENDED;
        waiting += fibers[t].is == AT_BARRIER;
    }
    if (alive == 0) return false;
    if (waiting == alive) {
        for (unsigned t = 0; t < threads; t++)
            if (fibers[t].is == AT_BARRIER) fibers[t].is = READY;
        return true;
    }
    for (unsigned warp = 0; warp < threads; warp += WARP) {
        const unsigned end = warp + WARP < threads ? warp + WARP : threads;
        unsigned there = 0, ended = 0;
        for (unsigned t = warp; t < end; t++) {
            there += fibers[t].is == AT_EXCHANGE;
            ended += fibers[t].is == ENDED;
        }
        if (there && ended) fault("a thread of the warp has ended that should exchange");
        if (there != end - warp) continue;
        for (unsigned t = warp; t < end; t++) fibers[t].is = READY;
        released = true;
    }
    if (!released) fault("threads wait for each other");
    return true;
}

static void run_block() {
    start_threads();
    do {
        const unsigned first = below(threads), step = below(2) ? 1 : threads - 1; /* forwards or backwards */
        for (unsigned i = 0, t = first; i < threads; i++, t = (t + step) % threads) {
            if (fibers[t].is != READY) continue;
            own = t;
            threadIdx = uint3{t, 0, 0};
            go_on(&fibers[t]);
        }
    } while (release());
}

/* ---- launches ---- */

static void run_kernel(const void *function, dim3 grid, unsigned size, const void *arguments) {
    kernel = (void (*)(const void *))function;
    kernel_arguments = arguments;
    threads = size;
    gridDim = grid;
    blockDim = dim3(size);
    const unsigned blocks = grid.x * grid.y * grid.z, first = below(blocks), step = below(2) ? 1 : blocks - 1;
    if (size > MOST) fault("too many threads");
    for (unsigned i = 0, b = first; i < blocks; i++, b = (unsigned)(((uint64_t)b + step) % blocks)) {
        blockIdx = uint3{b % grid.x, b / grid.x % grid.y, b / grid.x / grid.y};
        run_block();
    }
}

/* Memory to compute in, of operations that run at once or of a recording. Scratch that was too small is not freed:
   recorded calls point to it. */
struct room {
    char *scratch;
    size_t size;
    unsigned counters[GPRI_CUDA_COUNTERS];
    bool counts; /* an operation has asked for them */
    room *next;
};
static room at_once, *rooms = &at_once, *current = &at_once;

static void run_whole_kernel(const void *function, dim3 grid, unsigned size, const void *arguments) {
    run_kernel(function, grid, size, arguments);
    for (room *r = rooms; r; r = r->next) {
        unsigned all = 0;
        if (!r->counts) continue;
        for (int i = 0; i < GPRI_CUDA_COUNTERS; i++) all |= r->counters[i];
        if (all) fault("a counter is not 0 after the kernel");
    }
    at_once.counts = false; /* the next operation asks again */
}

struct recorded {
    gpri_cuda_launch launch;
    void *arguments;
    recorded *next;
};
struct gpri_recording {
    recorded *first, **last;
    room *in;
};
static gpri_recording *making;

void gpri_cuda_submit(const gpri_cuda_launch *launch) {
    if (!making) return run_whole_kernel(launch->kernel, launch->grid, launch->threads, launch->arguments);
    void *arguments = aligned_alloc(64, (launch->size + 63) / 64 * 64);
    memcpy(arguments, launch->arguments, launch->size);
    *making->last = new recorded{*launch, arguments, NULL};
    making->last = &(*making->last)->next;
}

void *gpri_cuda_scratch(size_t bytes) {
    if (bytes > current->size || !current->scratch) {
        current->size = 2 * bytes + 4096;
        current->scratch = (char *)aligned_alloc(256, (current->size + 255) / 256 * 256);
    }
    memset(current->scratch, 0xff, current->size);
    return current->scratch;
}

unsigned *gpri_cuda_counters() {
    current->counts = true;
    return current->counters;
}

/* ---- the device ---- */

static gpr_status emulated_alloc(const gpri_device *, gpr_ctx *, void *out, int64_t count, size_t size, bool zeroed,
                                 const char *) {
    const size_t bytes = ((size_t)count * size + 256) / 256 * 256;
    void *block = aligned_alloc(256, bytes);
    memset(block, zeroed ? 0 : 0xff, bytes);
    memcpy(out, &block, sizeof block);
    return GPR_OK;
}
static void emulated_free(const gpri_device *, gpr_ctx *, void *block) { free(block); }
static void emulated_copy(const gpri_device *, void *to, const void *from, int64_t bytes) {
    if (bytes > 0) memcpy(to, from, (size_t)bytes);
}
static gpr_status emulated_check(const gpri_device *) { return GPR_OK; }
static gpr_status emulated_share(const gpri_device *, gpr_ctx *, const void **out, const void *host, int64_t,
                                 const char *) {
    *out = host;
    return GPR_OK;
}
static void emulated_unshare(const gpri_device *, gpr_ctx *, const void *) {}
static gpr_status emulated_begin(const gpri_device *, gpr_ctx *) {
    making = new gpri_recording;
    making->first = NULL;
    making->last = &making->first;
    current = making->in = new room();
    current->next = rooms;
    rooms = current;
    return GPR_OK;
}
static gpr_status emulated_end(const gpri_device *, gpr_ctx *, gpri_recording **out) {
    *out = making;
    making = NULL;
    current = &at_once;
    return GPR_OK;
}
/* All nets in one kernel, as the card does it; an operation with large arguments takes some of them at a time. */
static gpr_status emulated_replay(const gpri_device *, gpri_recording *const *recordings, int64_t count) {
    static char *arguments = (char *)aligned_alloc(64, 1 << 15);
    recorded *calls[GPRI_MOST_LANES];
    for (int64_t i = 0; i < count; i++) calls[i] = recordings[i]->first;
    while (calls[0]) {
        const gpri_cuda_launch *launch = &calls[0]->launch;
        for (int64_t first = 0, end; first < count; first = end) {
            end = first + launch->most < count ? first + launch->most : count;
            for (int64_t k = first; k < end; k++) {
                if (!calls[k] || calls[k]->launch.kernel != launch->kernel) fault("nets that are not alike");
                memcpy(arguments + (size_t)(k - first) * launch->size, calls[k]->arguments, launch->size);
            }
            const dim3 grid(launch->grid.x, launch->grid.y, (unsigned)(end - first));
            if (count == 1) run_whole_kernel(launch->kernel, launch->grid, launch->threads, calls[0]->arguments);
            else run_whole_kernel(launch->kernel_of_many, grid, launch->threads, arguments);
        }
        for (int64_t k = 0; k < count; k++) calls[k] = calls[k]->next;
    }
    return GPR_OK;
}
static void emulated_forget(const gpri_device *, gpr_ctx *, gpri_recording *recording) {
    for (recorded *call = recording->first, *next; call; call = next) {
        next = call->next;
        free(call->arguments);
        delete call;
    }
    room **at = &rooms;
    while (*at != recording->in) at = &(*at)->next;
    *at = recording->in->next;
    free(recording->in->scratch);
    delete recording->in;
    delete recording;
}

static const gpri_device device = {"emulated card",
                                   &gpri_cuda_ops,
                                   0,
                                   3,
                                   3,
                                   NULL,
                                   emulated_alloc,
                                   emulated_free,
                                   emulated_copy,
                                   emulated_copy,
                                   emulated_check,
                                   NULL,
                                   NULL,
                                   emulated_share,
                                   emulated_unshare,
                                   emulated_begin,
                                   emulated_end,
                                   emulated_replay,
                                   emulated_forget};

extern "C" const gpri_device *emulated_device(void);
const gpri_device *emulated_device(void) { return &device; }
