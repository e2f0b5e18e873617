/* Passes that are recorded once and replayed every epoch: a list of calls, made into one CUDA graph. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tensor/cuda/lane.cuh"

/* A call in the list; its arguments are in the recording's `arguments`. */
typedef struct recorded_call {
    gpri_cuda_launch launch; /* its arguments: not used */
    size_t at;
} recorded_call;

struct gpri_recording {
    gpri_cuda_lane *lane;
    recorded_call *calls;
    int64_t count, capacity;
    char *arguments;
    size_t used, size;
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
    gpri_cuda_lane *lane = gpri_cuda_lane_of(gpri_cuda_card_of(device));
    if (!lane) return GPR_ERROR_MEMORY;
    if (lane->making) return gpri_cuda_program->fail(GPR_ERROR_ARGUMENT, "a pass is being recorded already");
    lane->making = (gpri_recording *)calloc(1, sizeof *lane->making);
    if (!lane->making) return gpri_cuda_program->fail(GPR_ERROR_MEMORY, "recording: out of memory");
    lane->making->lane = lane;
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
    gpri_cuda_card *card = recording->lane->card;
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

/* One kernel after the other, as they were called. */
static bool make_graph(gpri_recording *recording) {
    gpri_cuda_lane *lane = recording->lane;
    cudaGraphNode_t before = NULL, node;
    if (!gpri_cuda_note(lane, cudaGraphCreate(&recording->graph, 0), "recording")) return false;
    for (int64_t i = 0; i < recording->count; i++) {
        const gpri_cuda_launch *launch = &recording->calls[i].launch;
        void *arguments[] = {recording->arguments + recording->calls[i].at};
        cudaKernelNodeParams params = {};
        params.func = (void *)launch->kernel;
        params.gridDim = launch->grid;
        params.blockDim = dim3(launch->threads);
        params.sharedMemBytes = launch->shared;
        params.kernelParams = arguments;
        if (!gpri_cuda_note(lane, cudaGraphAddKernelNode(&node, recording->graph, &before, before ? 1 : 0, &params),
                            launch->name))
            return false;
        before = node;
    }
    return gpri_cuda_note(lane, cudaGraphInstantiate(&recording->run, recording->graph, 0), "recording") &&
           gpri_cuda_note(lane, cudaGraphUpload(recording->run, lane->stream), "recording");
}

static void free_recording(gpri_recording *recording) {
    if (recording->run) cudaGraphExecDestroy(recording->run);
    if (recording->graph) cudaGraphDestroy(recording->graph);
    free(recording->calls);
    free(recording->arguments);
    free(recording);
}

gpr_status gpri_cuda_end(const gpri_device *device, gpr_ctx *ctx, gpri_recording **out) {
    gpri_cuda_lane *lane = gpri_cuda_lane_of(gpri_cuda_card_of(device));
    *out = NULL;
    if (!lane) return GPR_ERROR_MEMORY;
    gpri_recording *recording = lane->making;
    if (!recording) return gpri_cuda_program->fail(GPR_ERROR_ARGUMENT, "no pass is being recorded");
    lane->making = NULL;
    if (lane->failed != GPR_OK || !make_graph(recording)) {
        free_recording(recording);
        return gpri_cuda_report(lane);
    }
    tell(recording, ctx);
    lane->recordings++;
    *out = recording;
    return GPR_OK;
}

gpr_status gpri_cuda_replay(const gpri_device *device, gpri_recording *recording) {
    gpri_cuda_lane *lane = gpri_cuda_lane_of(gpri_cuda_card_of(device));
    if (!lane) return GPR_ERROR_MEMORY;
    if (lane->failed != GPR_OK) return gpri_cuda_report(lane);
    bool well = gpri_cuda_note(lane, cudaGraphLaunch(recording->run, recording->lane->stream), "computing");
    /* made by another thread: what this one does next must come after it */
    if (well && recording->lane != lane)
        well = gpri_cuda_note(lane, cudaStreamSynchronize(recording->lane->stream), "computing");
    return well ? GPR_OK : gpri_cuda_report(lane);
}

void gpri_cuda_forget(const gpri_device *device, gpr_ctx *ctx, gpri_recording *recording) {
    (void)ctx;
    gpri_cuda_lane *lane = recording->lane;
    (void)gpri_cuda_lane_of(gpri_cuda_card_of(device));
    gpri_cuda_note(lane, cudaStreamSynchronize(lane->stream), "computing");
    free_recording(recording);
    if (--lane->recordings == 0) gpri_cuda_drop_outgrown(lane);
}
