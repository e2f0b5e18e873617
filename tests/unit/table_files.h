/* Tables of edges and nodes for tests: a folder with them, what they give or how they fail, and the warnings. */
#ifndef TEST_TABLE_FILES_H
#define TEST_TABLE_FILES_H

#include "data/dataset.h"
#include "failing_memory.h"
#include "npz_maker.h"

typedef struct tables {
    gpr_ctx *ctx;
    char folder[64], edges[128], nodes[128], other[128];
    gpr_open_options options;
} tables;

static char warnings[4096];

static inline void keep_warnings(void *user, gpr_log_level level, const char *line) {
    (void)user;
    if (level != GPR_LOG_WARNING) return;
    const char *name = strstr(line, "/n.csv"); /* without the folder */
    if (!name) name = strrchr(line, '/');
    strncat(warnings, name ? name + 1 : line, sizeof warnings - strlen(warnings) - 2);
    strcat(warnings, "\n");
}

static inline int setup(void **state) {
    tables *t = calloc(1, sizeof *t);
    assert_non_null(t);
    gpr_ctx_options options = {.struct_size = sizeof options, .threads = 1, .log = keep_warnings};
    assert_ok(gpr_ctx_new(&t->ctx, &options));
    folder_make(t->folder);
    snprintf(t->edges, sizeof t->edges, "%s/e.csv", t->folder);
    snprintf(t->nodes, sizeof t->nodes, "%s/n.csv", t->folder);
    snprintf(t->other, sizeof t->other, "%s/o.csv", t->folder);
    t->options = (gpr_open_options){.struct_size = sizeof t->options, .edges = t->edges, .nodes = t->nodes};
    *state = t;
    return 0;
}

static inline int teardown(void **state) {
    tables *t = *state;
    folder_files(t->folder, true);
    gpr_ctx_free(t->ctx);
    free(t);
    return 0;
}

static inline void put_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* What a dataset holds: "ids; edges; names: features; labels". */
static inline void describe(const gpr_dataset *data, char *text) {
    const gpri_graph *g = &data->graph;
    char number[24];
    for (int64_t i = 0; i < g->nodes; i++)
        text += sprintf(text, "%s%s", i ? " " : "", gpri_name_or_number(&data->node_ids, i, number));
    text += sprintf(text, ";");
    for (int64_t i = 0; i < g->nodes; i++)
        for (int64_t k = g->rowptr[i]; k < g->rowptr[i + 1]; k++) {
            if (g->column[k] < i) continue;
            text += sprintf(text, " %d-%d", (int)i, g->column[k]);
            if (g->weight) text += sprintf(text, ":%g", (double)g->weight[k]);
        }
    text += sprintf(text, ";");
    for (int64_t j = 0; j < data->feature_names.count; j++)
        text += sprintf(text, " %s", gpri_name(&data->feature_names, j));
    if (data->feature_names.count) text += sprintf(text, ":");
    for (int64_t i = 0; i < g->nodes && data->features.cols > 0; i++) {
        float row[64] = {0};
        const gpri_feature_matrix *x = &data->features;
        assert_true(x->cols <= 64);
        for (int64_t j = 0; x->dense && j < x->cols; j++) row[j] = x->dense[i * x->cols + j];
        for (int64_t k = x->dense ? 0 : x->rowptr[i]; !x->dense && k < x->rowptr[i + 1]; k++)
            row[x->column[k]] = x->value[k];
        for (int64_t j = 0; j < x->cols; j++) text += sprintf(text, "%s%g", j ? "," : " ", (double)row[j]);
    }
    text += sprintf(text, ";");
    for (int64_t i = 0; i < g->nodes && data->target.classes > 0; i++)
        text += sprintf(text, " %s",
                        data->target.labels[i] < 0
                            ? "-"
                            : gpri_name_or_number(&data->target.names, data->target.labels[i], number));
}

static inline void gives(const tables *t, const char *expected) {
    char text[4000];
    gpr_dataset *data;
    warnings[0] = 0;
    assert_ok(gpr_dataset_open_with(t->ctx, &data, &t->options));
    describe(data, text);
    assert_string_equal(text, expected);
    gpr_dataset_free(data);
}

static inline void fails(const tables *t, gpr_status status, const char *part) {
    gpr_dataset *data;
    assert_fails(gpr_dataset_open_with(t->ctx, &data, &t->options), status, part);
    assert_null(data);
    assert_null(strchr(gpr_last_error(), '\n'));
}

/* A model of two epochs, as its bytes give it. */
static inline gpr_model *trained(tables *t) {
    gpr_dataset *data;
    gpr_params *params;
    gpr_model *model, *loaded;
    gpr_result *result;
    void *bytes;
    size_t size;
    warnings[0] = 0;
    assert_ok(gpr_dataset_open_with(t->ctx, &data, &t->options));
    assert_ok(gpr_params_new(t->ctx, &params));
    assert_ok(gpr_params_set(params, "epochs", "2"));
    assert_ok(gpr_params_set(params, "split", "60/20/20"));
    assert_ok(gpr_train(t->ctx, &model, &result, data, params));
    assert_ok(gpr_model_to_bytes(t->ctx, &bytes, &size, model));
    assert_ok(gpr_model_from_bytes(t->ctx, &loaded, bytes, size));
    gpr_bytes_free(t->ctx, bytes);
    gpr_model_free(model);
    gpr_result_free(result);
    gpr_params_free(params);
    gpr_dataset_free(data);
    return loaded;
}

static inline gpr_status trial(gpr_ctx *ctx, void *arg) {
    gpr_dataset *data;
    gpr_status status = gpr_dataset_open_with(ctx, &data, arg);
    gpr_dataset_free(data);
    return status;
}

#define TABLE_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif
