/* Names are sorted on both sides and compared in one pass, so names that occur twice are matched in order. */
#include "model/match.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "data/feature_matrix.h"

enum { SHOWN = 6 }; /* names in a message */

typedef struct entry {
    const char *name;
    int64_t number;
} entry;

static int by_name(const void *a, const void *b) {
    const entry *left = a, *right = b;
    const int order = strcmp(left->name, right->name);
    if (order != 0) return order;
    return left->number < right->number ? -1 : left->number > right->number;
}

/* (names->count), sorted; the caller's to free. */
static gpr_status sort_names(gpr_ctx *ctx, entry **out, const gpri_names *names) {
    NEED(gpri_alloc(ctx, out, names->count, sizeof **out, "names"));
    for (int64_t i = 0; i < names->count; i++) (*out)[i] = (entry){gpri_name(names, i), i};
    qsort(*out, (size_t)names->count, sizeof **out, by_name);
    return GPR_OK;
}

/* place: (from->count) the number in `to` of each name of `from`, or -1. */
static gpr_status map_names(gpr_ctx *ctx, int64_t *place, const gpri_names *from, const gpri_names *to) {
    gpr_status status = GPR_OK;
    entry *left = NULL, *right = NULL;
    TRY(sort_names(ctx, &left, from));
    TRY(sort_names(ctx, &right, to));
    for (int64_t i = 0, k = 0; i < from->count; i++) {
        while (k < to->count && strcmp(right[k].name, left[i].name) < 0) k++;
        const bool same = k < to->count && strcmp(right[k].name, left[i].name) == 0;
        place[left[i].number] = same ? right[k++].number : -1;
    }
done:
    gpri_free_all(ctx, left, right);
    return status;
}

/* " 'a', 'b'": begins or continues a list. */
static void list_name(gpri_text *text, int64_t *count, const char *name) {
    if ((*count)++ < SHOWN) gpri_text_add(text, "%s '%s'", text->size ? "," : "", name);
}

/* ---- Features ------------------------------------------------------------------------------------- */

/* Whether the data has the text column of this value "column=value". */
static bool has_column_of(const gpri_names *names, const char *value) {
    const char *equals = strchr(value, '=');
    const size_t size = equals ? (size_t)(equals - value) + 1 : 0;
    for (int64_t i = 0; size && i < names->count; i++)
        if (strncmp(gpri_name(names, i), value, size) == 0) return true;
    return false;
}

/* place: (features of the data) columns of the model. A missing feature is an error, an additional one a warning. */
static gpr_status check_places(gpr_ctx *ctx, const int64_t *place, const gpr_model *model, const gpr_dataset *data) {
    gpr_status status = GPR_OK;
    gpri_text missing = {.ctx = ctx}, unknown = {.ctx = ctx};
    int64_t missing_count = 0, unknown_count = 0;
    bool *found = NULL; /* (features of the model) */
    TRY(gpri_calloc(ctx, &found, model->features, sizeof *found, "features"));
    for (int64_t j = 0; j < data->features.cols; j++)
        if (place[j] >= 0) found[place[j]] = true;
        else list_name(&unknown, &unknown_count, gpri_name(&data->feature_names, j));
    for (int64_t j = 0; j < model->features; j++) {
        const char *name = gpri_name(&model->feature_names, j);
        if (!found[j] && !has_column_of(&data->feature_names, name)) list_name(&missing, &missing_count, name);
    }
    TRY(gpri_text_status(&missing));
    TRY(gpri_text_status(&unknown));
    if (missing_count > 0)
        THROW(GPR_ERROR_MISMATCH, "the model does not fit the data: %s lacks %lld of its %lld features:%s%s",
              data->name, (long long)missing_count, (long long)model->features, missing.bytes,
              missing_count > SHOWN ? ", ..." : "");
    if (unknown_count > 0)
        gpri_log(ctx, GPR_LOG_WARNING, "%s: %lld feature%s that the model does not know %s left out:%s%s", data->name,
                 (long long)unknown_count, unknown_count == 1 ? "" : "s", unknown_count == 1 ? "is" : "are",
                 unknown.bytes, unknown_count > SHOWN ? ", ..." : "");
done:
    gpri_text_free(&missing);
    gpri_text_free(&unknown);
    gpri_free(ctx, found);
    return status;
}

/* The columns of `from` at their places among `cols` columns. */
static gpr_status move_columns(gpr_ctx *ctx, gpri_feature_matrix *out, const gpri_feature_matrix *from,
                               const int64_t *place, int64_t cols) {
    gpr_status status = GPR_OK;
    float *dense = NULL, *value = NULL;
    int64_t *rowptr = NULL, end = 0, cells;
    int32_t *column = NULL;
    if (from->dense) {
        if (!gpri_mul_size(from->rows, cols, &cells)) THROW(GPR_ERROR_MEMORY, "the features do not fit in memory");
        TRY(gpri_calloc(ctx, &dense, cells, sizeof *dense, "features"));
        for (int64_t i = 0; i < from->rows; i++)
            for (int64_t j = 0; j < from->cols; j++)
                if (place[j] >= 0) dense[i * cols + place[j]] = from->dense[i * from->cols + j];
        TRY(gpri_feature_matrix_from_dense(ctx, out, from->rows, cols, dense));
        goto done;
    }
    TRY(gpri_alloc(ctx, &rowptr, from->rows + 1, sizeof *rowptr, "feature rows"));
    TRY(gpri_alloc(ctx, &column, from->nnz, sizeof *column, "feature columns"));
    TRY(gpri_alloc(ctx, &value, from->nnz, sizeof *value, "feature values"));
    rowptr[0] = 0;
    for (int64_t i = 0; i < from->rows; i++) {
        for (int64_t k = from->rowptr[i]; k < from->rowptr[i + 1]; k++) {
            if (place[from->column[k]] < 0) continue;
            column[end] = (int32_t)place[from->column[k]];
            value[end++] = from->value[k];
        }
        rowptr[i + 1] = end;
    }
    TRY(gpri_feature_matrix_from_csr(ctx, out, from->rows, cols, rowptr, column, value));
done:
    gpri_free_all(ctx, dense, rowptr, column, value);
    return status;
}

gpr_status gpri_match_features(gpr_ctx *ctx, gpri_feature_matrix *out, const gpr_model *model,
                               const gpr_dataset *data) {
    gpr_status status = GPR_OK;
    int64_t *place = NULL; /* (features of the data) */
    *out = (gpri_feature_matrix){0};
    const bool named = model->feature_names.count > 0 && data->feature_names.count > 0;
    if (!named && data->features.cols != model->features)
        return gpri_fail(GPR_ERROR_MISMATCH,
                         "the model does not fit the data: it was trained on %lld features (%s), and %s has %lld",
                         (long long)model->features, model->dataset ? model->dataset : "unknown data", data->name,
                         (long long)data->features.cols);
    if (!named || gpri_names_equal(&model->feature_names, &data->feature_names)) return GPR_OK;
    TRY(gpri_alloc(ctx, &place, data->features.cols, sizeof *place, "features"));
    TRY(map_names(ctx, place, &data->feature_names, &model->feature_names));
    TRY(check_places(ctx, place, model, data));
    TRY(move_columns(ctx, out, &data->features, place, model->features));
done:
    gpri_free(ctx, place);
    return status;
}

/* ---- Classes and ids ------------------------------------------------------------------------------ */

/* The names of classes or nodes, or their numbers as text. */
static gpr_status names_or_numbers(gpr_ctx *ctx, gpri_names *out, const gpri_names *names, int64_t classes) {
    gpr_status status = GPR_OK;
    char(*numbers)[24] = NULL; /* (classes) */
    const char **texts = NULL; /* (classes) */
    if (names->count > 0) return gpri_names_clone(ctx, out, names);
    TRY(gpri_alloc(ctx, &numbers, classes, sizeof *numbers, "class names"));
    TRY(gpri_alloc(ctx, &texts, classes, sizeof *texts, "class names"));
    for (int64_t c = 0; c < classes; c++) texts[c] = gpri_name_or_number(names, c, numbers[c]);
    TRY(gpri_names_copy(ctx, out, texts, classes));
done:
    gpri_free_all(ctx, numbers, texts);
    return status;
}

gpr_status gpri_match_ids(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, int64_t *place) {
    gpri_names numbers = {0};
    gpr_status status = GPR_OK;
    const gpri_names *ids = &model->past->ids;
    if (ids->count == 0) {
        TRY(names_or_numbers(ctx, &numbers, ids, model->past->nodes));
        ids = &numbers;
    }
    TRY(map_names(ctx, place, &data->node_ids, ids));
done:
    gpri_names_free(ctx, &numbers);
    return status;
}

static bool any_number(const gpri_names *names) {
    int64_t value;
    for (int64_t i = 0; i < names->count; i++)
        if (gpri_parse_int(gpri_name(names, i), &value)) return true;
    return false;
}

/* place: (classes of the data) classes of the model, or -1. If only the model has names and all are words, the data's
   numbers are the model's class numbers. */
static gpr_status map_classes(gpr_ctx *ctx, int64_t *place, const gpr_model *model, const gpr_dataset *data) {
    gpr_status status = GPR_OK;
    gpri_names from = {0}, to = {0};
    const bool words = model->class_names.count > 0 && !any_number(&model->class_names);
    if (data->target.names.count == 0 && (words || model->class_names.count == 0)) {
        for (int64_t c = 0; c < data->target.classes; c++) place[c] = c < model->classes ? c : -1;
        return GPR_OK;
    }
    TRY(names_or_numbers(ctx, &from, &data->target.names, data->target.classes));
    TRY(names_or_numbers(ctx, &to, &model->class_names, model->classes));
    TRY(map_names(ctx, place, &from, &to));
done:
    gpri_names_free(ctx, &from);
    gpri_names_free(ctx, &to);
    return status;
}

gpr_status gpri_match_labels(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, int32_t *labels,
                             bool warns) {
    gpr_status status = GPR_OK;
    gpri_text unknown = {.ctx = ctx};
    int64_t *place = NULL, *sizes = NULL; /* (classes of the data) */
    int64_t unknown_count = 0, nodes = 0;
    char number[24];
    TRY(gpri_alloc(ctx, &place, data->target.classes, sizeof *place, "classes"));
    TRY(gpri_alloc(ctx, &sizes, data->target.classes, sizeof *sizes, "classes"));
    TRY(map_classes(ctx, place, model, data));
    for (int64_t i = 0; i < data->graph.nodes; i++) {
        const int64_t known = data->target.labels[i] < 0 ? -1 : place[data->target.labels[i]];
        labels[i] = data->target.labels[i] < 0 ? -1 : known < 0 ? GPR_UNKNOWN_CLASS : (int32_t)known;
    }
    gpri_class_sizes(sizes, data->target.labels, data->graph.nodes, data->target.classes);
    for (int64_t c = 0; c < data->target.classes; c++) {
        if (place[c] >= 0 || sizes[c] == 0) continue;
        nodes += sizes[c];
        list_name(&unknown, &unknown_count, gpri_name_or_number(&data->target.names, c, number));
    }
    TRY(gpri_text_status(&unknown));
    if (warns && unknown_count > 0)
        gpri_log(ctx, GPR_LOG_WARNING, "%s: the model does not know the class%s%s%s of %lld node%s", data->name,
                 unknown_count == 1 ? "" : "es", unknown.bytes, unknown_count > SHOWN ? ", ..." : "", (long long)nodes,
                 nodes == 1 ? "" : "s");
done:
    gpri_text_free(&unknown);
    gpri_free_all(ctx, place, sizes);
    return status;
}

gpr_status gpr_model_labels(gpr_ctx *ctx, const gpr_model *model, const gpr_dataset *data, int32_t *labels) {
    if (!ctx || !model || !data || !labels) return gpri_fail(GPR_ERROR_ARGUMENT, "gpr_model_labels: a NULL argument");
    gpr_status status = gpri_dataset_ready(ctx, data);
    if (status == GPR_OK) status = gpri_match_labels(ctx, model, data, labels, true);
    return gpri_finish(status);
}
