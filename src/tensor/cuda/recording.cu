/* Passes that are recorded once and replayed every epoch: a list of calls, made into one CUDA graph. Recordings of
 * several nets that have the same calls are made into one graph too: each of its kernels does the call of all of them,
 * and blockIdx.z says whose. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tensor/cuda/queue.cuh"

/* A call in the list; its arguments are in the recording's `arguments`. */
typedef struct recorded_call {
    gpri_cuda_launch launch; /* its arguments: not used */
    size_t at;
} recorded_call;

struct gpri_recording {
    gpri_cuda_queue *queue;
    recorded_call *calls;
    int64_t count, capacity;
    char *arguments;
    size_t used, size;
    gpri_cuda_room room;
    cudaGraph_t graph; /* of this one alone; NULL: it was not replayed alone */
    cudaGraphExec_t run;
};

/* Recordings that are replayed side by side. */
struct gpri_cuda_team {
    gpri_recording *of[GPRI_MOST_LANES];
    int64_t count;
    cudaGraph_t graph;
    cudaGraphExec_t run;
};

static bool grow(void **block, size_t size) {
    void *larger = realloc(*block, size);
    if (larger) *block = larger;
    return larger != NULL;
}

bool gpri_cuda_record(gpri_recording *recording, const gpri_cuda_launch *launch) {
    const int64_t first = 64;
    const size_t alignment = 16;
    if (recording->count == recording->capacity) {
        const int64_t capacity = recording->capacity ? 2 * recording->capacity : first;
        if (!grow((void **)&recording->calls, (size_t)capacity * sizeof *recording->calls)) return false;
        recording->capacity = capacity;
    }
    const size_t bytes = (launch->size + alignment - 1) / alignment * alignment;
    if (recording->used + bytes > recording->size) {
        const size_t size = 2 * (recording->size + bytes) + 4096;
        if (!grow((void **)&recording->arguments, size)) return false;
        recording->size = size;
    }
    recorded_call *call = &recording->calls[recording->count++];
    call->launch = *launch;
    call->launch.arguments = NULL;
    call->at = recording->used;
    memcpy(recording->arguments + call->at, launch->arguments, launch->size);
    recording->used += bytes;
    return true;
}

gpr_status gpri_cuda_begin(const gpri_device *device, gpr_ctx *ctx) {
    (void)ctx;
    gpri_cuda_queue *queue = gpri_cuda_queue_of(gpri_cuda_card_of(device));
    if (!queue) return GPR_ERROR_MEMORY;
    if (queue->making) return gpri_cuda_program->fail(GPR_ERROR_ARGUMENT, "a pass is being recorded already");
    queue->making = (gpri_recording *)calloc(1, sizeof *queue->making);
    if (!queue->making) return gpri_cuda_program->fail(GPR_ERROR_MEMORY, "recording: out of memory");
    queue->making->queue = queue;
    queue->room = &queue->making->room;
    queue->listing = true;
    return GPR_OK;
}

/* ---- what is recorded, in words ---- */

/* The operation's type from the name that the compiler gives to launch<Op>, such as "... [with Op = linear_forward]",
   without the names of namespaces that have none. */
static void operation_of(const char *name, char *out, size_t size) {
    static const char *const nameless[] = {"_GLOBAL__N__", "{anonymous}", "(anonymous namespace)", "<unnamed>"};
    const char *at = strstr(name, "Op = ");
    size_t used = 0;
    at = at ? at + strlen("Op = ") : name;
    while (*at && *at != ';' && *at != ']' && used + 1 < size) {
        const char *end = NULL;
        for (size_t i = 0; i < sizeof nameless / sizeof *nameless; i++)
            if (strncmp(at, nameless[i], strlen(nameless[i])) == 0) end = strstr(at, "::");
        if (end) at = end + 2;
        else out[used++] = *at++;
    }
    out[used] = 0;
}

/* "41 kernels: propagate 20, adam 5, ...", in the order of their first call. */
static void describe(const gpri_recording *recording, char *out, size_t size) {
    int used = snprintf(out, size, "%lld kernels:", (long long)recording->count);
    for (int64_t i = 0; i < recording->count; i++) {
        const char *name = recording->calls[i].launch.name;
        char operation[200];
        int64_t times = 0, before = 0;
        for (int64_t j = 0; j < recording->count; j++)
            if (strcmp(recording->calls[j].launch.name, name) == 0) {
                times++;
                before += j < i;
            }
        if (before || used < 0 || (size_t)used >= size) continue;
        operation_of(name, operation, sizeof operation);
        used += snprintf(out + used, size - (size_t)used, "%s %s %lld", i ? "," : "", operation, (long long)times);
    }
}

/* Tells the log, once for all recordings that are alike: a hundred runs record the same. */
static void tell(const gpri_recording *recording, gpr_ctx *ctx) {
    gpri_cuda_card *card = recording->queue->card;
    char text[2000];
    uint64_t digest = 14695981039346656037u; /* FNV-1a */
    describe(recording, text, sizeof text);
    for (const char *at = text; *at; at++) digest = (digest ^ (unsigned char)*at) * 1099511628211u;
    pthread_mutex_lock(&card->lock);
    bool is_new = card->told_count < GPRI_CUDA_TOLD;
    for (int i = 0; i < card->told_count; i++) is_new &= card->told[i] != digest;
    if (is_new) card->told[card->told_count++] = digest;
    pthread_mutex_unlock(&card->lock);
    if (is_new) gpri_cuda_program->log(ctx, GPR_LOG_DEBUG, "recorded %s", text);
}

/* ---- graphs ---- */

/* One kernel as a node after the others. */
static bool add_node(gpri_cuda_queue *queue, cudaGraph_t graph, cudaGraphNode_t *last, const gpri_cuda_launch *launch,
                     const void *kernel, unsigned lanes, void *arguments) {
    void *list[] = {arguments};
    cudaGraphNode_t node;
    cudaKernelNodeParams params = {};
    params.func = (void *)kernel;
    params.gridDim = dim3(launch->grid.x, launch->grid.y, lanes);
    params.blockDim = dim3(launch->threads);
    params.sharedMemBytes = launch->shared;
    params.kernelParams = list;
    if (!gpri_cuda_note(queue, cudaGraphAddKernelNode(&node, graph, last, *last ? 1 : 0, &params), launch->name))
        return false;
#if CUDART_VERSION >= 12000
    cudaLaunchAttributeValue value = {};
    value.clusterDim.x = launch->cluster;
    value.clusterDim.y = value.clusterDim.z = 1;
    if (launch->cluster > 1 &&
        !gpri_cuda_note(queue, cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeClusterDimension, &value),
                        launch->name))
        return false;
#endif
    *last = node;
    return true;
}

static bool make_ready(gpri_cuda_queue *queue, cudaGraph_t graph, cudaGraphExec_t *run) {
    return gpri_cuda_note(queue, cudaGraphInstantiate(run, graph, 0), "recording") &&
           gpri_cuda_note(queue, cudaGraphUpload(*run, queue->stream), "recording");
}

/* One kernel after the other, as they were called. */
static bool make_graph(gpri_recording *recording) {
    gpri_cuda_queue *queue = recording->queue;
    cudaGraphNode_t last = NULL;
    if (!gpri_cuda_note(queue, cudaGraphCreate(&recording->graph, 0), "recording")) return false;
    for (int64_t i = 0; i < recording->count; i++) {
        const recorded_call *call = &recording->calls[i];
        if (!add_node(queue, recording->graph, &last, &call->launch, call->launch.kernel, 1,
                      recording->arguments + call->at))
            return false;
    }
    return make_ready(queue, recording->graph, &recording->run);
}

/* ---- side by side ---- */

static void free_team(gpri_cuda_queue *queue) {
    gpri_cuda_team *team = queue->team;
    queue->team = NULL;
    if (!team) return;
    if (team->run) cudaGraphExecDestroy(team->run);
    if (team->graph) cudaGraphDestroy(team->graph);
    free(team);
}

static bool same_call(const gpri_cuda_launch *a, const gpri_cuda_launch *b) {
    return a->kernel == b->kernel && a->grid.x == b->grid.x && a->grid.y == b->grid.y && a->threads == b->threads &&
           a->shared == b->shared && a->cluster == b->cluster;
}

/* Whether they were made by this queue and differ in the arguments of their calls alone. */
static bool are_alike(const gpri_cuda_queue *queue, gpri_recording *const *of, int64_t count) {
    for (int64_t k = 0; k < count; k++) {
        if (of[k]->queue != queue || of[k]->count != of[0]->count) return false;
        for (int64_t i = 0; i < of[0]->count; i++)
            if (!same_call(&of[k]->calls[i].launch, &of[0]->calls[i].launch)) return false;
    }
    return true;
}

static bool add_calls(gpri_cuda_queue *queue, gpri_cuda_team *team, char *arguments) {
    cudaGraphNode_t last = NULL;
    for (int64_t i = 0; i < team->of[0]->count; i++) {
        const gpri_cuda_launch *launch = &team->of[0]->calls[i].launch;
        for (int64_t first = 0, end; first < team->count; first = end) {
            end = first + launch->most < team->count ? first + launch->most : team->count;
            for (int64_t k = first; k < end; k++)
                memcpy(arguments + (size_t)(k - first) * launch->size,
                       team->of[k]->arguments + team->of[k]->calls[i].at, launch->size);
            if (!add_node(queue, team->graph, &last, launch, launch->kernel_of_many, (unsigned)(end - first),
                          arguments))
                return false;
        }
    }
    return true;
}

/* The graph of them all, in queue->team. */
static bool make_team(gpri_cuda_queue *queue, gpri_recording *const *of, int64_t count) {
    const size_t most = 1 << 15; /* bytes of a kernel's arguments */
    free_team(queue);
    gpri_cuda_team *team = queue->team = (gpri_cuda_team *)calloc(1, sizeof *team);
    char *arguments = (char *)calloc(1, most);
    bool well = gpri_cuda_note(queue, team && arguments ? cudaSuccess : cudaErrorMemoryAllocation, "recording");
    if (well) {
        memcpy(team->of, of, (size_t)count * sizeof *of);
        team->count = count;
        well = gpri_cuda_note(queue, cudaGraphCreate(&team->graph, 0), "recording") &&
               add_calls(queue, team, arguments) && make_ready(queue, team->graph, &team->run);
    }
    free(arguments);
    if (!well) free_team(queue);
    return well;
}

static bool is_team(const gpri_cuda_team *team, gpri_recording *const *of, int64_t count) {
    return team && team->count == count && memcmp(team->of, of, (size_t)count * sizeof *of) == 0;
}

/* ---- recordings ---- */

static void free_recording(gpri_recording *recording) {
    if (recording->run) cudaGraphExecDestroy(recording->run);
    if (recording->graph) cudaGraphDestroy(recording->graph);
    gpri_cuda_leave_room(recording->queue, &recording->room);
    free(recording->calls);
    free(recording->arguments);
    free(recording);
}

gpr_status gpri_cuda_end(const gpri_device *device, gpr_ctx *ctx, gpri_recording **out) {
    gpri_cuda_queue *queue = gpri_cuda_queue_of(gpri_cuda_card_of(device));
    *out = NULL;
    if (!queue) return GPR_ERROR_MEMORY;
    gpri_recording *recording = queue->making;
    if (!recording) return gpri_cuda_program->fail(GPR_ERROR_ARGUMENT, "no pass is being recorded");
    queue->listing = false;
    if (queue->list.failed) gpri_cuda_note(queue, cudaErrorMemoryAllocation, "recording");
    if (queue->failed == GPR_OK) gpri_cuda_join(&queue->list);
    gpri_cuda_list_clear(&queue->list);
    queue->making = NULL;
    queue->room = &queue->own;
    if (queue->failed != GPR_OK) {
        free_recording(recording);
        return gpri_cuda_report(queue);
    }
    tell(recording, ctx);
    *out = recording;
    return GPR_OK;
}

static bool replay_alone(gpri_cuda_queue *queue, gpri_recording *recording) {
    if (!recording->run && !make_graph(recording)) return false;
    if (!gpri_cuda_note(queue, cudaGraphLaunch(recording->run, recording->queue->stream), "computing")) return false;
    /* made by another thread: what this one does next must come after it */
    return recording->queue == queue ||
           gpri_cuda_note(queue, cudaStreamSynchronize(recording->queue->stream), "computing");
}

gpr_status gpri_cuda_replay(const gpri_device *device, gpri_recording *const *recordings, int64_t count) {
    gpri_cuda_queue *queue = gpri_cuda_queue_of(gpri_cuda_card_of(device));
    if (!queue) return GPR_ERROR_MEMORY;
    if (queue->failed != GPR_OK) return gpri_cuda_report(queue);
    bool well = true;
    if (count > 1 && (is_team(queue->team, recordings, count) || are_alike(queue, recordings, count))) {
        if (!is_team(queue->team, recordings, count)) well = make_team(queue, recordings, count);
        well = well && gpri_cuda_note(queue, cudaGraphLaunch(queue->team->run, queue->stream), "computing");
    } else {
        for (int64_t i = 0; well && i < count; i++) well = replay_alone(queue, recordings[i]);
    }
    return well ? GPR_OK : gpri_cuda_report(queue);
}

void gpri_cuda_forget(const gpri_device *device, gpr_ctx *ctx, gpri_recording *recording) {
    (void)ctx;
    gpri_cuda_queue *queue = recording->queue;
    (void)gpri_cuda_queue_of(gpri_cuda_card_of(device));
    gpri_cuda_note(queue, cudaStreamSynchronize(queue->stream), "computing");
    for (int64_t i = 0; queue->team && i < queue->team->count; i++)
        if (queue->team->of[i] == recording) free_team(queue);
    free_recording(recording);
}
