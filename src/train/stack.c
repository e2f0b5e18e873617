/* Trains the networks of a stack one after the other, each on all threads of the run, so that the bits are the same for
 * any number of them; and keeps what is known of them as bytes, so that a training goes on inside a fold. */
#include "train/stack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "train/saved.h"
#include "train/state.h"

static int64_t nodes_of(const gpri_stacking *s) { return gpri_prepared_data(s->from)->graph.nodes; }
static int64_t classes_of(const gpri_stacking *s) { return gpri_target_scores(&s->from->data->target); }
static int64_t columns_of(const gpri_stacking *s) { return gpri_stack_columns(s->params, classes_of(s)); }

/* ---- folds ---- */

typedef struct {
    int32_t label;
    double key;
    int64_t node;
} drawn;

static int by_class(const void *a, const void *b) {
    const drawn *x = a, *y = b;
    if (x->label != y->label) return x->label < y->label ? -1 : 1;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

/* fold: (nodes) of the training nodes; -1: another node. */
static gpr_status draw_folds(const gpri_stacking *s, int8_t *fold) {
    const int64_t nodes = nodes_of(s);
    const int32_t *labels = gpri_prepared_data(s->from)->target.labels;
    const gpri_random random = gpri_random_of(s->seed, GPRI_RANDOM_FOLDS, 0, 0);
    drawn *all;
    int64_t count = 0;
    NEED(gpri_alloc(s->ctx, &all, nodes, sizeof *all, "folds"));
    for (int64_t i = 0; i < nodes; i++) {
        fold[i] = -1;
        if (s->split->part[i] == GPR_TRAIN) all[count++] = (drawn){labels[i], gpri_uniform(random, (uint64_t)i), i};
    }
    qsort(all, (size_t)count, sizeof *all, by_class);
    for (int64_t k = 0; k < count; k++) fold[all[k].node] = (int8_t)(k % GPRI_STACK_FOLDS);
    gpri_free(s->ctx, all);
    return GPR_OK;
}

/* The split of a network: without the nodes of its fold; the last one has all. *count: its training nodes. */
static gpr_status make_part(gpri_stacking *s, const int8_t *fold, int64_t *count) {
    const int64_t nodes = nodes_of(s);
    uint8_t *part;
    *count = 0;
    NEED(gpri_copy(s->ctx, &part, s->split->part, nodes, sizeof *part, "folds"));
    for (int64_t i = 0; i < nodes; i++) {
        if (fold[i] == s->done) part[i] = GPR_UNUSED;
        *count += part[i] == GPR_TRAIN;
    }
    gpr_status status =
        *count ? gpri_split_of_parts(s->ctx, &s->part, gpri_prepared_data(s->from), part, nodes, false) : GPR_OK;
    gpri_free(s->ctx, part);
    return status;
}

/* ---- one network ---- */

static void end_network(gpri_stacking *s) {
    gpri_trainer_free(s->trainer);
    gpr_split_free(s->part);
    gpr_params_free(s->own);
    gpri_run_free(s->ctx, &s->run);
    s->trainer = NULL;
    s->part = NULL;
    s->own = NULL;
}

static gpr_status own_options(gpri_stacking *s) {
    char epochs[32];
    NEED(gpri_stack_params(s->ctx, &s->own, s->params));
    snprintf(epochs, sizeof epochs, "%lld", (long long)s->best[s->done]);
    return s->refits ? gpri_params_set_from(s->own, GPRI_FROM_FLAG, "epochs", epochs) : GPR_OK;
}

static gpr_status begin_network(gpri_stacking *s) {
    const gpri_preparation *from = s->from;
    const gpr_state state = {.bytes = s->saved, .size = (size_t)s->saved_size, .name = "the state of a network"};
    gpri_saved saved = {.ctx = NULL};
    gpr_status status = GPR_OK;
    TRY(gpri_trainer_new(s->ctx, &s->trainer, gpri_prepared_data(from), &from->features, s->part, s->own, s->threads,
                         s->seed));
    if (!s->saved) goto done;
    s->saved = NULL;
    TRY(gpri_saved_open(s->ctx, &saved, &state, 1, s->own, GPRI_SAVED_RUN));
    if (saved.runs[0].kind != GPRI_RUN_STOPPED)
        THROW(GPR_ERROR_FORMAT, "the state of a network has nothing to go on with: it is damaged");
    TRY(gpri_saved_restore(&saved, s->trainer, &s->run));
done:
    gpri_saved_close(&saved);
    return status;
}

/* The scores of the finished network: of the nodes of its fold; of the last one of all nodes, twice but for those that
   have a score out of fold. */
static gpr_status take_scores(gpri_stacking *s, const int8_t *fold) {
    const int64_t nodes = nodes_of(s), classes = classes_of(s), columns = columns_of(s), ld = gpri_padded(classes);
    const bool last = s->done == GPRI_STACK_FOLDS;
    gpri_real *z = NULL;
    gpr_status status = GPR_OK;
    TRY(gpri_calloc(s->ctx, &z, nodes * ld, sizeof *z, "scores"));
    TRY(gpri_net_scores(s->trainer->net, z, ld));
    for (int64_t i = 0; i < nodes; i++) {
        if (fold[i] == (last ? -1 : s->done)) gpri_stack_score(s->scores + i * columns, z + i * ld, classes);
        if (last) gpri_stack_score(s->scores + (nodes + i) * columns, z + i * ld, classes);
    }
    if (last)
        status = gpri_model_take(s->ctx, &s->network, s->trainer->net, s->trainer->state.best, s->own,
                                 s->from->data->features.cols, classes);
done:
    gpri_free(s->ctx, z);
    return status;
}

static gpr_status train_network(gpri_stacking *s, const int8_t *fold, bool *halted) {
    int64_t count;
    NEED(make_part(s, fold, &count));
    if (count == 0 || (s->refits && s->best[s->done] == 0)) return GPR_OK; /* its fold has all: scores of 0 */
    NEED(own_options(s));
    NEED(begin_network(s));
    NEED(gpri_train_epochs(s->trainer, &s->run, s->own, true, s->hooks));
    *halted = !gpri_state_finished(s->trainer);
    if (*halted) return GPR_OK;
    s->best[s->done] = s->run.info.best_epoch;
    return take_scores(s, fold);
}

/* ---- all of them ---- */

gpr_status gpri_stacking_train(gpri_stacking *s, bool *halted) {
    gpr_status status = GPR_OK;
    int8_t *fold = NULL; /* (nodes) */
    *halted = false;
    TRY(gpri_alloc(s->ctx, &fold, nodes_of(s), sizeof *fold, "folds"));
    TRY(draw_folds(s, fold));
    while (s->done < GPRI_STACK_NETWORKS) {
        TRY(train_network(s, fold, halted));
        if (*halted) goto done;
        end_network(s);
        s->done++;
    }
done:
    if (status != GPR_OK)
        gpri_fail_prefix(status, "network %lld of the stack's %d", (long long)s->done + 1, GPRI_STACK_NETWORKS);
    gpri_free(s->ctx, fold);
    return status;
}

void gpri_stacking_free(gpri_stacking *s) {
    if (!s->ctx) return;
    end_network(s);
    gpr_model_free(s->network);
    gpri_free(s->ctx, s->scores);
    *s = (gpri_stacking){.ctx = NULL};
}

/* ---- as bytes ---- */

/* Before the scores, and the state of the network that is trained. */
typedef struct {
    int64_t nodes, columns, done, state; /* bytes of the state; 0: there is none */
    int64_t best[GPRI_STACK_NETWORKS];
} heading;

static int64_t score_bytes(const heading *head) { return 2 * head->nodes * head->columns * (int64_t)sizeof(gpri_real); }

/* The state of the network that is trained. */
static gpr_status network_state(const gpri_stacking *s, char **bytes, int64_t *size) {
    gpr_status status = GPR_OK;
    gpr_result of = *s->result; /* borrows all that it has */
    gpri_run now = s->run;
    of.params = s->own;
    of.trial = NULL;
    of.choice.count = 0;
    of.all = 1;
    of.given = true;
    now.split = s->part;
    TRY(gpri_model_take(s->ctx, &now.model, s->trainer->net, s->trainer->state.best, s->own,
                        s->from->data->features.cols, classes_of(s)));
    TRY(gpri_state_save(s->trainer, &now.pause));
    TRY(gpri_trainer_gamma(s->trainer, &now.gamma_rows));
    TRY(gpri_state_bytes(s->ctx, bytes, size, &of, &now, 1));
done:
    gpr_model_free(now.model);
    gpri_free_all(s->ctx, now.pause.numbers, now.gamma_rows);
    return status;
}

gpr_status gpri_stacking_bytes(const gpri_stacking *s, char **bytes, int64_t *size) {
    heading head = {.nodes = nodes_of(s), .columns = columns_of(s), .done = s->done};
    char *state = NULL;
    gpr_status status = GPR_OK;
    memcpy(head.best, s->best, sizeof head.best);
    if (s->trainer) TRY(network_state(s, &state, &head.state));
    *size = (int64_t)sizeof head + score_bytes(&head) + head.state;
    TRY(gpri_alloc(s->ctx, bytes, *size, 1, "state"));
    memcpy(*bytes, &head, sizeof head);
    memcpy(*bytes + sizeof head, s->scores, (size_t)score_bytes(&head));
    if (state) memcpy(*bytes + sizeof head + score_bytes(&head), state, (size_t)head.state);
done:
    gpri_free(s->ctx, state);
    return status;
}

static gpr_status damaged(void) {
    return gpri_fail(GPR_ERROR_FORMAT, "the state of the networks of a stack is damaged");
}

gpr_status gpri_stacking_epochs(int64_t best[GPRI_STACK_NETWORKS], const char *bytes, int64_t size) {
    heading head;
    if (!bytes || size < (int64_t)sizeof head) return damaged();
    memcpy(&head, bytes, sizeof head);
    for (int64_t k = 0; k < GPRI_STACK_NETWORKS; k++)
        if (head.best[k] < 0 || head.best[k] > INT32_MAX) return damaged();
    memcpy(best, head.best, sizeof head.best);
    return GPR_OK;
}

gpr_status gpri_stacking_begin(gpri_stacking *s, const char *bytes, int64_t size) {
    heading head = {.nodes = nodes_of(s), .columns = columns_of(s)};
    NEED(gpri_calloc(s->ctx, &s->scores, 2 * head.nodes * head.columns, sizeof *s->scores, "scores of the network"));
    if (!bytes) return GPR_OK;
    NEED(gpri_stacking_epochs(s->best, bytes, size));
    memcpy(&head, bytes, sizeof head);
    if (head.nodes != nodes_of(s) || head.columns != columns_of(s) || head.done < 0 ||
        head.done > GPRI_STACK_NETWORKS || head.state < 0 ||
        head.state != size - (int64_t)sizeof head - score_bytes(&head) ||
        (head.state > 0) != (head.done < GPRI_STACK_NETWORKS))
        return damaged();
    memcpy(s->scores, bytes + sizeof head, (size_t)score_bytes(&head));
    s->done = head.done;
    s->saved = head.state ? bytes + sizeof head + score_bytes(&head) : NULL;
    s->saved_size = head.state;
    return GPR_OK;
}
