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

void gpri_cuda_submit(const gpri_cuda_launch *launch) {
    enum { USUAL = 48 << 10 }; /* bytes of shared memory that a kernel gets without asking */
    gpri_cuda_queue *queue = current;
    if (!queue || queue->failed != GPR_OK) return;
    const void *const kernels[] = {launch->kernel, launch->kernel_of_many};
    for (int i = 0; launch->shared > USUAL && i < 2; i++)
        if (!gpri_cuda_note(
                queue,
                cudaFuncSetAttribute(kernels[i], cudaFuncAttributeMaxDynamicSharedMemorySize, (int)launch->shared),
                launch->name))
            return;
    if (queue->making) {
        if (!gpri_cuda_record(queue->making, launch)) gpri_cuda_note(queue, cudaErrorMemoryAllocation, "recording");
        return;
    }
    void *arguments[] = {(void *)launch->arguments};
    gpri_cuda_note(
        queue,
        cudaLaunchKernel(launch->kernel, launch->grid, dim3(launch->threads), arguments, launch->shared, queue->stream),
        launch->name);
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
