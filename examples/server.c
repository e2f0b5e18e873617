/* A server with many threads: one model that all share, and a context for each thread. Every thread answers requests,
 * each a graph of its own, and the answers are compared with those of a single thread.
 *
 *     cc -std=c11 server.c -o server $(pkg-config --cflags --libs gprgnn) -pthread
 */
#include <gprgnn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, REQUESTS = 24, NODES = 200, FEATURES = 50 };

typedef struct {
    const gpr_model *model; /* shared: nobody changes it */
    int first;              /* answers requests first, first + THREADS, ... */
    int32_t (*answers)[NODES];
    gpr_status status;
    char message[256];
} worker;

/* Request number r: here a graph by seed r; in a server what came over the network. */
static gpr_status answer(gpr_ctx *ctx, const gpr_model *model, int r, int32_t *classes) {
    gpr_csbm_options options;
    gpr_dataset *data = NULL;
    gpr_csbm_options_init(&options, sizeof options);
    options.nodes = NODES;
    options.features = FEATURES;
    options.seed = (uint64_t)r;
    gpr_status status = gpr_dataset_csbm(ctx, &data, &options);
    if (status >= 0) status = gpr_predict(ctx, model, data, classes, NULL);
    gpr_dataset_free(data);
    return status;
}

static void *work(void *arg) {
    worker *w = arg;
    gpr_ctx *ctx = NULL;
    gpr_ctx_options options = {.struct_size = sizeof options, .threads = 1}; /* the server's threads share the cores */
    w->status = gpr_ctx_new(&ctx, &options);
    for (int r = w->first; w->status >= 0 && r < REQUESTS; r += THREADS)
        w->status = answer(ctx, w->model, r, w->answers[r]);
    if (w->status < 0) snprintf(w->message, sizeof w->message, "%s", gpr_last_error()); /* it is this thread's */
    gpr_ctx_free(ctx);
    return NULL;
}

/* The model: in a server from a file, with gpr_model_load. */
static gpr_status make_model(gpr_ctx *ctx, gpr_model **model) {
    gpr_dataset *data = NULL;
    gpr_params *params = NULL;
    gpr_result *result = NULL;
    gpr_status status = gpr_dataset_open(ctx, &data, "csbm:phi=0.5,n=1000,f=50", NULL);
    if (status >= 0) status = gpr_params_new(ctx, &params);
    if (status >= 0) status = gpr_params_set(params, "epochs", "50");
    if (status >= 0) status = gpr_train(ctx, model, &result, data, params);
    gpr_result_free(result);
    gpr_params_free(params);
    gpr_dataset_free(data);
    return status;
}

int main(void) {
    static int32_t alone[NODES], answers[REQUESTS][NODES];
    pthread_t threads[THREADS];
    worker workers[THREADS];
    int started = 0, same = 0;
    gpr_ctx *ctx = NULL; /* must outlive the model, which its memory is for; no thread uses it */
    gpr_model *model = NULL;
    gpr_status status = gpr_ctx_new(&ctx, NULL);
    if (status >= 0) status = make_model(ctx, &model);

    for (; status >= 0 && started < THREADS; started++) {
        workers[started] = (worker){.model = model, .first = started, .answers = answers};
        if (pthread_create(&threads[started], NULL, work, &workers[started]) != 0) break;
    }
    for (int i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
        if (workers[i].status < 0) fprintf(stderr, "thread %d: %s\n", i, workers[i].message);
    }
    for (int r = 0; status >= 0 && r < REQUESTS; r++) {
        status = answer(ctx, model, r, alone);
        if (status >= 0) same += memcmp(alone, answers[r], sizeof alone) == 0;
    }
    if (status < 0) fprintf(stderr, "%s: %s\n", gpr_status_name(status), gpr_last_error());
    printf("%d threads: %d of %d answers are those of a single thread\n", started, same, REQUESTS);
    gpr_model_free(model);
    gpr_ctx_free(ctx);
    return same != REQUESTS;
}
