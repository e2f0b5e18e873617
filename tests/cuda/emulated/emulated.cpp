/* The fibers of the emulated card, and the card as a device: its memory is the host's, filled with NaN where it is
 * undefined. */
#undef _FORTIFY_SOURCE /* it takes a jump to another stack for a mistake */
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#include "tensor/cuda/graph/plan.cuh"
#include "tensor/cuda/fuse/calls.cuh"
#include "tensor/cuda/base/ops.cuh"

uint3 threadIdx, blockIdx;
dim3 blockDim(1), gridDim(1);

/* ---- the threads of a cluster: mostly of one block ---- */

enum { WARP = 32, MOST = 4096, MOST_BLOCKS = 8, STACK = 1 << 16 };
enum state { READY, AT_BARRIER, AT_CLUSTER_BARRIER, AT_EXCHANGE, ENDED };

struct fiber {
    char *stack; /* NULL: it has never run */
    jmp_buf at;  /* where it goes on */
    state is;
    unsigned barriers, exchanges; /* that it has come to */
};

char *emulated_shared;
static fiber fibers[MOST];
static jmp_buf scheduler;
static unsigned blocks, threads, own; /* of the cluster; of a block; the one that runs, among all of the cluster */
static int given[MOST_BLOCKS][3];     /* at the barriers last, now and next */
static uint64_t exchanged[2][MOST];   /* now and last */
static char *shared[MOST_BLOCKS];     /* of the blocks */
static size_t shared_size;
static uint3 first_block; /* of the cluster */
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
    int *of_block = given[own / threads];
    of_block[(at + 1) % 3] = 0;
    of_block[at] += gives;
    wait_as(AT_BARRIER);
    return of_block[at];
}

void emulated_cluster_barrier() { wait_as(AT_CLUSTER_BARRIER); }

uint64_t emulated_exchange(uint64_t value, int lane) {
    const unsigned at = fibers[own].exchanges++ % 2, block = own / threads * threads;
    const unsigned from = block + (own - block) / WARP * WARP + (unsigned)lane;
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
    for (unsigned b = 0; b < blocks; b++) {
        given[b][0] = given[b][1] = given[b][2] = 0;
        if (shared_size) memset(shared[b], 0xff, shared_size); /* undefined */
    }
    for (unsigned t = 0; t < blocks * threads; t++) {
        fibers[t].is = READY;
        fibers[t].barriers = fibers[t].exchanges = 0;
    }
}

/* Lets the fibers [first, end) go on that are in that state, if all that have not ended are. */
static bool release_all(unsigned first, unsigned end, state waiting) {
    unsigned there = 0, alive = 0;
    for (unsigned t = first; t < end; t++) {
        alive += fibers[t].is != ENDED;
        there += fibers[t].is == waiting;
    }
    if (there == 0 || there != alive) return false;
    if (waiting == AT_EXCHANGE && alive != end - first) fault("a thread of the warp has ended that should exchange");
    for (unsigned t = first; t < end; t++)
        if (fibers[t].is == waiting) fibers[t].is = READY;
    return true;
}

/* Lets those go on that all others have joined; whether there are any. */
static bool release() {
    const unsigned all = blocks * threads;
    bool released = release_all(0, all, AT_CLUSTER_BARRIER), alive = false;
    for (unsigned first = 0; first < all; first += threads) {
        released |= release_all(first, first + threads, AT_BARRIER);
        for (unsigned warp = first; warp < first + threads; warp += WARP) {
            const unsigned end = warp + WARP < first + threads ? warp + WARP : first + threads;
            released |= release_all(warp, end, AT_EXCHANGE);
        }
    }
    for (unsigned t = 0; t < all; t++) alive |= fibers[t].is != ENDED;
    if (alive && !released) fault("threads wait for each other");
    return alive;
}

static void run_cluster() {
    const unsigned all = blocks * threads;
    start_threads();
    do {
        const unsigned first = below(all), step = below(2) ? 1 : all - 1; /* forwards or backwards */
        for (unsigned i = 0, t = first; i < all; i++, t = (t + step) % all) {
            if (fibers[t].is != READY) continue;
            own = t;
            threadIdx = uint3{t % threads, 0, 0};
            blockIdx = uint3{first_block.x + t / threads, first_block.y, first_block.z};
            emulated_shared = shared[t / threads];
            go_on(&fibers[t]);
        }
    } while (release());
}

/* ---- launches ---- */

static void make_shared(size_t bytes) {
    for (unsigned b = 0; bytes > shared_size && b < MOST_BLOCKS; b++) {
        free(shared[b]);
        shared[b] = (char *)aligned_alloc(256, (bytes + 255) / 256 * 256);
    }
    if (bytes > shared_size) shared_size = (bytes + 255) / 256 * 256;
}

static void run_kernel(const void *function, const gpri_cuda_launch *launch, dim3 grid, const void *arguments) {
    kernel = (void (*)(const void *))function;
    kernel_arguments = arguments;
    threads = launch->threads;
    blocks = launch->cluster;
    gridDim = grid;
    blockDim = dim3(threads);
    if (blocks < 1 || blocks > MOST_BLOCKS || threads > 1024 || blocks * threads > MOST) fault("too many threads");
    if (grid.x % blocks) fault("a grid that is no number of clusters");
    make_shared(launch->shared);
    const unsigned wide = grid.x / blocks, clusters = wide * grid.y * grid.z;
    const unsigned first = below(clusters), step = below(2) ? 1 : clusters - 1;
    for (unsigned i = 0, c = first; i < clusters; i++, c = (unsigned)(((uint64_t)c + step) % clusters)) {
        first_block = uint3{c % wide * blocks, c / wide % grid.y, c / wide / grid.y};
        run_cluster();
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

static void run_whole_kernel(const void *function, const gpri_cuda_launch *launch, dim3 grid, const void *arguments) {
    run_kernel(function, launch, grid, arguments);
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
static gpri_cuda_list list;
static bool listing;

gpri_cuda_list *gpri_cuda_listing() { return listing ? &list : NULL; }

void gpri_cuda_submit(const gpri_cuda_launch *launch) {
    if (!making) return run_whole_kernel(launch->kernel, launch, launch->grid, launch->arguments);
    void *arguments = aligned_alloc(64, (launch->size + 63) / 64 * 64);
    memcpy(arguments, launch->arguments, launch->size);
    *making->last = new recorded{*launch, arguments, NULL};
    making->last = &(*making->last)->next;
}

void gpri_cuda_misuse(const char *what) { fault(what); }

void *gpri_cuda_scratch(size_t bytes) {
    if (bytes > current->size || !current->scratch) {
        current->size = 2 * bytes + 4096;
        current->scratch = (char *)aligned_alloc(256, (current->size + 255) / 256 * 256);
    }
    memset(current->scratch, 0xff, current->size);
    return current->scratch;
}

void *gpri_cuda_keep(size_t bytes) {
    void *block = aligned_alloc(256, (bytes + 255) / 256 * 256);
    memset(block, 0xff, bytes);
    return block;
}

/* Blocks of a cluster, at most; 0: no dynamic shared memory either. Tests set it. */
extern "C" unsigned emulated_cluster;
unsigned emulated_cluster = 4;

bool gpri_cuda_fits(const gpri_cuda_launch *launch) {
    return launch->shared <= (emulated_cluster ? 227 << 10 : 0) &&
           (launch->cluster <= 1 || launch->cluster <= emulated_cluster);
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
    listing = true;
    return GPR_OK;
}
/* Of the pass that was recorded last; for tests. */
extern "C" int64_t emulated_kernels;
int64_t emulated_kernels;

static gpr_status emulated_end(const gpri_device *, gpr_ctx *, gpri_recording **out) {
    listing = false;
    gpri_cuda_join(&list);
    gpri_cuda_list_clear(&list);
    emulated_kernels = 0;
    for (const recorded *call = making->first; call; call = call->next) emulated_kernels++;
    if (getenv("EMULATED_CARD_LIST")) /* for whoever wants to see which kernels a pass has */
        for (const recorded *call = making->first; call; call = call->next)
            fprintf(stderr, "%u x %u blocks of %u: %s\n", call->launch.grid.x, call->launch.grid.y,
                    call->launch.threads, call->launch.name);
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
            if (count == 1) run_whole_kernel(launch->kernel, launch, launch->grid, calls[0]->arguments);
            else run_whole_kernel(launch->kernel_of_many, launch, grid, arguments);
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

/* Graphs are planned as if they were large; tests set it. */
extern "C" bool emulated_wide;
bool emulated_wide;

static gpr_status emulated_plan_graph(const gpri_device *of, gpr_ctx *ctx, gpri_graph *view, const gpri_graph *graph) {
    gpri_graph_plan *plan;
    const gpr_status status = gpri_graph_plan_new(of, ctx, &plan, graph, view);
    if (status == GPR_OK && emulated_wide) plan->wide = true, plan->small = false;
    view->plan = plan;
    return status;
}
static void emulated_unplan_graph(const gpri_device *of, gpr_ctx *ctx, const void *plan) {
    gpri_graph_plan_free(of, ctx, (gpri_graph_plan *)plan);
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
                                   emulated_forget,
                                   emulated_plan_graph,
                                   emulated_unplan_graph};

extern "C" const gpri_device *emulated_device(void);
const gpri_device *emulated_device(void) { return &device; }
