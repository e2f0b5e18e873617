/* The card's memory: blocks, copies between it and the host, arrays of the host that several nets share, and the
 * memory that operations compute in.
 *
 * Blocks come from the driver's pool: there freeing does not wait for the work of other queues. */
#include <stdlib.h>
#include <string.h>

#include "tensor/cuda/queue.cuh"

/* ---- blocks ---- */

/* What can be taken: free memory of the card, and what the pool holds and nobody uses. */
static size_t room_of(const gpri_cuda_card *card) {
    size_t room = 0, all;
    if (cudaMemGetInfo(&room, &all) != cudaSuccess) return 0;
    uint64_t held = 0, used = 0;
    if (card->pool && cudaMemPoolGetAttribute(card->pool, cudaMemPoolAttrReservedMemCurrent, &held) == cudaSuccess &&
        cudaMemPoolGetAttribute(card->pool, cudaMemPoolAttrUsedMemCurrent, &used) == cudaSuccess && held > used)
        room += (size_t)(held - used);
    return room;
}

int64_t gpri_cuda_free_bytes(const gpri_device *device) {
    return gpri_cuda_queue_of(gpri_cuda_card_of(device)) ? (int64_t)room_of(gpri_cuda_card_of(device)) : 0;
}

static gpr_status too_much(const gpri_cuda_queue *queue, size_t bytes, const char *what) {
    char needed[GPRI_SIZE_TEXT], there[GPRI_SIZE_TEXT];
    const gpri_cuda_card *card = queue->card;
    return gpri_cuda_program->fail(GPR_ERROR_MEMORY,
                                   "%s: needs %s, card %d (%s) has %s free: use a card with more memory, fewer runs at "
                                   "a time (`threads`), or `device` cpu",
                                   what, gpri_cuda_program->size_text(needed, (double)bytes), card->number, card->name,
                                   gpri_cuda_program->size_text(there, (double)room_of(card)));
}

gpr_status gpri_cuda_take(gpri_cuda_queue *queue, void **out, size_t bytes, const char *what) {
    const gpri_cuda_card *card = queue->card;
    *out = NULL;
    if (bytes == 0) bytes = 1;                  /* every block has an address of its own */
    cudaError_t error = card->pool ? cudaMallocAsync(out, bytes, queue->stream) : cudaMalloc(out, bytes);
    if (error == cudaErrorMemoryAllocation) {
        (void)cudaGetLastError(); /* not to be seen again by the next call */
        *out = NULL;
        return too_much(queue, bytes, what);
    }
    return gpri_cuda_note(queue, error, "memory") ? GPR_OK : gpri_cuda_report(queue);
}

void gpri_cuda_give(gpri_cuda_queue *queue, void *block) {
    if (!block) return;
    /* What other queues do with the block is over: a pass is done when its results have been read. */
    gpri_cuda_note(queue, queue->card->pool ? cudaFreeAsync(block, queue->stream) : cudaFree(block), "memory");
}

gpr_status gpri_cuda_alloc(const gpri_device *device, gpr_ctx *ctx, void *out, int64_t count, size_t size, bool zeroed,
                           const char *what) {
    (void)ctx;
    gpri_cuda_queue *queue = gpri_cuda_queue_of(gpri_cuda_card_of(device));
    void *block = NULL;
    gpr_status status = queue ? GPR_OK : GPR_ERROR_MEMORY;
    memcpy(out, &block, sizeof block);
    if (status == GPR_OK && (count < 0 || (size && (uint64_t)count > (uint64_t)INT64_MAX / size)))
        status = gpri_cuda_program->fail(GPR_ERROR_MEMORY, "%s: %lld times %zu bytes are too many", what,
                                         (long long)count, size);
    if (status != GPR_OK) return status;
    status = gpri_cuda_take(queue, &block, (size_t)count * size, what);
    if (status != GPR_OK) return status;
    /* A net is used by the thread that made it, so nothing waits here. */
    if (zeroed && !gpri_cuda_note(queue, cudaMemsetAsync(block, 0, (size_t)count * size, queue->stream), what)) {
        gpri_cuda_give(queue, block);
        return gpri_cuda_report(queue);
    }
    memcpy(out, &block, sizeof block);
    return GPR_OK;
}

void gpri_cuda_free(const gpri_device *device, gpr_ctx *ctx, void *block) {
    (void)ctx;
    gpri_cuda_queue *queue = block ? gpri_cuda_queue_of(gpri_cuda_card_of(device)) : NULL;
    if (queue) gpri_cuda_give(queue, block);
}

/* ---- copies ---- */

static void copy(const gpri_device *device, void *to, const void *from, int64_t bytes, cudaMemcpyKind kind,
                 const char *what) {
    gpri_cuda_queue *queue = gpri_cuda_queue_of(gpri_cuda_card_of(device));
    if (!queue || bytes <= 0 || queue->failed != GPR_OK) return;
    if (gpri_cuda_note(queue, cudaMemcpyAsync(to, from, (size_t)bytes, kind, queue->stream), what))
        gpri_cuda_note(queue, cudaStreamSynchronize(queue->stream), what);
}

void gpri_cuda_put(const gpri_device *device, void *to, const void *from, int64_t bytes) {
    copy(device, to, from, bytes, cudaMemcpyHostToDevice, "copy to the card");
}

/* After a failure the host gets zeros, never what its memory held before. */
void gpri_cuda_get(const gpri_device *device, void *to, const void *from, int64_t bytes) {
    copy(device, to, from, bytes, cudaMemcpyDeviceToHost, "copy from the card");
    const gpri_cuda_queue *queue = gpri_cuda_current();
    if (bytes > 0 && (!queue || queue->failed != GPR_OK)) memset(to, 0, (size_t)bytes);
}

/* ---- many small copies at once ---- */

struct gpri_cuda_fetched {
    void *to;
    size_t at, bytes;
};

enum { LANDING = 1 << 17, MOST_FETCHES = 4 * GPRI_MOST_LANES };

/* Host memory that the card writes to itself: a copy into any other memory waits until it is done. */
static bool has_landing(gpri_cuda_queue *queue) {
    if (queue->landing) return true;
    void *landing = NULL;
    if (!queue->fetched) queue->fetched = (gpri_cuda_fetched *)calloc(MOST_FETCHES, sizeof *queue->fetched);
    if (!queue->fetched || cudaHostAlloc(&landing, LANDING, cudaHostAllocDefault) != cudaSuccess) {
        (void)cudaGetLastError();
        return false;
    }
    queue->landing = (char *)landing;
    return true;
}

void gpri_cuda_fetch(const gpri_device *device, void *to, const void *from, int64_t bytes) {
    gpri_cuda_queue *queue = gpri_cuda_queue_of(gpri_cuda_card_of(device));
    const size_t size = bytes > 0 ? (size_t)bytes : 0, room = (size + 15) / 16 * 16;
    if (!queue || queue->failed != GPR_OK || queue->fetches == MOST_FETCHES || room > LANDING - queue->landed ||
        !has_landing(queue)) {
        gpri_cuda_get(device, to, from, bytes);
        return;
    }
    gpri_cuda_note(queue,
                   cudaMemcpyAsync(queue->landing + queue->landed, from, size, cudaMemcpyDeviceToHost, queue->stream),
                   "copy from the card");
    queue->fetched[queue->fetches++] = gpri_cuda_fetched{to, queue->landed, size};
    queue->landed += room;
}

void gpri_cuda_land(gpri_cuda_queue *queue) {
    for (int i = 0; i < queue->fetches; i++) {
        const gpri_cuda_fetched *f = &queue->fetched[i];
        if (queue->failed == GPR_OK) memcpy(f->to, queue->landing + f->at, f->bytes);
        else memset(f->to, 0, f->bytes);
    }
    queue->fetches = 0;
    queue->landed = 0;
}

/* ---- what nets share ---- */

struct gpri_cuda_shared {
    gpri_cuda_shared *next;
    const void *host;
    void *copy;
    int64_t bytes, users;
};

static gpr_status new_copy(gpri_cuda_queue *queue, gpri_cuda_shared **out, const void *host, int64_t bytes,
                           const char *what) {
    gpri_cuda_shared *entry = (gpri_cuda_shared *)calloc(1, sizeof *entry);
    if (!entry) return gpri_cuda_program->fail(GPR_ERROR_MEMORY, "%s: out of memory", what);
    gpr_status status = gpri_cuda_take(queue, &entry->copy, (size_t)bytes, what);
    if (status == GPR_OK && bytes > 0) {
        gpri_cuda_put(&queue->card->device, entry->copy, host, bytes);
        if (queue->failed != GPR_OK) {
            gpri_cuda_give(queue, entry->copy);
            status = gpri_cuda_report(queue);
        }
    }
    if (status != GPR_OK) {
        free(entry);
        return status;
    }
    entry->host = host;
    entry->bytes = bytes;
    *out = entry;
    return GPR_OK;
}

gpr_status gpri_cuda_share(const gpri_device *device, gpr_ctx *ctx, const void **out, const void *host, int64_t bytes,
                           const char *what) {
    (void)ctx;
    gpri_cuda_card *card = gpri_cuda_card_of(device);
    gpri_cuda_queue *queue = gpri_cuda_queue_of(card);
    gpr_status status = GPR_OK;
    *out = NULL;
    if (!queue) return GPR_ERROR_MEMORY;
    pthread_mutex_lock(&card->lock); /* held while copying: who comes second finds it whole */
    gpri_cuda_shared *entry = card->shared;
    while (entry && (entry->host != host || entry->bytes != bytes)) entry = entry->next;
    if (!entry) {
        status = new_copy(queue, &entry, host, bytes, what);
        if (status == GPR_OK) {
            entry->next = card->shared;
            card->shared = entry;
        }
    }
    if (status == GPR_OK) {
        entry->users++;
        *out = entry->copy;
    }
    pthread_mutex_unlock(&card->lock);
    return status;
}

void gpri_cuda_unshare(const gpri_device *device, gpr_ctx *ctx, const void *shared) {
    (void)ctx;
    gpri_cuda_card *card = gpri_cuda_card_of(device);
    gpri_cuda_queue *queue = gpri_cuda_queue_of(card);
    pthread_mutex_lock(&card->lock);
    for (gpri_cuda_shared **at = &card->shared, *entry; queue && (entry = *at); at = &entry->next) {
        if (entry->copy != shared) continue;
        if (--entry->users == 0) {
            *at = entry->next;
            gpri_cuda_give(queue, entry->copy);
            free(entry);
        }
        break;
    }
    pthread_mutex_unlock(&card->lock);
}

/* ---- memory to compute in ---- */

/* Blocks that have become too small, or are kept: recorded calls point to them. The list is the host's. */
typedef struct outgrown_block {
    struct outgrown_block *next;
    void *block;
} outgrown_block;

void gpri_cuda_leave_room(gpri_cuda_queue *queue, gpri_cuda_room *room) {
    for (outgrown_block *old = (outgrown_block *)room->outgrown, *next; old; old = next) {
        next = old->next;
        gpri_cuda_give(queue, old->block);
        free(old);
    }
    gpri_cuda_give(queue, room->scratch);
    gpri_cuda_give(queue, room->counters);
    *room = {};
}

void *gpri_cuda_scratch(size_t bytes) {
    const size_t least = (size_t)1 << 20, size = bytes < least ? least : bytes + bytes / 2;
    gpri_cuda_queue *queue = gpri_cuda_current();
    if (!queue) return NULL;
    gpri_cuda_room *room = queue->room;
    if (bytes <= room->size || queue->failed != GPR_OK) return room->scratch;
    outgrown_block *old = (outgrown_block *)malloc(sizeof *old);
    void *block = NULL;
    if (!old || gpri_cuda_take(queue, &block, size, "room to compute in") != GPR_OK) {
        free(old);
        gpri_cuda_note(queue, cudaErrorMemoryAllocation, "room to compute in");
        return room->scratch;
    }
    old->next = (outgrown_block *)room->outgrown;
    old->block = room->scratch;
    room->outgrown = old;
    room->scratch = (char *)block;
    room->size = size;
    return block;
}

void *gpri_cuda_keep(size_t bytes) {
    gpri_cuda_queue *queue = gpri_cuda_current();
    void *block = NULL;
    if (!queue || queue->failed != GPR_OK) return NULL;
    outgrown_block *kept = (outgrown_block *)malloc(sizeof *kept);
    if (!kept || gpri_cuda_take(queue, &block, bytes, "room to compute in") != GPR_OK) {
        free(kept);
        gpri_cuda_note(queue, cudaErrorMemoryAllocation, "room to compute in");
        return NULL;
    }
    kept->next = (outgrown_block *)queue->room->outgrown;
    kept->block = block;
    queue->room->outgrown = kept;
    return block;
}

unsigned *gpri_cuda_counters(void) {
    const size_t bytes = GPRI_CUDA_COUNTERS * sizeof(unsigned);
    gpri_cuda_queue *queue = gpri_cuda_current();
    void *block = NULL;
    if (!queue) return NULL;
    if (queue->room->counters || queue->failed != GPR_OK) return queue->room->counters;
    if (gpri_cuda_take(queue, &block, bytes, "room to compute in") != GPR_OK) {
        gpri_cuda_note(queue, cudaErrorMemoryAllocation, "room to compute in");
        return NULL;
    }
    gpri_cuda_note(queue, cudaMemsetAsync(block, 0, bytes, queue->stream), "room to compute in");
    return queue->room->counters = (unsigned *)block;
}
