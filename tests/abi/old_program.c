/* A program of version 0.1.0: compiled with that version's header (gprgnn-0.1.0.h), linked with the library of today.
 * It uses every struct of then, each with its size of then and each with one byte less, and most functions. What stands
 * behind a struct must not be written to.
 *
 *     old_program FOLDER       an empty folder for its files
 */
#include "gprgnn-0.1.0.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "old_program.c:%d: %s: %s\n", __LINE__, #condition, gpr_last_error()); \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)
#define OK(call) CHECK((call) == GPR_OK)

/* A struct as the old program has it on its stack, with something behind it that is not the library's. */
enum { FENCE = 512, MARK = 0x5a };
#define FENCED(type)                \
    struct {                        \
        type it;                    \
        unsigned char fence[FENCE]; \
    }
#define RAISE(box) memset(&(box), MARK, sizeof(box)) /* not zeroed: an old program does not know what will come */
#define READY(box) (RAISE(box), memset(&(box).it, 0, sizeof((box).it)), (void)((box).it.struct_size = sizeof((box).it)))

static void intact(const unsigned char *fence, int line) {
    for (int i = 0; i < FENCE; i++)
        if (fence[i] != MARK) {
            fprintf(stderr, "old_program.c:%d: byte %d behind the struct was written to\n", line, i);
            exit(1);
        }
}
#define INTACT(box)                                      \
    do {                                                 \
        intact((box).fence, __LINE__);                   \
        CHECK((box).it.struct_size == sizeof((box).it)); \
    } while (0)

static int epochs_seen, embeddings_seen, lines_seen;

static int on_progress(void *user, const gpr_progress *p) {
    CHECK(p->struct_size >= sizeof *p && user == &epochs_seen);
    if (strcmp(p->stage, "training") == 0) epochs_seen++;
    else embeddings_seen++;
    return 0;
}

static void on_log(void *user, gpr_log_level level, const char *line) {
    CHECK(user == &epochs_seen && level >= GPR_LOG_WARNING && line);
    lines_seen++;
}

static int on_convert(void *user, const gpr_convert_progress *p) {
    CHECK(p->struct_size >= sizeof *p && p->stage);
    ++*(int *)user;
    return 0;
}

static void *resize(void *user, void *block, size_t size) {
    if (!block) ++*(long *)user;
    return realloc(block, size);
}
static void release(void *user, void *block) {
    if (block) --*(long *)user;
    free(block);
}

static gpr_ctx *open_context(void) {
    FENCED(gpr_ctx_options) options;
    gpr_ctx *ctx;
    READY(options);
    options.it.threads = 2;
    options.it.cpu = "auto";
    options.it.log = on_log;
    options.it.progress = on_progress;
    options.it.user = &epochs_seen;
    OK(gpr_ctx_new(&ctx, &options.it));
    INTACT(options);
    options.it.struct_size--;
    gpr_ctx *none;
    CHECK(gpr_ctx_new(&none, &options.it) == GPR_ERROR_ARGUMENT && !none);
    CHECK(gpr_ctx_threads(ctx) == 2);
    OK(gpr_ctx_set_threads(ctx, 1));
    CHECK(strstr(gpr_build_info(ctx), "kernels"));
    return ctx;
}

static void own_memory(void) {
    long blocks = 0;
    FENCED(gpr_ctx_options) options;
    gpr_ctx *ctx;
    READY(options);
    options.it.threads = 1;
    options.it.allocator.resize = resize;
    options.it.allocator.release = release;
    options.it.allocator.user = &blocks;
    OK(gpr_ctx_new(&ctx, &options.it));
    CHECK(blocks > 0);
    gpr_ctx_free(ctx);
    CHECK(blocks == 0);
}

static void describe_parameters(void) {
    FENCED(gpr_param_info) info;
    READY(info);
    CHECK(gpr_param_count() > 20);
    for (int i = 0; i < gpr_param_count(); i++) {
        OK(gpr_param_describe(i, &info.it));
        CHECK(info.it.name && info.it.type && info.it.fallback && info.it.range && info.it.models && info.it.group &&
              info.it.help && gpr_param_default(i, "gprgnn") && gpr_param_applies(0, "gprgnn"));
    }
    INTACT(info);
    info.it.struct_size--;
    CHECK(gpr_param_describe(0, &info.it) == GPR_ERROR_ARGUMENT);
}

enum { NODES = 60, FEATURES = 4 };

static gpr_dataset *own_arrays(gpr_ctx *ctx) {
    static int64_t src[NODES], dst[NODES], indptr[NODES + 1];
    static int32_t indices[NODES], labels[NODES];
    static const char *const class_names[] = {"even", "odd"};
    FENCED(gpr_dataset_desc) desc;
    gpr_dataset *data, *none;
    READY(desc);
    for (int i = 0; i < NODES; i++) {
        src[i] = i;
        dst[i] = (i + 2) % NODES;
        indptr[i] = i;
        indices[i] = i % 2 + 2 * (i % 5 == 0);
        labels[i] = i % 2;
    }
    indptr[NODES] = NODES;
    desc.it.name = "old";
    desc.it.nodes = desc.it.edges = NODES;
    desc.it.src = src;
    desc.it.dst = dst;
    desc.it.features = FEATURES;
    desc.it.indptr = indptr;
    desc.it.indices = indices;
    desc.it.labels = labels;
    desc.it.class_names = class_names;
    OK(gpr_dataset_new(ctx, &data, &desc.it));
    INTACT(desc);
    desc.it.struct_size--;
    CHECK(gpr_dataset_new(ctx, &none, &desc.it) == GPR_ERROR_ARGUMENT && !none);
    return data;
}

static void describe_data(gpr_ctx *ctx, const gpr_dataset *data) {
    FENCED(gpr_dataset_info) info;
    int64_t count, sizes[2], ends[4];
    READY(info);
    OK(gpr_dataset_describe(ctx, data, &info.it));
    INTACT(info);
    CHECK(info.it.nodes == NODES && info.it.edges == NODES && info.it.features == FEATURES && info.it.classes == 2);
    CHECK(info.it.node_homophily == 1 && info.it.labelled == NODES && strlen(info.it.fingerprint) == 32);
    info.it.struct_size--;
    CHECK(gpr_dataset_describe(ctx, data, &info.it) == GPR_ERROR_ARGUMENT);
    OK(gpr_dataset_check(ctx, data));
    OK(gpr_dataset_class_sizes(ctx, data, sizes));
    OK(gpr_dataset_class_edges(ctx, data, ends));
    CHECK(sizes[0] == NODES / 2 && ends[0] == NODES && ends[1] == 0);
    CHECK(gpr_dataset_labels(data, &count)[1] == 1 && count == NODES);
    CHECK(strcmp(gpr_dataset_class_name(data, 1), "odd") == 0);
    CHECK(!gpr_dataset_node_id(data, 0) && !gpr_dataset_feature_name(data, 0));
}

static void csbm(gpr_ctx *ctx) {
    FENCED(gpr_csbm_options) options;
    gpr_dataset *data, *none;
    RAISE(options);
    gpr_csbm_defaults(&options.it); /* knows of no size */
    INTACT(options);
    CHECK(options.it.nodes == 5000 && options.it.seed == 1);
    options.it.nodes = 50;
    options.it.features = 20;
    OK(gpr_dataset_csbm(ctx, &data, &options.it));
    gpr_dataset_free(data);
    options.it.struct_size--;
    CHECK(gpr_dataset_csbm(ctx, &none, &options.it) == GPR_ERROR_ARGUMENT && !none);
}

/* Saves, opens in each way, converts. */
static void files(gpr_ctx *ctx, const gpr_dataset *data, const char *folder) {
    FENCED(gpr_open_options) in;
    FENCED(gpr_convert_options) options;
    FENCED(gpr_convert_result) result;
    char npz[512], gpr[512];
    int calls = 0;
    gpr_dataset *again, *none;
    snprintf(npz, sizeof npz, "%s/old.npz", folder);
    snprintf(gpr, sizeof gpr, "%s/old.gpr", folder);
    OK(gpr_dataset_save(ctx, data, npz));
    OK(gpr_dataset_save_as(ctx, data, gpr, "gpr"));
    OK(gpr_dataset_open(ctx, &again, npz, NULL));
    gpr_dataset_free(again);
    OK(gpr_dataset_open_as(ctx, &again, gpr, NULL, "gpr"));
    gpr_dataset_free(again);
    READY(in);
    in.it.data = npz;
    OK(gpr_dataset_open_with(ctx, &again, &in.it));
    gpr_dataset_free(again);
    READY(options);
    READY(result);
    options.it.to = "gpr";
    options.it.progress = on_convert;
    options.it.user = &calls;
    OK(gpr_convert(ctx, &result.it, &in.it, gpr, &options.it));
    INTACT(in);
    INTACT(options);
    INTACT(result);
    CHECK(result.it.nodes == NODES && strlen(result.it.fingerprint) == 32 && calls > 0);
    result.it.struct_size--;
    CHECK(gpr_convert(ctx, &result.it, &in.it, gpr, &options.it) == GPR_ERROR_ARGUMENT);
    options.it.struct_size--;
    CHECK(gpr_convert(ctx, NULL, &in.it, gpr, &options.it) == GPR_ERROR_ARGUMENT);
    in.it.struct_size--;
    CHECK(gpr_convert(ctx, NULL, &in.it, gpr, NULL) == GPR_ERROR_ARGUMENT);
    CHECK(gpr_dataset_open_with(ctx, &none, &in.it) == GPR_ERROR_ARGUMENT && !none);
    remove(npz);
    remove(gpr);
}

static void downloads(gpr_ctx *ctx, const char *folder) {
    FENCED(gpr_fetch_info) info;
    FENCED(gpr_fetch_file_info) file;
    FENCED(gpr_fetch_options) options;
    FENCED(gpr_fetch_result) result;
    char where[512];
    int index;
    int64_t present;
    READY(info);
    READY(file);
    READY(result);
    CHECK(gpr_fetch_count() > 5);
    OK(gpr_fetch_find("cora", &index));
    OK(gpr_fetch_describe(index, &info.it));
    OK(gpr_fetch_file(index, 0, &file.it));
    INTACT(info);
    INTACT(file);
    CHECK(strcmp(info.it.name, "cora") == 0 && info.it.files > 0 && file.it.url);
    info.it.struct_size--;
    file.it.struct_size--;
    CHECK(gpr_fetch_describe(index, &info.it) == GPR_ERROR_ARGUMENT);
    CHECK(gpr_fetch_file(index, 0, &file.it) == GPR_ERROR_ARGUMENT);
    OK(gpr_fetch_present(ctx, index, folder, &present));
    OK(gpr_fetch_folder(ctx, where, sizeof where, folder));
    CHECK(present == 0 && strcmp(where, folder) == 0);
    RAISE(options);
    gpr_fetch_defaults(&options.it);
    INTACT(options);
    CHECK(options.it.retries == 3 && options.it.timeout == 30 && options.it.pause == 1);
    CHECK(gpr_fetch(ctx, &result.it, "no such dataset", &options.it) == GPR_ERROR_ARGUMENT);
    CHECK(strstr(gpr_last_error(), "no dataset 'no such dataset'")); /* both structs were taken */
    INTACT(result);
    result.it.struct_size--;
    CHECK(gpr_fetch(ctx, &result.it, "cora", &options.it) == GPR_ERROR_ARGUMENT);
    options.it.struct_size--;
    CHECK(gpr_fetch(ctx, NULL, "cora", &options.it) == GPR_ERROR_ARGUMENT);
}

static void train_and_predict(gpr_ctx *ctx, const gpr_dataset *data, const char *folder) {
    FENCED(gpr_run_info) run;
    static int32_t classes[NODES], again[NODES], labels[NODES];
    static float proba[NODES * 2];
    char path[512];
    gpr_params *params;
    gpr_split *split;
    gpr_model *model, *loaded;
    gpr_result *result;
    const char *json;
    int64_t count;
    OK(gpr_params_new(ctx, &params));
    OK(gpr_params_set(params, "epochs", "20"));
    OK(gpr_params_set(params, "hidden", "8"));
    OK(gpr_params_set(params, "runs", "2"));
    CHECK(strcmp(gpr_params_get(params, "hidden"), "8") == 0);
    CHECK(strcmp(gpr_params_source(params, "hidden"), "flag") == 0);
    CHECK(gpr_params_preset(params, "paper", data) == GPR_ERROR_ARGUMENT);
    OK(gpr_params_check(params));
    OK(gpr_split_new(ctx, &split, data, "60/20/20", 1, 0));
    CHECK(gpr_split_parts(split, &count) && count == NODES && gpr_split_count(split, GPR_TRAIN, 0) > 0);
    gpr_split_free(split);
    OK(gpr_train(ctx, &model, &result, data, params));
    CHECK(epochs_seen >= 40 && epochs_seen % 40 == 0);
    CHECK(gpr_result_runs(result) == 2 && gpr_result_best_run(result) < 2 && gpr_result_split(result));
    READY(run);
    OK(gpr_result_run(result, 0, &run.it));
    INTACT(run);
    CHECK(run.it.epochs == 20 && run.it.gamma && run.it.gamma_count == 11);
    run.it.struct_size--;
    CHECK(gpr_result_run(result, 0, &run.it) == GPR_ERROR_ARGUMENT);
    OK(gpr_result_json(ctx, result, &json));
    CHECK(strstr(json, "test_accuracy"));
    snprintf(path, sizeof path, "%s/old.safetensors", folder);
    OK(gpr_model_save(ctx, model, path));
    OK(gpr_model_load(ctx, &loaded, path));
    remove(path);
    OK(gpr_predict(ctx, model, data, classes, proba));
    OK(gpr_predict(ctx, loaded, data, again, NULL));
    CHECK(memcmp(classes, again, sizeof classes) == 0);
    OK(gpr_model_labels(ctx, loaded, data, labels));
    CHECK(gpr_model_features(loaded) == FEATURES && gpr_model_classes(loaded) == 2 && labels[1] == 1);
    CHECK(strcmp(gpr_model_name(loaded), "gprgnn") == 0 && strcmp(gpr_model_class_name(loaded, 0), "even") == 0);
    CHECK(gpr_model_gamma(loaded, &count) && count == 11 && gpr_model_fingerprint(loaded));
    CHECK(!gpr_model_feature_name(loaded, 0));
    CHECK(gpr_model_set_embedding(loaded, "isomap") == GPR_ERROR_ARGUMENT); /* of geomgcn only */
    snprintf(path, sizeof path, "%s/old.csv", folder);
    OK(gpr_predictions_save(ctx, loaded, data, path, 1));
    remove(path);
    gpr_model_free(model);
    gpr_model_free(loaded);
    gpr_result_free(result);
    gpr_params_free(params);
}

/* The embedding's calls of the progress callback. */
static void train_geomgcn(gpr_ctx *ctx, const gpr_dataset *data) {
    gpr_params *params;
    gpr_model *model;
    gpr_result *result;
    OK(gpr_params_new(ctx, &params));
    OK(gpr_params_set(params, "model", "geomgcn"));
    OK(gpr_params_set(params, "embedding", "poincare"));
    OK(gpr_params_set(params, "epochs", "2"));
    OK(gpr_train(ctx, &model, &result, data, params));
    CHECK(embeddings_seen > 0);
    OK(gpr_model_set_embedding(model, "isomap"));
    gpr_model_free(model);
    gpr_result_free(result);
    gpr_params_free(params);
}

static void utilities(const char *folder) {
    static const char *const words[] = {"hidden", "epochs"};
    char path[512];
    CHECK(strcmp(gpr_nearest_word("hiden", words, 2), "hidden") == 0);
    CHECK(gpr_peak_memory() > 0);
    OK(gpr_check_output_dir(folder));
    snprintf(path, sizeof path, "%s/old.txt", folder);
    OK(gpr_write_file(path, "text", 4));
    remove(path);
    CHECK(strcmp(gpr_status_name(GPR_ERROR_STOPPED), "GPR_ERROR_STOPPED") == 0);
}

int main(int argc, char **argv) {
    const char *folder = argc > 1 ? argv[1] : ".";
    gpr_ctx *ctx = open_context();
    gpr_dataset *data = own_arrays(ctx);
    own_memory();
    describe_parameters();
    describe_data(ctx, data);
    csbm(ctx);
    files(ctx, data, folder);
    downloads(ctx, folder);
    train_and_predict(ctx, data, folder);
    train_geomgcn(ctx, data);
    utilities(folder);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
    printf("compiled with the header of 0.1.0, run with the library of %s\n", gpr_version());
    return 0;
}
