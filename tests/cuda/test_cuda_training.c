/* The card's operations of training against ref: sums, losses and scores, Adam, metrics, and the judge of an epoch. */
#include "card.h"

/* Sums over blocks and chunks, in their order: the same bits. */
static void sums(void **state) {
    (void)state;
    enum { BLOCKS = 5, STRIDE = 40, SIZE = 37 };
    const double chunks[BLOCKS] = {1e30, 1, -1e30, 0.5, 3}; /* the order shows */
    for (int count = 1; count <= BLOCKS; count++) {
        buffer blocks = random_buffer(BLOCKS * STRIDE), sum = random_buffer(SIZE), total = random_buffer(1);
        buffer dots = buffer_of(chunks, sizeof chunks);
        ON_ALL(sum_blocks, F(sum), F(blocks), count, STRIDE, SIZE);
        agree_exactly("sum_blocks", &sum);
        ON_ALL(sum_dots, F(total), AS(double, dots), count);
        agree_exactly("sum_dots", &total);
        clear();
    }
}

static void adam(void **state) {
    (void)state;
    const int64_t counts[] = {1, 3, 16, 31, 64, 1000, 70001};
    gpri_record record = {.adam = {.rate = 0.01f,
                                   .beta1 = 0.9f,
                                   .beta2 = 0.999f,
                                   .new1 = 0.1f,
                                   .new2 = 0.001f,
                                   .epsilon = 1e-8f,
                                   .second_scale = 3.0f}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (int improved = 0; improved < 2; improved++) {
            const int64_t count = counts[i];
            float *squares = numbers(count);
            for (int64_t k = 0; k < count; k++) squares[k] *= squares[k];
            record.improved = improved;
            buffer w = random_buffer(count), m = random_buffer(count), v = taken(squares, count);
            buffer gradient = random_buffer(count), best = random_buffer(count);
            buffer r = buffer_of(&record, sizeof record);
            ON_ALL(adam, F(w), F(m), F(v), F(gradient), AS(gpri_record, r), 0.05f, 0.02f, count);
            agree("adam", &w);
            agree("adam, first moment", &m);
            agree("adam, second moment", &v);
            ON_ALL(keep_best, F(best), F(gradient), count, AS(gpri_record, r));
            agree_exactly("keep_best", &best);
            clear();
        }
}

/* Of the step judged last alone, and where the stride has a row. */
static void keep_gamma(void **state) {
    (void)state;
    enum { COUNT = 11, ROWS = 4 };
    const gpri_rule rule = {.gamma_stride = 4};
    for (uint32_t step = 0; step < 4 * ROWS; step++)
        for (int64_t judged = (int64_t)step - 1; judged <= (int64_t)step; judged++) {
            const gpri_record record = {.judged = judged};
            buffer gamma = random_buffer(COUNT), rows = random_buffer(ROWS * COUNT);
            buffer r = buffer_of(&record, sizeof record), s = buffer_of(&step, sizeof step);
            ON_ALL(keep_gamma, F(rows), F(gamma), COUNT, AS(uint32_t, s), AS(gpri_record, r), &rule);
            agree_exactly("keep_gamma", &rows);
            clear();
        }
}

static void agree_scores(const char *what, const buffer *b) {
    const gpri_scores *want = b->at[0];
    void *one, *two;
    fetch(b, &one, &two);
    same_bits(what, one, two, b->bytes);
    const gpri_scores *got = one;
    for (int k = 0; k < 4; k++) {
        same_number(what, "cuda", got->loss[k], want->loss[k]);
        assert_int_equal(got->correct[k], want->correct[k]);
    }
    free(one), free(two);
}

/* Far apart (underflow), with nodes of all parts, weights, and labels that are shown. */
static void losses(void **state) {
    (void)state;
    const int64_t classes[] = {2, 3, 7, 8, 10, 47, 1500};
    for (int i = 0; i < 7; i++)
        for (int kind = 0; kind < 4; kind++) {
            const bool hides = kind & 1, weighted = kind & 2;
            const int64_t width = gpri_padded(classes[i]), ld = 2 * width, rows = i == 6 ? 5 : i == 2 ? 3000 : 133;
            int32_t *label = calloc((size_t)rows, sizeof *label), *show = calloc((size_t)rows, sizeof *show);
            uint8_t *split = calloc((size_t)rows, 1);
            float *scores = numbers(rows * ld), *weights = numbers(rows), more = 1.5f;
            for (int64_t r = 0; r < rows; r++) {
                show[r] = r % 5 == 1 ? 0 : -1;
                split[r] = (uint8_t)(r % 4);
                label[r] = r % 4 == 0 ? -1 : (int32_t)(r % classes[i]);
                weights[r] = (float)(r % 7) / 3;
                for (int64_t c = 0; c < classes[i]; c++) scores[r * ld + c] *= r % 3 ? 5.0f : 200.0f;
            }
            buffer labels = buffer_of(label, rows * 4), part = buffer_of(split, rows),
                   shown = buffer_of(show, rows * 4);
            buffer z = taken(scores, rows * ld), factor = taken(weights, rows), scale = buffer_of(&more, sizeof more);
            buffer loss = buffer_of(&(double){5}, sizeof(double));
            buffer found = buffer_of(&(gpri_scores){.loss = {9}}, sizeof(gpri_scores));
            free(label), free(show), free(split);
            gpri_targets targets[WORLDS];
            for (world = 0; world < WORLDS; world++)
                targets[world] = (gpri_targets){.labels = AS(int32_t, labels),
                                                .part = AS(uint8_t, part),
                                                .weight = 0.25f,
                                                .factor = weighted ? F(factor) : NULL,
                                                .shown = hides ? AS(int32_t, shown) : NULL,
                                                .scale = hides ? F(scale) : NULL};
#define SOME ((gpri_matrix){F(z) + 2 * ld, rows - 2, classes[i], width, ld})
            ON_ALL(score, AS(gpri_scores, found), SOME, &targets[world], 2);
            agree_scores("score", &found);
            ON_ALL(nll_backward, SOME, AS(double, loss), &targets[world], 2);
            agree_doubles("nll_backward, loss", &loss);
            agree("nll_backward", &z);
#undef SOME
            clear();
        }
}

static void agree_record(const char *what, const buffer *b) {
    const gpri_record *want = b->at[0];
    void *one, *two;
    fetch(b, &one, &two);
    same_bits(what, one, two, b->bytes);
    const gpri_record *got = one;
    assert_int_equal(got->judged, want->judged);
    assert_int_equal(got->best_step, want->best_step);
    assert_int_equal(got->improved, want->improved);
    assert_int_equal(got->stopped, want->stopped);
    if (isnan(want->metric) != isnan(got->metric)) fail_msg("%s: metric %g, ref %g", what, got->metric, want->metric);
    if (!isnan(want->metric)) same_number(what, "cuda", got->metric, want->metric);
    assert_float_equal(got->adam.rate, want->adam.rate, 1e-6f * want->adam.rate);
    assert_float_equal(got->adam.second_scale, want->adam.second_scale, 1e-6f * want->adam.second_scale);
    free(one), free(two);
}

/* Every metric, of nodes with ties and without. */
static void metrics(void **state) {
    (void)state;
    enum { ROWS = 700 };
    for (int classes = 2; classes < 5; classes++)
        for (int ties = 0; ties < 2; ties++)
            for (int m = GPRI_ACCURACY; m <= GPRI_AVERAGE_PRECISION; m++) {
                if (!gpri_measure_each_step((gpri_measure)m) || !gpri_measure_suits((gpri_measure)m, false)) continue;
                int32_t label[ROWS];
                int64_t node[ROWS / 2], count[3 * 5] = {0};
                uint64_t key[ROWS] = {0};
                float *scores = numbers(ROWS * 8);
                for (int r = 0; r < ROWS; r++) label[r] = r % classes;
                for (int r = 0; r < ROWS / 2; r++) node[r] = 2 * r + 1;
                for (int k = 0; ties && k < ROWS * 8; k++) scores[k] = (float)(int)(4 * scores[k]);
                buffer z = taken(scores, ROWS * 8), labels = buffer_of(label, sizeof label);
                buffer nodes = buffer_of(node, sizeof node), keys = buffer_of(key, sizeof key);
                buffer counts = buffer_of(count, sizeof count);
                buffer r = buffer_of(&(gpri_record){.metric = -1}, sizeof(gpri_record));
                gpri_targets targets[WORLDS];
                gpri_metric_plan plan[WORLDS];
                for (world = 0; world < WORLDS; world++) {
                    targets[world] = (gpri_targets){.labels = AS(int32_t, labels)};
                    plan[world] = (gpri_metric_plan){
                        .metric = (gpri_measure)m,
                        .nodes = AS(int64_t, nodes),
                        .count = ROWS / 2,
                        .positive = 1,
                        .keys = gpri_metric_keys((gpri_measure)m, ROWS / 2) ? AS(uint64_t, keys) : NULL,
                        .counts = AS(int64_t, counts)};
                }
                ON_ALL(metric, AS(gpri_record, r), ((gpri_matrix){F(z), ROWS, classes, 8, 8}), &targets[world],
                       &plan[world], 0);
                agree_record("metric", &r);
                clear();
            }
}

/* A whole training that is judged step by step, until the rule says stop. */
static void judge(void **state) {
    (void)state;
    enum { EPOCHS = 60, CHUNKS = 3 };
    for (int stopping = GPRI_STOP_PROGRAM; stopping <= GPRI_STOP_NEVER; stopping++)
        for (int by_loss = 0; by_loss < 2; by_loss++) {
            const gpri_measure metric = by_loss ? GPRI_LOG_LOSS : GPRI_ACCURACY;
            gpri_rule rule = {.stopping = (gpri_stopping)stopping,
                              .metric = metric,
                              .patience = 5,
                              .epochs = EPOCHS,
                              .part_count = {0, 30, 20, 10},
                              .gamma_stride = 1,
                              .lr = 0.01};
            gpri_record start = gpri_record_start(&rule);
            const uint32_t none = 0;
            static const gpri_epoch blank[EPOCHS + 1];
            buffer r = buffer_of(&start, sizeof start), step = buffer_of(&none, sizeof none);
            buffer history = buffer_of(blank, sizeof blank);
            for (int epoch = 0; epoch <= EPOCHS; epoch++) {
                gpri_scores scores[CHUNKS];
                for (int c = 0; c < CHUNKS; c++)
                    for (int k = 0; k < 4; k++) {
                        scores[c].loss[k] = 10 + fabs(epoch - 25.0) / 3 + (double)draw();
                        scores[c].correct[k] = c + k + epoch % 3;
                    }
                buffer all = buffer_of(scores, sizeof scores);
                ON_ALL(judge, AS(gpri_record, r), AS(gpri_epoch, history), AS(gpri_scores, all), CHUNKS,
                       AS(uint32_t, step), &rule);
                agree_record("judge", &r);
                if (epoch < EPOCHS) ON_ALL(advance, AS(gpri_record, r), AS(uint32_t, step), &rule);
                agree_record("advance", &r);
                agree_exactly("advance, step", &step);
                buffer_count--; /* the scores: the first ones are kept for all epochs */
                free(all.at[0]);
                for (int w = 1; w < WORLDS; w++) card->job.device->free(card->job.device, card, all.at[w]);
            }
            void *one, *two;
            fetch(&history, &one, &two);
            same_bits("history", one, two, history.bytes);
            for (int64_t k = 0; k < history.bytes / (int64_t)sizeof(double); k++) {
                const double got = ((double *)one)[k], want = ((double *)history.at[0])[k];
                if (isnan(got) != isnan(want) || fabs(got - want) > 1e-12 * fabs(want))
                    fail_msg("history, number %d: %.17g, ref %.17g", (int)k, got, want);
            }
            free(one), free(two);
            clear();
        }
}

int main(void) {
    stream = gpri_random_of(11, GPRI_RANDOM_TEST, 0, 0);
    card = card_open();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(sums, cleared),       cmocka_unit_test_teardown(adam, cleared),
        cmocka_unit_test_teardown(keep_gamma, cleared), cmocka_unit_test_teardown(losses, cleared),
        cmocka_unit_test_teardown(metrics, cleared),    cmocka_unit_test_teardown(judge, cleared)};
    int failed = cmocka_run_group_tests_name("cuda_training", tests, NULL, NULL);
    gpr_ctx_free(card);
    return failed;
}
