/* The metrics other than the loss, on the card: tensor/metric.h has their meaning, tensor/metric.c the plain form.
 *
 * One block does it all. Counts are integers, so their order means nothing; the area under the curve is one too, but
 * for its last division. Validation nodes are sorted by digits, 8 bits at a time. */
#include "tensor/cuda/base/launch.cuh"
#include "tensor/cuda/base/ops.cuh"
#include "tensor/cuda/base/reduce.cuh"

namespace {

enum { THREADS = 256, WARPS = THREADS / GPRI_CUDA_WARP, DIGITS = 256, BITS = 8 };

typedef unsigned long long counter;

/* ---- the order of keys ---- */

/* A key: 32 bits that sort as the score does, then one bit: the node is of the class. */
__device__ uint64_t key_of(double score, bool positive) {
    uint32_t bits = __float_as_uint((float)score + 0.0f); /* -0 becomes 0 */
    bits = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
    return (uint64_t)bits << 1 | (positive ? 1 : 0);
}

struct sort_room {
    int64_t place[DIGITS];     /* where the next key with this digit goes */
    int64_t of[WARPS][DIGITS]; /* of a warp's keys: how many, then where the first goes */
};

/* Where the keys of each digit begin. */
__device__ void count_digits(sort_room *room, const uint64_t *from, int64_t count, int shift) {
    room->place[threadIdx.x] = 0;
    __syncthreads();
    for (int64_t i = threadIdx.x; i < count; i += THREADS)
        atomicAdd((counter *)&room->place[from[i] >> shift & (DIGITS - 1)], 1ull);
    __syncthreads();
    if (threadIdx.x == 0)
        for (int64_t digit = 0, sum = 0, own; digit < DIGITS; digit++, sum += own) {
            own = room->place[digit];
            room->place[digit] = sum;
        }
    __syncthreads();
}

/* One pass over all keys, THREADS at a time; keys with the same digit keep their order. */
__device__ void sort_pass(sort_room *room, uint64_t *to, const uint64_t *from, int64_t count, int shift) {
    const int warp = (int)threadIdx.x / GPRI_CUDA_WARP, lane = (int)threadIdx.x % GPRI_CUDA_WARP;
    count_digits(room, from, count, shift);
    for (int64_t first = 0; first < count; first += THREADS) {
        for (int w = 0; w < WARPS; w++) room->of[w][threadIdx.x] = 0;
        __syncthreads();
        const bool there = first + threadIdx.x < count;
        const uint64_t key = there ? from[first + threadIdx.x] : 0;
        const int digit = there ? (int)(key >> shift & (DIGITS - 1)) : DIGITS;
        const unsigned same = __match_any_sync(0xffffffffu, digit), before = same & ((1u << lane) - 1);
        if (there && before == 0) room->of[warp][digit] = __popc(same);
        __syncthreads();
        int64_t next = room->place[threadIdx.x];
        for (int w = 0; w < WARPS; w++) {
            const int64_t own = room->of[w][threadIdx.x];
            room->of[w][threadIdx.x] = next;
            next += own;
        }
        room->place[threadIdx.x] = next;
        __syncthreads();
        if (there) to[room->of[warp][digit] + __popc(before)] = key;
        __syncthreads();
    }
}

/* keys (2 x count): sorted by their 32 bits in the first half, ascending; the second half is free again. */
__device__ void sort_keys(sort_room *room, uint64_t *keys, int64_t count) {
    for (int pass = 0; pass < 4; pass++) /* an even number of passes: the outcome is where it began */
        sort_pass(room, pass % 2 ? keys : keys + count, pass % 2 ? keys + count : keys, count, 1 + BITS * pass);
}

/* ---- curves ---- */

/* before[i]: how many of the keys [0, i) are of the class. One warp after the other has 32 keys at a time. */
__device__ void count_before(uint64_t *before, const uint64_t *keys, int64_t count) {
    __shared__ int of_warp[WARPS];
    const int warp = (int)threadIdx.x / GPRI_CUDA_WARP, lane = (int)threadIdx.x % GPRI_CUDA_WARP;
    int64_t sum = 0;
    for (int64_t first = 0; first < count; first += THREADS) {
        const int64_t i = first + threadIdx.x;
        const unsigned hits = __ballot_sync(0xffffffffu, i < count && (keys[i] & 1));
        if (lane == 0) of_warp[warp] = __popc(hits);
        __syncthreads();
        int64_t own = sum;
        for (int w = 0; w < WARPS; w++) {
            if (w < warp) own += of_warp[w];
            sum += of_warp[w];
        }
        if (i < count) before[i] = (uint64_t)(own + __popc(hits & ((1u << lane) - 1)));
        __syncthreads();
    }
}

/* The first of the keys with the score of key `at`. */
__device__ int64_t first_of_score(const uint64_t *keys, int64_t at) {
    int64_t low = 0, high = at;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (keys[middle] >> 1 < keys[at] >> 1) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* From sorted keys: one threshold for each score that occurs. Thread 0 gets the value. */
__device__ double of_order(uint64_t *keys, int64_t count, int64_t positives, bool precision) {
    uint64_t *before = keys + count;
    double sum = 0;
    int64_t twice = 0; /* twice the area, counted in pairs */
    count_before(before, keys, count);
    __syncthreads();
    for (int64_t i = threadIdx.x; i < count; i += THREADS) {
        if (i + 1 < count && keys[i + 1] >> 1 == keys[i] >> 1) continue; /* the last key of each score speaks for all */
        const int64_t begin = first_of_score(keys, i), size = i + 1 - begin;
        const int64_t hits = (int64_t)(before[i] + (keys[i] & 1) - before[begin]);
        const int64_t found = positives - (int64_t)before[begin] - hits, seen = count - (i + 1);
        if (precision) sum += (double)hits * (double)(found + hits) / (double)(seen + size);
        else twice += (size - hits) * (2 * found + hits);
    }
    if (precision) return gpri_block_sum(sum) / (double)positives;
    return (double)gpri_block_sum((long long)twice) / 2 / ((double)positives * (double)(count - positives));
}

/* ---- the metric ---- */

struct metric_of {
    gpri_record *record;
    gpri_matrix z;
    const int32_t *labels;
    gpri_metric_plan plan;
    int64_t first;

    __device__ const float *row_of(int64_t node) const { return z.at + (node - first) * z.ld; }

    __device__ void clear_counts() const {
        for (int64_t c = threadIdx.x; c < 3 * z.cols; c += THREADS) plan.counts[c] = 0;
        __syncthreads();
    }

    /* By the predicted class. counts: nodes, predictions and hits of each class. */
    __device__ double of_classes() const {
        counter *nodes = (counter *)plan.counts, *predicted = nodes + z.cols, *right = predicted + z.cols;
        int hits = 0, bad = 0;
        clear_counts();
        for (int64_t i = threadIdx.x; i < plan.count; i += THREADS) {
            const int64_t node = plan.nodes[i];
            const float *row = row_of(node);
            int64_t best = 0;
            for (int64_t c = 0; c < z.cols; c++) {
                bad |= row[c] != row[c];
                if (row[c] > row[best]) best = c;
            }
            atomicAdd(&nodes[labels[node]], 1ull);
            atomicAdd(&predicted[best], 1ull);
            if (best != labels[node]) continue;
            atomicAdd(&right[best], 1ull);
            hits++;
        }
        bad = gpri_block_sum(bad);
        hits = gpri_block_sum(hits);
        __threadfence_block();
        __syncthreads();
        if (threadIdx.x != 0) return 0;
        if (bad) return (double)NAN;
        if (plan.metric == GPRI_ACCURACY) return (double)hits / (double)plan.count;
        const bool balanced = plan.metric == GPRI_BALANCED_ACCURACY;
        double sum = 0;
        int64_t present = 0;
        for (int64_t c = 0; c < z.cols; c++) {
            const double of_class = (double)__ldcg(&nodes[c]), guesses = (double)__ldcg(&predicted[c]);
            if (of_class == 0 && (balanced || guesses == 0)) continue;
            const double found = (double)__ldcg(&right[c]);
            sum += balanced ? found / of_class : 2 * found / (of_class + guesses);
            present++;
        }
        return sum / (double)present;
    }

    /* One class against the rest. */
    __device__ double of_class(sort_room *room, int64_t class_id) const {
        int positives = 0, bad = 0;
        for (int64_t i = threadIdx.x; i < plan.count; i += THREADS) {
            const int64_t node = plan.nodes[i];
            const double score = gpri_evidence_of(row_of(node), z.cols, class_id);
            const bool positive = labels[node] == class_id;
            bad |= score != score;
            positives += positive;
            plan.keys[i] = key_of(score, positive);
        }
        __shared__ int all, any;
        positives = gpri_block_sum(positives);
        bad = gpri_block_sum(bad);
        if (threadIdx.x == 0) {
            all = positives;
            any = bad;
        }
        __syncthreads();
        if (any) return (double)NAN;
        sort_keys(room, plan.keys, plan.count);
        return of_order(plan.keys, plan.count, all, plan.metric == GPRI_AVERAGE_PRECISION);
    }

    /* By the order of the scores. */
    __device__ double of_scores() const {
        __shared__ sort_room room;
        counter *nodes = (counter *)plan.counts;
        int64_t present = 0;
        double sum = 0;
        clear_counts();
        for (int64_t i = threadIdx.x; i < plan.count; i += THREADS) atomicAdd(&nodes[labels[plan.nodes[i]]], 1ull);
        __threadfence_block();
        __syncthreads();
        for (int64_t c = 0; c < z.cols; c++) {
            const int64_t own = (int64_t)__ldcg(&nodes[c]);
            if (own == 0 || own == plan.count || (z.cols == 2 && c != plan.positive)) continue;
            sum += of_class(&room, c);
            present++;
            __syncthreads();
        }
        return present ? sum / (double)present : (double)NAN;
    }

    __device__ void run() const {
        const double value = plan.count == 0 ? (double)NAN : plan.keys ? of_scores() : of_classes();
        if (threadIdx.x == 0) record->metric = value;
    }
};

} // namespace

void gpri_cuda_metric(gpri_record *record, gpri_matrix z, const gpri_targets *targets, const gpri_metric_plan *plan,
                      int64_t first) {
    launch(metric_of{record, z, targets->labels, *plan, first}, dim3(1), THREADS);
}
