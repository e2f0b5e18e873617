/* Random choices of a mutator. All of them follow from the seed that the fuzzer gives. */
#ifndef FUZZ_RANDOM_H
#define FUZZ_RANDOM_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t state;
} chance;

/* splitmix64 */
static inline uint64_t draw(chance *c) {
    uint64_t z = c->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* 0 .. count - 1; 0 where count is 0. */
static inline size_t below(chance *c, size_t count) { return count ? (size_t)(draw(c) % count) : 0; }
static inline bool one_in(chance *c, size_t count) { return below(c, count) == 0; }

/* Small numbers, and those where a check may be wrong. */
static inline int64_t draw_integer(chance *c) {
    static const int64_t edges[] = {INT8_MAX,  INT16_MAX, INT32_MAX, UINT32_MAX, INT64_MAX, INT32_MIN,
                                    INT64_MIN, 1 << 20,   1 << 24,   1ll << 40,  1ll << 62, 4096};
    const int64_t small = (int64_t)below(c, 12) - 2;
    switch (below(c, 8)) {
    case 0: return edges[below(c, sizeof edges / sizeof *edges)];
    case 1: return edges[below(c, 4)] - 1;
    case 2: return (int64_t)(draw(c) >> below(c, 64));
    case 3: return 1ll << below(c, 63);
    default: return small;
    }
}

static inline double draw_real(chance *c) {
    static const double edges[] = {0,     -0.0,  1,      -1,     0.5,      1e-45, 1e-38, 3.4028234e38, 3.5e38,
                                   -3e38, 1e308, 1e-308, 1e-320, 16777217, 1e19,  0.1,   -1e-3,        1e10};
    switch (below(c, 6)) {
    case 0: return edges[below(c, sizeof edges / sizeof *edges)];
    case 1: return one_in(c, 3) ? NAN : one_in(c, 2) ? INFINITY : -INFINITY;
    case 2: return (double)draw_integer(c);
    default: return (double)(int64_t)draw(c) / 0x1p63 * 4;
    }
}

#endif
