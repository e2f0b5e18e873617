/* How a mutator of a format is called by libFuzzer. One input in four is left to libFuzzer's own mutations, which know
 * no format and damage checksums too. */
#ifndef FUZZ_MUTATE_H
#define FUZZ_MUTATE_H

#include "blob.h"
#include "random.h"

size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t most);

/* Changes `b` in one way, which `c` chooses. how: what the format needs to know, such as its words. */
typedef void (*mutation)(blob *b, chance *c, const void *how);

/* libFuzzer's own mutations of a part of an input. */
static inline void mutate_bytes(blob *b, chance *c) {
    const size_t room = b->size + 1 + below(c, 16);
    blob_reserve(b, room);
    b->size = LLVMFuzzerMutate(b->bytes, b->size, room);
}

static inline size_t mutate_input(uint8_t *bytes, size_t size, size_t most, unsigned seed, mutation change,
                                  const void *how) {
    chance c = {seed};
    if (one_in(&c, 4)) return LLVMFuzzerMutate(bytes, size, most);
    blob b = blob_copy(bytes, size);
    for (size_t times = 1 + below(&c, 3); times > 0; times--) change(&b, &c, how);
    const size_t made = b.size;
    const int usable = made > 0 && made <= most && (made != size || memcmp(b.bytes, bytes, size) != 0);
    if (usable) memcpy(bytes, b.bytes, made);
    blob_free(&b);
    return usable ? made : LLVMFuzzerMutate(bytes, size, most);
}

/* Takes a part of `other` into `b`. */
typedef void (*crossing)(blob *b, const blob *other, chance *c, const void *how);

/* 0: nothing usable came out; libFuzzer then goes on with another mutation. */
static inline size_t cross_inputs(const uint8_t *bytes, size_t size, const uint8_t *others, size_t other_size,
                                  uint8_t *out, size_t most, unsigned seed, crossing cross, const void *how) {
    chance c = {seed};
    blob b = blob_copy(bytes, size), other = blob_copy(others, other_size);
    cross(&b, &other, &c, how);
    const size_t made = b.size <= most ? b.size : 0;
    if (made) memcpy(out, b.bytes, made);
    blob_free(&b);
    blob_free(&other);
    return made;
}

#define FUZZ_CROSSING(cross, how)                                                                              \
    size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t size, const uint8_t *other, size_t other_size, \
                                     uint8_t *out, size_t most, unsigned seed) {                               \
        return cross_inputs(one, size, other, other_size, out, most, seed, cross, how);                        \
    }

/* The mutator of a target. */
#define FUZZ_MUTATOR(change, how)                                                             \
    size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed) { \
        return mutate_input(bytes, size, most, seed, change, how);                            \
    }

#endif
