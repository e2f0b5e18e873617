/* Cards and queues: what the files of the device share. Operations need device.cuh only. */
#ifndef GPRI_CUDA_QUEUE_CUH
#define GPRI_CUDA_QUEUE_CUH

#include <pthread.h>

#include "tensor/cuda/fuse/calls.cuh"

#define GPRI_CUDA_CARDS 32 /* that can be used at most */
#define GPRI_CUDA_TOLD 64

typedef struct gpri_cuda_card gpri_cuda_card;
typedef struct gpri_cuda_queue gpri_cuda_queue;
typedef struct gpri_cuda_team gpri_cuda_team;       /* recording.cu */
typedef struct gpri_cuda_fetched gpri_cuda_fetched; /* memory.cu */
typedef struct gpri_cuda_shared gpri_cuda_shared;   /* memory.cu */
struct gpri_graph_plan;                             /* graph/plan.cuh */

#define GPRI_CUDA_READY 256 /* kernels that need more than the usual, at most */

struct gpri_cuda_card {
    gpri_device device; /* its state is the card */
    int number;
    char name[256];
    cudaMemPool_t pool;            /* NULL: the driver has none */
    size_t most_shared;            /* bytes that a block can have */
    bool has_clusters;
    pthread_mutex_t lock;          /* guards all that follows */
    gpri_cuda_queue *idle;         /* queues of threads that have ended */
    gpri_cuda_shared *shared;      /* copies of what the host has */
    struct gpri_graph_plan *plans; /* of their graphs */
    const void *ready[GPRI_CUDA_READY]; /* kernels that may use all of the shared memory, and clusters */
    int ready_count;
    uint64_t told[GPRI_CUDA_TOLD]; /* of recordings that the log has described: a digest of the text */
    int told_count;
};

/* Memory that operations compute in. Those that run at once share that of their queue; every recording has its own, so
   that several can run side by side. */
typedef struct gpri_cuda_room {
    char *scratch;
    size_t size;
    void *outgrown;     /* scratch memory that recorded calls still point to: a list (memory.cu) */
    unsigned *counters; /* NULL: none yet */
} gpri_cuda_room;

struct gpri_cuda_queue {
    gpri_cuda_card *card;
    gpri_cuda_queue *next; /* idle ones */
    cudaStream_t stream;
    gpri_cuda_room own;     /* of operations that run at once */
    gpri_cuda_room *room;   /* in use: own, or that of the recording */
    gpri_recording *making; /* NULL: operations run at once */
    gpri_cuda_list list;    /* the calls of the pass that is recorded */
    bool listing;           /* operations are listed, not launched */
    gpri_cuda_team *team;   /* what was replayed side by side last; NULL: nothing */
    char *landing;          /* where fetched bytes arrive: the host's, which the card can write to; NULL: none yet */
    gpri_cuda_fetched *fetched; /* (fetches) where they go from there */
    int fetches;
    size_t landed;     /* bytes in use */
    gpr_status failed; /* the first failure since the last check */
    char why[512];
};

extern const gpri_cuda_host *gpri_cuda_program; /* functions of the program; set when the first card is opened */

/* This thread's queue of the card: from now on the current one. NULL: there is no room for one; the message is set. */
gpri_cuda_queue *gpri_cuda_queue_of(gpri_cuda_card *card);
/* The queue of the device whose function this thread called last. */
gpri_cuda_queue *gpri_cuda_current(void);

/* Whether it went well. The queue's first failure is remembered. what: "copy to the card". */
bool gpri_cuda_note(gpri_cuda_queue *queue, cudaError_t error, const char *what);
/* Sets the message of the queue's failure and returns its status; the queue may be used again. */
gpr_status gpri_cuda_report(gpri_cuda_queue *queue);

/* bytes of the card, 256-byte aligned. what: for the message. */
gpr_status gpri_cuda_take(gpri_cuda_queue *queue, void **out, size_t bytes, const char *what) GPRI_MUST_CHECK;
void gpri_cuda_give(gpri_cuda_queue *queue, void *block);
/* Gives back what a room has. */
void gpri_cuda_leave_room(gpri_cuda_queue *queue, gpri_cuda_room *room);

static inline gpri_cuda_card *gpri_cuda_card_of(const gpri_device *device) { return (gpri_cuda_card *)device->state; }

/* Functions of the device: memory.cu and recording.cu. */
gpr_status gpri_cuda_alloc(const gpri_device *device, gpr_ctx *ctx, void *out, int64_t count, size_t size, bool zeroed,
                           const char *what);
void gpri_cuda_free(const gpri_device *device, gpr_ctx *ctx, void *block);
void gpri_cuda_put(const gpri_device *device, void *to, const void *from, int64_t bytes);
void gpri_cuda_get(const gpri_device *device, void *to, const void *from, int64_t bytes);
void gpri_cuda_fetch(const gpri_device *device, void *to, const void *from, int64_t bytes);
/* After the stream has come to rest: what was fetched goes where it belongs; zeros after a failure. */
void gpri_cuda_land(gpri_cuda_queue *queue);
int64_t gpri_cuda_free_bytes(const gpri_device *device);
gpr_status gpri_cuda_share(const gpri_device *device, gpr_ctx *ctx, const void **out, const void *host, int64_t bytes,
                           const char *what);
void gpri_cuda_unshare(const gpri_device *device, gpr_ctx *ctx, const void *shared);
gpr_status gpri_cuda_plan_graph(const gpri_device *device, gpr_ctx *ctx, gpri_graph *view, const gpri_graph *graph);
void gpri_cuda_unplan_graph(const gpri_device *device, gpr_ctx *ctx, const void *plan);
gpr_status gpri_cuda_begin(const gpri_device *device, gpr_ctx *ctx);
gpr_status gpri_cuda_end(const gpri_device *device, gpr_ctx *ctx, gpri_recording **out);
gpr_status gpri_cuda_replay(const gpri_device *device, gpri_recording *const *recordings, int64_t count);
void gpri_cuda_forget(const gpri_device *device, gpr_ctx *ctx, gpri_recording *recording);
/* Appends a call to a recording. */
bool gpri_cuda_record(gpri_recording *recording, const gpri_cuda_launch *launch);

extern const gpri_ops gpri_cuda_ops; /* table.cu */

#endif
