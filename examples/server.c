/* A server: it loads a model and a graph once, and answers many questions about the graph's nodes. The threads share
 * model and graph, and each has its own context. A question is a line:
 *
 *     predict ID     the class of a node, and its probability: looked up, as all nodes are predicted at the start
 *     explain ID     the node and the column that matter most for that class: computed when it is asked
 *
 *     cc -std=c11 server.c -o server $(pkg-config --cflags --libs gprgnn) -pthread
 *     ./server run/model.safetensors graph.npz < questions
 *
 * Without arguments it makes a model and a graph, asks itself, and compares the answers with those of one thread.
 */
#include <gprgnn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, WAITING = 8, LINE = 128, ANSWER = 512 };

typedef struct {
    const gpr_model *model; /* nobody changes these four */
    const gpr_dataset *data;
    const int32_t *predicted; /* (nodes) */
    const float *proba;       /* (nodes x classes) */

    pthread_mutex_t lock; /* of all below */
    pthread_cond_t changed;
    char waiting[WAITING][LINE]; /* a ring: a client that asks faster than the threads answer has to wait */
    int64_t asked, taken;
    int ended; /* no more questions will come */
    FILE *out;
} server;

/* ---- one answer ---- */

static gpr_status explain(const server *s, gpr_ctx *ctx, int64_t node, char *answer) {
    gpr_explanation *found = NULL;
    gpr_explain_options options = {.struct_size = sizeof options, .class_id = -1, .top = 1};
    gpr_explained_node other = {.struct_size = sizeof other};
    gpr_explained_column column = {.struct_size = sizeof column};
    gpr_explanation_info info = {.struct_size = sizeof info};
    gpr_status status = gpr_explanation_new(ctx, &found, s->model, s->data, &node, 1, &options);
    if (status >= 0) status = gpr_explanation_describe(found, 0, &info);
    int size = 0;
    if (status >= 0) size = snprintf(answer, ANSWER, "class %lld", (long long)info.class_id);
    if (status >= 0 && info.listed > 0) {
        status = gpr_explanation_node(found, 0, 0, &other);
        if (status >= 0)
            size += snprintf(answer + size, (size_t)(ANSWER - size), ", node %lld adds %+.4f", (long long)other.node,
                             other.lead);
    }
    if (status >= 0 && info.listed_columns > 0) {
        status = gpr_explanation_column(found, 0, 0, &column);
        if (status >= 0)
            snprintf(answer + size, (size_t)(ANSWER - size), ", column %lld adds %+.4f", (long long)column.feature,
                     column.lead);
    }
    gpr_explanation_free(found);
    return status;
}

/* answer: (ANSWER). A question that cannot be answered is the client's fault, and gets the reason. */
static void reply(const server *s, gpr_ctx *ctx, const char *question, char *answer) {
    char word[16], id[LINE];
    int64_t node = -1;
    gpr_status status = GPR_OK;
    snprintf(answer, ANSWER, "a question is: predict ID, or explain ID");
    if (sscanf(question, "%15s %127[^\n]", word, id) != 2) return;
    const int explains = strcmp(word, "explain") == 0;
    if (!explains && strcmp(word, "predict") != 0) return;
    status = gpr_dataset_find_node(ctx, &node, s->data, id);
    if (status >= 0 && explains) status = explain(s, ctx, node, answer);
    if (status >= 0 && !explains) {
        const int32_t class_id = s->predicted[node];
        const char *name = gpr_model_class_name(s->model, class_id);
        const double p = (double)s->proba[node * gpr_model_classes(s->model) + class_id];
        if (name) snprintf(answer, ANSWER, "class %s, probability %.4f", name, p);
        else snprintf(answer, ANSWER, "class %d, probability %.4f", (int)class_id, p);
    }
    if (status < 0) snprintf(answer, ANSWER, "error: %s", gpr_last_error());
}

/* ---- many threads ---- */

static void *work(void *arg) {
    server *s = arg;
    gpr_ctx *ctx = NULL;
    char question[LINE], answer[ANSWER];
    const gpr_ctx_options options = {.struct_size = sizeof options, .threads = 1}; /* the threads share the cores */
    const gpr_status opened = gpr_ctx_new(&ctx, &options);
    for (;;) {
        pthread_mutex_lock(&s->lock);
        while (s->taken == s->asked && !s->ended) pthread_cond_wait(&s->changed, &s->lock);
        if (s->taken == s->asked) break;
        memcpy(question, s->waiting[s->taken++ % WAITING], LINE);
        pthread_cond_broadcast(&s->changed);
        pthread_mutex_unlock(&s->lock);
        if (opened >= 0) reply(s, ctx, question, answer);
        else snprintf(answer, ANSWER, "error: out of memory");
        pthread_mutex_lock(&s->lock);
        fprintf(s->out, "%s: %s\n", question, answer);
        fflush(s->out);
        pthread_mutex_unlock(&s->lock);
    }
    pthread_mutex_unlock(&s->lock);
    gpr_ctx_free(ctx);
    return NULL;
}

static void ask(server *s, const char *question) {
    pthread_mutex_lock(&s->lock);
    while (s->asked - s->taken == WAITING) pthread_cond_wait(&s->changed, &s->lock);
    snprintf(s->waiting[s->asked++ % WAITING], LINE, "%s", question);
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

/* Answers all lines of `in`. 0, or -1 where no thread could be started. */
static int serve(server *s, FILE *in) {
    pthread_t threads[THREADS];
    char line[LINE];
    int started = 0;
    while (started < THREADS && pthread_create(&threads[started], NULL, work, s) == 0) started++;
    while (started > 0 && fgets(line, sizeof line, in)) {
        if (!strchr(line, '\n'))
            for (int c = 0; c != '\n' && c != EOF;) c = fgetc(in); /* the rest of a line that is too long */
        line[strcspn(line, "\r\n")] = 0;
        if (*line) ask(s, line);
    }
    pthread_mutex_lock(&s->lock);
    s->ended = 1;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    for (int i = 0; i < started; i++) pthread_join(threads[i], NULL);
    return started > 0 ? 0 : -1;
}

/* ---- a graph and a model, and questions about them ---- */

static gpr_status make_both(gpr_ctx *ctx, gpr_model **model, gpr_dataset **data) {
    gpr_params *params = NULL;
    gpr_result *result = NULL;
    gpr_status status = gpr_dataset_open(ctx, data, "csbm:phi=0.5,n=400,f=50", NULL);
    if (status >= 0) status = gpr_params_new(ctx, &params);
    if (status >= 0) status = gpr_params_set(params, "epochs", "50");
    if (status >= 0) status = gpr_train(ctx, model, &result, *data, params);
    gpr_result_free(result);
    gpr_params_free(params);
    return status;
}

/* 0 if every answer in s->out is that of one thread. */
static int compare(const server *s, gpr_ctx *ctx, int questions) {
    char line[LINE + ANSWER + 4], answer[ANSWER];
    int same = 0, count = 0;
    rewind(s->out);
    for (; fgets(line, sizeof line, s->out); count++) {
        char *end = strstr(line, ": ");
        if (!end) break;
        *end = 0;
        line[strcspn(line, "\n")] = 0;
        end[2 + strcspn(end + 2, "\n")] = 0;
        reply(s, ctx, line, answer);
        same += strcmp(answer, end + 2) == 0;
        if (count < 3) printf("%s: %s\n", line, answer);
    }
    printf("%d threads: %d of %d answers are those of a single thread\n", THREADS, same, questions);
    return same != questions || count != questions;
}

static int ask_itself(server *s, gpr_ctx *ctx) {
    enum { ROUNDS = 40 };
    FILE *in = tmpfile();
    int failed = 1;
    s->out = tmpfile();
    for (int i = 0; in && i < ROUNDS; i++)
        fprintf(in, "predict %d\nexplain %d\n%s\n", i, 7 * i, i % 2 ? "predict 400" : "who are you");
    if (in) rewind(in);
    if (in && s->out && serve(s, in) == 0) failed = compare(s, ctx, 3 * ROUNDS);
    if (in) fclose(in);
    if (s->out) fclose(s->out);
    return failed;
}

int main(int argc, char **argv) {
    server s = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER, .out = stdout};
    gpr_ctx *ctx = NULL; /* must outlive model and data, whose memory is from there; no other thread uses it */
    gpr_model *model = NULL;
    gpr_dataset *data = NULL;
    int32_t *classes = NULL;
    float *proba = NULL;
    int failed = 1;
    gpr_status status = gpr_ctx_new(&ctx, NULL);
    if (status >= 0 && argc == 3) {
        status = gpr_model_load(ctx, &model, argv[1]);
        if (status >= 0) status = gpr_dataset_open(ctx, &data, argv[2], NULL);
    } else if (status >= 0) {
        status = make_both(ctx, &model, &data);
    }
    if (status >= 0) {
        const size_t nodes = (size_t)gpr_dataset_nodes(data);
        classes = malloc(nodes * sizeof *classes);
        proba = malloc(nodes * (size_t)gpr_model_classes(model) * sizeof *proba);
        if (!classes || !proba) status = GPR_ERROR_MEMORY;
    }
    if (status >= 0) status = gpr_predict(ctx, model, data, classes, proba);
    if (status < 0) fprintf(stderr, "%s: %s\n", gpr_status_name(status), gpr_last_error());
    s.model = model;
    s.data = data;
    s.predicted = classes;
    s.proba = proba;
    if (status >= 0) failed = argc == 3 ? serve(&s, stdin) : ask_itself(&s, ctx);
    free(classes);
    free(proba);
    gpr_dataset_free(data);
    gpr_model_free(model);
    gpr_ctx_free(ctx);
    return failed != 0;
}
