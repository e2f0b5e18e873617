/* base/random.h: Philox against published values, streams that do not overlap, the distributions. */
#include <math.h>

#include "base/random.h"
#include "support.h"

/* The known answers that Random123 publishes for philox4x32-10. */
static void known_answers(void **state) {
    static const struct {
        uint32_t counter[4], key[2], answer[4];
    } rows[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gpri_random stream = {(uint64_t)rows[i].key[1] << 32 | rows[i].key[0], rows[i].counter[2], rows[i].counter[3]};
        uint64_t index = (uint64_t)rows[i].counter[1] << 32 | rows[i].counter[0];
        philox4x32_ctr_t block = gpri_random_block(stream, index);
        for (int j = 0; j < 4; j++) assert_int_equal(block.v[j], rows[i].answer[j]);
    }
}

/* Every part of the address matters: no two streams of the library share a block. */
static void streams_differ(void **state) {
    (void)state;
    const gpri_random streams[] = {
        gpri_random_of(1, GPRI_RANDOM_TEST, 0, 0),
        gpri_random_of(2, GPRI_RANDOM_TEST, 0, 0),
        gpri_random_of(1 + (UINT64_C(1) << 32), GPRI_RANDOM_TEST, 0, 0),
        gpri_random_of(1, GPRI_RANDOM_DROPOUT, 0, 0),
        gpri_random_of(1, GPRI_RANDOM_TEST, 1, 0),
        gpri_random_of(1, GPRI_RANDOM_TEST, 0, 1),
    };
    int count = (int)(sizeof streams / sizeof *streams);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++) {
            philox4x32_ctr_t a = gpri_random_block(streams[i], 7), b = gpri_random_block(streams[j], 7);
            assert_memory_not_equal(&a, &b, sizeof a);
        }
    philox4x32_ctr_t low = gpri_random_block(streams[0], 7);
    philox4x32_ctr_t high = gpri_random_block(streams[0], 7 + (UINT64_C(1) << 32));
    assert_memory_not_equal(&low, &high, sizeof low);
    philox4x32_ctr_t again = gpri_random_block(gpri_random_of(1, GPRI_RANDOM_TEST, 0, 0), 7);
    assert_memory_equal(&low, &again, sizeof low);
}

/* mean, and the second to fourth moments about `centre`, of `count` values */
typedef struct {
    double mean, second, third, fourth;
} moments;

static moments moments_of(const double *values, int64_t count, double centre) {
    moments m = {0, 0, 0, 0};
    for (int64_t i = 0; i < count; i++) {
        double d = values[i] - centre;
        m.mean += values[i] / (double)count;
        m.second += d * d / (double)count;
        m.third += d * d * d / (double)count;
        m.fourth += d * d * d * d / (double)count;
    }
    return m;
}

enum { DRAWS = 1 << 20 }; /* the bounds below are five standard errors */
static double drawn[DRAWS];

static void assert_near(double value, double expected, double bound) {
    if (!(fabs(value - expected) <= bound)) fail_msg("%.6g is not within %.2g of %.6g", value, bound, expected);
}

static void uniform_moments(void **state) {
    (void)state;
    gpri_random stream = gpri_random_of(42, GPRI_RANDOM_TEST, 3, 0);
    double product = 0;
    for (int i = 0; i < DRAWS; i++) {
        drawn[i] = gpri_uniform(stream, (uint64_t)i);
        assert_true(drawn[i] >= 0 && drawn[i] < 1);
        if (i) product += (drawn[i] - 0.5) * (drawn[i - 1] - 0.5) / DRAWS;
    }
    moments m = moments_of(drawn, DRAWS, 0.5);
    double root = sqrt(DRAWS);
    assert_near(m.mean, 0.5, 5 * sqrt(1 / 12.) / root);
    assert_near(m.second, 1 / 12., 5 * sqrt(1 / 180.) / root);
    assert_near(m.third, 0, 5 * sqrt(1 / 448.) / root);
    assert_near(product, 0, 5 * (1 / 12.) / root); /* consecutive numbers are independent */
}

static void uniform_extremes(void **state) {
    (void)state;
    philox4x32_ctr_t ones = {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}}, zeros = {{0, 0, 0, 0}};
    for (int number = 0; number < 2; number++) {
        assert_true(gpri_block_uniform(ones, number) < 1);
        assert_true(gpri_block_uniform(ones, number) > 1 - 1e-15);
        assert_true(gpri_block_uniform(zeros, number) == 0);
    }
}

static void normal_moments(void **state) {
    (void)state;
    gpri_random stream = gpri_random_of(7, GPRI_RANDOM_TEST, 0, 9);
    double product = 0;
    for (int i = 0; i < DRAWS / 2; i++) {
        gpri_normal_pair(stream, (uint64_t)i, &drawn[2 * i], &drawn[2 * i + 1]);
        assert_true(isfinite(drawn[2 * i]) && isfinite(drawn[2 * i + 1]));
        product += drawn[2 * i] * drawn[2 * i + 1] / (DRAWS / 2);
    }
    moments m = moments_of(drawn, DRAWS, 0);
    double root = sqrt(DRAWS);
    assert_near(m.mean, 0, 5 / root);
    assert_near(m.second, 1, 5 * sqrt(2) / root);
    assert_near(m.third, 0, 5 * sqrt(15) / root);
    assert_near(m.fourth, 3, 5 * sqrt(96) / root);
    assert_near(product, 0, 5 * sqrt(2) / root);
    int64_t tail = 0;
    for (int i = 0; i < DRAWS; i++) tail += fabs(drawn[i]) > 3;
    assert_near((double)tail / DRAWS, 0.0026998, 5 * sqrt(0.0027) / root);
}

static void below_is_even(void **state) {
    (void)state;
    enum { BOUND = 10 };
    gpri_random stream = gpri_random_of(3, GPRI_RANDOM_TEST, 0, 0);
    double counts[BOUND] = {0}, square = 0, expected = (double)DRAWS / BOUND;
    for (int i = 0; i < DRAWS; i++) {
        uint64_t value = gpri_uniform_below(stream, (uint64_t)i, BOUND);
        assert_true(value < BOUND);
        counts[value]++;
    }
    for (int i = 0; i < BOUND; i++) square += (counts[i] - expected) * (counts[i] - expected) / expected;
    assert_true(square < 33.7); /* chi-square, 9 degrees of freedom, p = 1e-4 */
}

/* The definition, in wider numbers: the high half of a product of 64 bits with 64. */
static void below_is_exact(void **state) {
    (void)state;
    __extension__ typedef unsigned __int128 wide;
    const uint64_t bounds[] = {1, 2, 3, 1000003, 0xffffffff, UINT64_C(1) << 32, (UINT64_C(1) << 32) + 1, UINT64_MAX};
    gpri_random stream = gpri_random_of(UINT64_MAX, GPRI_RANDOM_TEST, UINT32_MAX, 0xffff);
    for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++)
        for (uint64_t i = 0; i < 10000; i++) {
            philox4x32_ctr_t block = gpri_random_block(stream, i >> 1);
            uint64_t bits = (uint64_t)block.v[2 * (i & 1)] << 32 | block.v[2 * (i & 1) + 1];
            uint64_t value = gpri_uniform_below(stream, i, bounds[b]);
            assert_true(value == (uint64_t)((wide)bits * bounds[b] >> 64));
            assert_true(value < bounds[b]);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),    cmocka_unit_test(streams_differ), cmocka_unit_test(uniform_moments),
        cmocka_unit_test(uniform_extremes), cmocka_unit_test(normal_moments), cmocka_unit_test(below_is_even),
        cmocka_unit_test(below_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
