/* Cards as devices: opening them, the queues of the threads, failures, and calls of kernels. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tensor/cuda/queue.cuh"

const gpri_cuda_host *gpri_cuda_program;

/* ---- queues ---- */

/* The queues of a thread, one per card that it has used. They go back to their cards when the thread ends. */
typedef struct thread_queues {
    gpri_cuda_queue *of[GPRI_CUDA_CARDS];
} thread_queues;

static pthread_key_t queues_key;
static pthread_once_t queues_once = PTHREAD_ONCE_INIT;
static bool queues_ready;
static GPRI_THREAD_LOCAL gpri_cuda_queue *current;

static void leave_queues(void *value) {
    thread_queues *queues = (thread_queues *)value;
    for (int i = 0; i < GPRI_CUDA_CARDS; i++) {
        gpri_cuda_queue *queue = queues->of[i];
        if (!queue) continue;
        pthread_mutex_lock(&queue->card->lock);
        queue->next = queue->card->idle;
        queue->card->idle = queue;
        pthread_mutex_unlock(&queue->card->lock);
    }
    free(queues);
}

static void make_key(void) { queues_ready = pthread_key_create(&queues_key, leave_queues) == 0; }

/* The queue of a thread that has ended, or a new one. */
static gpri_cuda_queue *find_queue(gpri_cuda_card *card) {
    pthread_mutex_lock(&card->lock);
    gpri_cuda_queue *queue = card->idle;
    if (queue) card->idle = queue->next;
    pthread_mutex_unlock(&card->lock);
    if (queue) {
        queue->failed = GPR_OK; /* that of another thread */
        return queue;
    }
    queue = (gpri_cuda_queue *)calloc(1, sizeof *queue);
    if (!queue) return NULL;
    queue->card = card;
    queue->room = &queue->own;
    if (cudaStreamCreateWithFlags(&queue->stream, cudaStreamNonBlocking) == cudaSuccess) return queue;
    (void)cudaGetLastError();
    free(queue);
    return NULL;
}

gpri_cuda_queue *gpri_cuda_current(void) { return current; }

gpri_cuda_queue *gpri_cuda_queue_of(gpri_cuda_card *card) {
    if (current && current->card == card) return current;
    current = NULL;
    pthread_once(&queues_once, make_key);
    thread_queues *queues = queues_ready ? (thread_queues *)pthread_getspecific(queues_key) : NULL;
    if (!queues && queues_ready) {
        queues = (thread_queues *)calloc(1, sizeof *queues);
        if (queues && pthread_setspecific(queues_key, queues) != 0) {
            free(queues);
            queues = NULL;
        }
    }
    cudaError_t error = cudaSetDevice(card->number); /* of this thread */
    if (queues && error == cudaSuccess && !queues->of[card->number]) queues->of[card->number] = find_queue(card);
    if (queues && error == cudaSuccess) current = queues->of[card->number];
    if (!current)
        gpri_cuda_program->fail(GPR_ERROR_MEMORY, "card %d (%s): no stream could be made for a thread: %s",
                                card->number, card->name, cudaGetErrorString(cudaPeekAtLastError()));
    return current;
}

/* ---- failures ---- */

bool gpri_cuda_note(gpri_cuda_queue *queue, cudaError_t error, const char *what) {
    if (error == cudaSuccess) return true;
    (void)cudaGetLastError();
    if (queue->failed != GPR_OK) return false;
    queue->failed = error == cudaErrorMemoryAllocation ? GPR_ERROR_MEMORY : GPR_ERROR_IO;
    snprintf(queue->why, sizeof queue->why, "card %d (%s): %s failed: %s (%s)", queue->card->number, queue->card->name,
             what, cudaGetErrorString(error), cudaGetErrorName(error));
    return false;
}

gpr_status gpri_cuda_report(gpri_cuda_queue *queue) {
    const gpr_status status = queue->failed;
    queue->failed = GPR_OK;
    return status == GPR_OK ? GPR_OK : gpri_cuda_program->fail(status, "%s", queue->why);
}

static gpr_status check(const gpri_device *device) {
    gpri_cuda_queue *queue = gpri_cuda_queue_of(gpri_cuda_card_of(device));
    if (!queue) return GPR_ERROR_MEMORY;
    gpri_cuda_note(queue, cudaStreamSynchronize(queue->stream), "computing");
    gpri_cuda_land(queue);
    return gpri_cuda_report(queue);
}

/* ---- calls ---- */

gpri_cuda_list *gpri_cuda_listing(void) { return current && current->listing ? &current->list : NULL; }

void gpri_cuda_misuse(const char *what) {
    if (current) gpri_cuda_note(current, cudaErrorInvalidConfiguration, what);
}

enum { CLUSTERS = 90 }; /* compute capability: code for earlier cards has none */

/* Lets a kernel use all of the shared memory, and clusters of any size: once, before anything is launched with it, so
   that no thread sees a state between. */
static cudaError_t make_ready(gpri_cuda_card *card, const void *kernel) {
    cudaFuncAttributes attributes;
    cudaError_t error = cudaSuccess;
    int known = 0;
    pthread_mutex_lock(&card->lock);
    while (known < card->ready_count && card->ready[known] != kernel) known++;
    if (known == card->ready_count) {
        error = cudaFuncGetAttributes(&attributes, kernel);
        if (error == cudaSuccess)
            error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                         (int)(card->most_shared - attributes.sharedSizeBytes));
#if CUDART_VERSION >= 12000
        if (error == cudaSuccess && card->has_clusters && attributes.ptxVersion >= CLUSTERS)
            error = cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
#endif
        if (error == cudaSuccess && card->ready_count < GPRI_CUDA_READY) card->ready[card->ready_count++] = kernel;
    }
    pthread_mutex_unlock(&card->lock);
    return error;
}

enum { USUAL_SHARED = 48 << 10 }; /* bytes that a kernel gets without asking */

static bool is_usual(const gpri_cuda_launch *launch) { return launch->shared <= USUAL_SHARED && launch->cluster <= 1; }

#if CUDART_VERSION >= 12000
static cudaLaunchAttribute cluster_of(const gpri_cuda_launch *launch) {
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = launch->cluster;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    return attribute;
}

static cudaLaunchConfig_t config_of(const gpri_cuda_launch *launch, cudaLaunchAttribute *attribute,
                                    cudaStream_t stream) {
    cudaLaunchConfig_t config = {};
    *attribute = cluster_of(launch);
    config.gridDim = launch->grid;
    config.blockDim = dim3(launch->threads);
    config.dynamicSmemBytes = launch->shared;
    config.stream = stream;
    config.attrs = attribute;
    config.numAttrs = launch->cluster > 1 ? 1 : 0;
    return config;
}

/* What the driver has compiled for this card from code for earlier ones has none. */
static bool runs_clusters(const gpri_cuda_launch *launch, const void *kernel) {
    cudaLaunchAttribute attribute;
    const cudaLaunchConfig_t config = config_of(launch, &attribute, NULL);
    cudaFuncAttributes attributes;
    int count = 0;
    return cudaFuncGetAttributes(&attributes, kernel) == cudaSuccess && attributes.ptxVersion >= CLUSTERS &&
           cudaOccupancyMaxActiveClusters(&count, kernel, &config) == cudaSuccess && count > 0;
}
#else
static bool runs_clusters(const gpri_cuda_launch *launch, const void *kernel) {
    (void)launch, (void)kernel;
    return false;
}
#endif

bool gpri_cuda_fits(const gpri_cuda_launch *launch) {
    gpri_cuda_queue *queue = current;
    if (!queue || queue->failed != GPR_OK || is_usual(launch)) return true;
    if (launch->shared > queue->card->most_shared || (launch->cluster > 1 && !queue->card->has_clusters)) return false;
    const void *const kernels[] = {launch->kernel, launch->kernel_of_many};
    bool fits = true;
    for (int i = 0; fits && i < 2; i++)
        fits = make_ready(queue->card, kernels[i]) == cudaSuccess &&
               (launch->cluster <= 1 || runs_clusters(launch, kernels[i]));
    (void)cudaGetLastError(); /* what does not fit is no failure */
    return fits;
}

static cudaError_t start(const gpri_cuda_launch *launch, cudaStream_t stream) {
    void *arguments[] = {(void *)launch->arguments};
#if CUDART_VERSION >= 12000
    if (launch->cluster > 1) {
        cudaLaunchAttribute attribute;
        const cudaLaunchConfig_t config = config_of(launch, &attribute, stream);
        return cudaLaunchKernelExC(&config, launch->kernel, arguments);
    }
#endif
    return cudaLaunchKernel(launch->kernel, launch->grid, dim3(launch->threads), arguments, launch->shared, stream);
}

void gpri_cuda_submit(const gpri_cuda_launch *launch) {
    gpri_cuda_queue *queue = current;
    if (!queue || queue->failed != GPR_OK) return;
    if (!is_usual(launch) && (!gpri_cuda_note(queue, make_ready(queue->card, launch->kernel), launch->name) ||
                              !gpri_cuda_note(queue, make_ready(queue->card, launch->kernel_of_many), launch->name)))
        return;
    if (!queue->making) gpri_cuda_note(queue, start(launch, queue->stream), launch->name);
    else if (!gpri_cuda_record(queue->making, launch)) gpri_cuda_note(queue, cudaErrorMemoryAllocation, "recording");
}

/* ---- opening ---- */

static gpri_cuda_card cards[GPRI_CUDA_CARDS];
static bool opened[GPRI_CUDA_CARDS];
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

/* What is told to who wants a card. Returns false. */
static bool refuse(char *message, size_t size, const char *format, ...) GPRI_PRINTF(3, 4);
static bool refuse(char *message, size_t size, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(message, size, format, list);
    va_end(list);
    return false;
}

static bool same_stamp(const gpri_cuda_host *host, char *message, size_t size) {
    static const size_t own[GPRI_CUDA_STAMPS] = GPRI_CUDA_STAMP;
    if (strcmp(host->version, GPRI_VERSION) == 0 && memcmp(own, host->stamp, sizeof own) == 0) return true;
    return refuse(
        message, size,
        "%s is of version %s, and the program of version %s, or of another build: install both from the same build",
        GPRI_CUDA_LIBRARY, GPRI_VERSION, host->version);
}

static bool find_card(int wanted, char *message, size_t size) {
    int driver = 0, runtime = 0, count = 0;
    (void)cudaDriverGetVersion(&driver);
    (void)cudaRuntimeGetVersion(&runtime);
    if (driver == 0)
        return refuse(message, size, "there is no NVIDIA driver on this machine (libcuda.so.1): install one");
    const cudaError_t error = cudaGetDeviceCount(&count);
    (void)cudaGetLastError();
    if (error == cudaErrorInsufficientDriver || driver / 1000 < runtime / 1000)
        return refuse(message, size,
                      "the NVIDIA driver is too old: it knows CUDA %d.%d, and %d.%d is needed: update the driver",
                      driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10);
    if (error == cudaErrorNoDevice || (error == cudaSuccess && count == 0))
        return refuse(message, size,
                      "there is no NVIDIA GPU that can be used: look at the output of nvidia-smi, and at "
                      "CUDA_VISIBLE_DEVICES if it is set");
    if (error != cudaSuccess)
        return refuse(message, size, "the NVIDIA driver does not work: %s (%s): look at the output of nvidia-smi",
                      cudaGetErrorString(error), cudaGetErrorName(error));
    if (count > GPRI_CUDA_CARDS) count = GPRI_CUDA_CARDS;
    if (wanted < count) return true;
    return count == 1 ? refuse(message, size, "there is no card %d: the only one is cuda:0", wanted)
                      : refuse(message, size, "there is no card %d: give one of cuda:0 to cuda:%d", wanted, count - 1);
}

static bool open_card(gpri_cuda_card *card, int number, char *message, size_t size) {
    enum { LEAST = GPRI_CUDA_LEAST }; /* compute capability: the oldest that the kernels were compiled for */
    cudaDeviceProp properties;
    cudaError_t error = cudaSetDevice(number);
    if (error == cudaSuccess) error = cudaGetDeviceProperties(&properties, number);
    if (error != cudaSuccess) {
        (void)cudaGetLastError();
        return refuse(message, size, "card %d cannot be used: %s (%s)", number, cudaGetErrorString(error),
                      cudaGetErrorName(error));
    }
    if (properties.major * 10 + properties.minor < LEAST)
        return refuse(message, size, "card %d (%s) has compute capability %d.%d, and %d.%d is needed", number,
                      properties.name, properties.major, properties.minor, LEAST / 10, LEAST % 10);
    memset(card, 0, sizeof *card);
    card->number = number;
    snprintf(card->name, sizeof card->name, "%s", properties.name);
    pthread_mutex_init(&card->lock, NULL);
    card->most_shared = properties.sharedMemPerBlockOptin;
    card->has_clusters = properties.major >= 9;
    int has_pool = 0;
    if (cudaDeviceGetAttribute(&has_pool, cudaDevAttrMemoryPoolsSupported, number) == cudaSuccess && has_pool &&
        cudaDeviceGetDefaultMemPool(&card->pool, number) == cudaSuccess) {
        uint64_t all = UINT64_MAX; /* what is freed stays with this process, for the next run */
        if (cudaMemPoolSetAttribute(card->pool, cudaMemPoolAttrReleaseThreshold, &all) != cudaSuccess)
            card->pool = NULL;
    }
    (void)cudaGetLastError();
    gpri_device *device = &card->device;
    device->name = "cuda";
    device->ops = &gpri_cuda_ops;
    device->tile = 0;
    device->lag = 16;
    device->lanes = GPRI_MOST_LANES;
    device->state = card;
    device->alloc = gpri_cuda_alloc;
    device->free = gpri_cuda_free;
    device->put = gpri_cuda_put;
    device->get = gpri_cuda_get;
    device->check = check;
    device->room = gpri_cuda_free_bytes;
    device->fetch = gpri_cuda_fetch;
    device->share = gpri_cuda_share;
    device->unshare = gpri_cuda_unshare;
    device->begin = gpri_cuda_begin;
    device->end = gpri_cuda_end;
    device->replay = gpri_cuda_replay;
    device->forget = gpri_cuda_forget;
    device->plan_graph = gpri_cuda_plan_graph;
    device->unplan_graph = gpri_cuda_unplan_graph;
    return true;
}

extern "C" __attribute__((visibility("default"))) const gpri_device *
gpri_cuda_open(const gpri_cuda_host *host, int card, char *message, size_t size);
const gpri_device *gpri_cuda_open(const gpri_cuda_host *host, int card, char *message, size_t size) {
    const int number = card < 0 ? 0 : card;
    const gpri_device *found = NULL;
    pthread_mutex_lock(&opening);
    if (same_stamp(host, message, size) && find_card(number, message, size)) {
        gpri_cuda_program = host;
        if (!opened[number]) opened[number] = open_card(&cards[number], number, message, size);
        if (opened[number]) found = &cards[number].device;
    }
    pthread_mutex_unlock(&opening);
    if (!found) return NULL;
    if (gpri_cuda_queue_of(&cards[number])) {
        snprintf(message, size, "card %d (%s)", number, cards[number].name);
        return found;
    }
    refuse(message, size, "%s", "the card has no room for a stream: is another program using all of it?");
    return NULL;
}
