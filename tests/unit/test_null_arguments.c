/* NULL for each pointer argument of each public function: an error, never a crash. And the last message: it is that of
 * the last call that failed, and empty after one that did not. */
#include <math.h>
#include <unistd.h>

#include "support.h"

static gpr_ctx *ctx;
static gpr_dataset *data;
static gpr_params *params;
static gpr_model *model;
static gpr_result *result;
static gpr_split *split;
static char folder[] = "/tmp/gprgnn_null_XXXXXX";

static const char *in_folder(const char *name) {
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int set_up(void **state) {
    (void)state;
    assert_non_null(mkdtemp(folder));
    ctx = new_ctx(1);
    assert_ok(gpr_dataset_open(ctx, &data, "csbm:n=60,f=10,phi=0.5", NULL));
    assert_ok(gpr_params_new(ctx, &params));
    assert_ok(gpr_params_set(params, "epochs", "2"));
    assert_ok(gpr_train(ctx, &model, &result, data, params));
    assert_ok(gpr_split_new(ctx, &split, data, "dense", 1, 0));
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    char command[300];
    gpr_split_free(split);
    gpr_result_free(result);
    gpr_model_free(model);
    gpr_params_free(params);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

/* An error of the call, with a message. */
#define refuses(call)                                                                             \
    do {                                                                                          \
        (void)gpri_fail(GPR_ERROR_IO, "an older message");                                        \
        gpr_status refuses_ = (call);                                                             \
        if (refuses_ != GPR_ERROR_ARGUMENT) fail_msg("%s: %s", #call, gpr_status_name(refuses_)); \
        if (!*gpr_last_error() || strcmp(gpr_last_error(), "an older message") == 0)              \
            fail_msg("%s: '%s'", #call, gpr_last_error());                                        \
    } while (0)

/* Success, and no message. */
#define clears(call)                                                                \
    do {                                                                            \
        (void)gpri_fail(GPR_ERROR_IO, "an older message");                          \
        assert_ok(call);                                                            \
        if (*gpr_last_error()) fail_msg("%s leaves '%s'", #call, gpr_last_error()); \
    } while (0)

static void context_and_params(void **state) {
    (void)state;
    gpr_params *made;
    gpr_open_options options = {.struct_size = sizeof options};
    refuses(gpr_ctx_new(NULL, NULL));
    refuses(gpr_ctx_set_threads(NULL, 1));
    refuses(gpr_ctx_set_device(NULL, "cpu"));
    refuses(gpr_ctx_join(NULL, "auto"));
    assert_int_equal(gpr_ctx_rank(NULL, NULL), 0);
    assert_int_equal(gpr_ctx_agree(NULL, 3), 3);
    assert_int_equal(gpr_ctx_leave(NULL, 0), -1);
    assert_int_equal(gpr_launch_rank(NULL), -1);
    assert_int_equal(gpr_ctx_threads(NULL), 0);
    assert_null(gpr_build_info(NULL));
    assert_null(gpr_ctx_mapped_file(NULL, 1));
    refuses(gpr_param_describe(0, NULL));
    refuses(gpr_data_option_describe(0, NULL));
    refuses(gpr_open_options_set(NULL, "edges", "e.csv"));
    refuses(gpr_open_options_set(&options, NULL, "e.csv"));
    assert_int_equal(gpr_param_applies(0, NULL), 0);
    assert_null(gpr_param_default(0, NULL));
    refuses(gpr_params_new(NULL, &made));
    assert_null(made);
    refuses(gpr_params_new(ctx, NULL));
    refuses(gpr_params_set(NULL, "epochs", "1"));
    refuses(gpr_params_set(params, NULL, "1"));
    refuses(gpr_params_set(params, "epochs", NULL));
    assert_null(gpr_params_get(NULL, "epochs"));
    assert_null(gpr_params_get(params, NULL));
    assert_null(gpr_params_data(NULL, "edges"));
    assert_null(gpr_params_data(params, NULL));
    assert_null(gpr_params_source(NULL, "epochs"));
    assert_null(gpr_params_source(params, NULL));
    refuses(gpr_params_load(NULL, "file"));
    refuses(gpr_params_load(params, NULL));
    refuses(gpr_params_check(NULL));
    refuses(gpr_params_preset(NULL, "paper", data));
    refuses(gpr_params_preset(params, NULL, data));
    refuses(gpr_params_preset(params, "paper", NULL));
    refuses(gpr_params_preset_named(NULL, "paper", "cora"));
    refuses(gpr_params_preset_named(params, NULL, "cora"));
    refuses(gpr_params_preset_named(params, "paper", NULL));
}

static void datasets(void **state) {
    (void)state;
    gpr_dataset *made = data;
    gpr_csbm_options csbm;
    gpr_powerlaw_options powerlaw;
    gpr_dataset_info info = {.struct_size = sizeof info};
    gpr_dataset_desc desc = {.struct_size = sizeof desc};
    gpr_open_options options = {.struct_size = sizeof options, .data = "csbm"};
    int64_t numbers[4], count = 7;
    gpr_csbm_defaults(NULL);
    gpr_csbm_options_init(NULL, sizeof csbm);
    gpr_csbm_options_init(&csbm, sizeof csbm);
    refuses(gpr_dataset_new(NULL, &made, &desc));
    assert_null(made);
    refuses(gpr_dataset_new(ctx, NULL, &desc));
    refuses(gpr_dataset_new(ctx, &made, NULL));
    desc = (gpr_dataset_desc){.struct_size = sizeof desc, .nodes = 2, .edges = 1, .features = 1};
    refuses(gpr_dataset_new(ctx, &made, &desc)); /* all arrays are NULL */
    refuses(gpr_dataset_derive(NULL, &made, data, &desc, 1));
    refuses(gpr_dataset_derive(ctx, NULL, data, &desc, 1));
    refuses(gpr_dataset_derive(ctx, &made, NULL, &desc, 1));
    refuses(gpr_dataset_derive(ctx, &made, data, NULL, 1));
    refuses(gpr_dataset_csbm(NULL, &made, &csbm));
    refuses(gpr_dataset_csbm(ctx, NULL, &csbm));
    refuses(gpr_dataset_csbm(ctx, &made, NULL));
    gpr_powerlaw_options_init(NULL, sizeof powerlaw);
    gpr_powerlaw_options_init(&powerlaw, sizeof powerlaw);
    refuses(gpr_powerlaw_save(NULL, NULL, "x.gpr", &powerlaw));
    refuses(gpr_powerlaw_save(ctx, NULL, NULL, &powerlaw));
    refuses(gpr_powerlaw_save(ctx, NULL, "x.gpr", NULL));
    refuses(gpr_dataset_open(NULL, &made, "csbm", NULL));
    refuses(gpr_dataset_open(ctx, NULL, "csbm", NULL));
    refuses(gpr_dataset_open(ctx, &made, NULL, NULL));
    refuses(gpr_dataset_open_as(NULL, &made, "csbm", NULL, NULL));
    refuses(gpr_dataset_open_as(ctx, NULL, "csbm", NULL, NULL));
    refuses(gpr_dataset_open_as(ctx, &made, NULL, NULL, NULL));
    refuses(gpr_dataset_open_with(NULL, &made, &options));
    refuses(gpr_dataset_open_with(ctx, NULL, &options));
    refuses(gpr_dataset_open_with(ctx, &made, NULL));
    const char *const no_names[] = {NULL};
    options.model_names = no_names, options.model_features = 1;
    refuses(gpr_dataset_open_with(ctx, &made, &options));
    options.model_names = NULL;
    options.data = NULL;
    refuses(gpr_dataset_open_with(ctx, &made, &options));
    gpr_column_info column = {.struct_size = sizeof column};
    assert_int_equal(gpr_dataset_column_count(NULL), 0);
    refuses(gpr_dataset_column(NULL, 0, &column));
    refuses(gpr_dataset_column(data, 0, NULL));
    refuses(gpr_dataset_save(NULL, data, "x.npz"));
    refuses(gpr_dataset_save(ctx, NULL, "x.npz"));
    refuses(gpr_dataset_save(ctx, data, NULL));
    refuses(gpr_dataset_save_as(NULL, data, "x.npz", NULL));
    refuses(gpr_dataset_save_as(ctx, NULL, "x.npz", NULL));
    refuses(gpr_dataset_save_as(ctx, data, NULL, NULL));
    options.data = "csbm";
    refuses(gpr_convert(NULL, NULL, &options, "x.npz", NULL));
    refuses(gpr_convert(ctx, NULL, NULL, "x.npz", NULL));
    refuses(gpr_convert(ctx, NULL, &options, NULL, NULL));
    gpr_arrays_info arrays = {.struct_size = sizeof arrays};
    refuses(gpr_dataset_arrays(NULL, data, &arrays));
    refuses(gpr_dataset_arrays(ctx, NULL, &arrays));
    refuses(gpr_dataset_arrays(ctx, data, NULL));
    clears(gpr_dataset_arrays(ctx, data, &arrays));
    refuses(gpr_dataset_describe(NULL, data, &info));
    refuses(gpr_dataset_describe(ctx, NULL, &info));
    refuses(gpr_dataset_describe(ctx, data, NULL));
    gpr_relation_measures measures = {.struct_size = sizeof measures};
    refuses(gpr_dataset_describe_relation(NULL, data, 0, &measures));
    refuses(gpr_dataset_describe_relation(ctx, NULL, 0, &measures));
    refuses(gpr_dataset_describe_relation(ctx, data, 0, NULL));
    gpr_relation_arrays of_one = {.struct_size = sizeof of_one};
    refuses(gpr_dataset_relation_arrays(NULL, data, 0, &of_one));
    refuses(gpr_dataset_relation_arrays(ctx, NULL, 0, &of_one));
    refuses(gpr_dataset_relation_arrays(ctx, data, 0, NULL));
    refuses(gpr_dataset_relation_arrays(ctx, data, -1, &of_one));
    refuses(gpr_dataset_check(NULL, data));
    refuses(gpr_dataset_check(ctx, NULL));
    gpr_fault_info fault = {.struct_size = sizeof fault};
    refuses(gpr_dataset_known_fault(NULL, data, 0, &fault));
    refuses(gpr_dataset_known_fault(ctx, NULL, 0, &fault));
    refuses(gpr_dataset_known_fault(ctx, data, 0, NULL));
    int published;
    refuses(gpr_dataset_published(NULL, data, &published));
    refuses(gpr_dataset_published(ctx, NULL, &published));
    refuses(gpr_dataset_published(ctx, data, NULL));
    refuses(gpr_dataset_class_sizes(NULL, data, numbers));
    refuses(gpr_dataset_class_sizes(ctx, NULL, numbers));
    refuses(gpr_dataset_class_sizes(ctx, data, NULL));
    refuses(gpr_dataset_class_edges(NULL, data, numbers));
    refuses(gpr_dataset_class_edges(ctx, NULL, numbers));
    refuses(gpr_dataset_class_edges(ctx, data, NULL));
    assert_null(gpr_dataset_labels(NULL, &count));
    assert_int_equal(count, 0);
    assert_non_null(gpr_dataset_labels(data, NULL));
    assert_int_equal(gpr_dataset_nodes(NULL), -1);
    assert_int_equal(gpr_dataset_edges(NULL), -1);
    assert_int_equal(gpr_dataset_features(NULL), -1);
    assert_int_equal(gpr_dataset_classes(NULL), -1);
    assert_null(gpr_dataset_class_name(NULL, 0));
    assert_null(gpr_dataset_node_id(NULL, 0));
    assert_null(gpr_dataset_feature_name(NULL, 0));
    gpr_dataset_free(NULL);
}

static void downloads(void **state) {
    (void)state;
    char path[64];
    int index;
    int64_t files;
    gpr_fetch_state found;
    refuses(gpr_fetch_find(NULL, &index));
    refuses(gpr_fetch_find("cora", NULL));
    refuses(gpr_fetch_describe(0, NULL));
    refuses(gpr_fetch_file(0, 0, NULL));
    refuses(gpr_fetch_present(NULL, 0, folder, &files));
    refuses(gpr_fetch_present(ctx, 0, folder, NULL));
    refuses(gpr_fetch_verify(NULL, 0, 0, folder, &found, NULL, 0));
    refuses(gpr_fetch_verify(ctx, 0, 0, folder, NULL, NULL, 0));
    refuses(gpr_fetch_folder(NULL, path, sizeof path, folder));
    refuses(gpr_fetch_folder(ctx, NULL, sizeof path, folder));
    refuses(gpr_fetch(NULL, NULL, "cora", NULL));
    refuses(gpr_fetch(ctx, NULL, NULL, NULL));
    gpr_fetch_defaults(NULL);
    gpr_fetch_options_init(NULL, sizeof(gpr_fetch_options));
}

static void splits_and_training(void **state) {
    (void)state;
    gpr_split *drawn;
    gpr_model *trained;
    gpr_result *found;
    gpr_run_info run = {.struct_size = sizeof run};
    const char *json;
    int64_t count = 7;
    refuses(gpr_split_new(NULL, &drawn, data, "dense", 1, 0));
    refuses(gpr_split_new(ctx, NULL, data, "dense", 1, 0));
    refuses(gpr_split_new(ctx, &drawn, NULL, "dense", 1, 0));
    refuses(gpr_split_new(ctx, &drawn, data, NULL, 1, 0));
    const uint8_t parts[60] = {GPR_TRAIN, GPR_VAL};
    refuses(gpr_split_from_parts(NULL, &drawn, data, parts, 60));
    refuses(gpr_split_from_parts(ctx, NULL, data, parts, 60));
    refuses(gpr_split_from_parts(ctx, &drawn, NULL, parts, 60));
    refuses(gpr_split_from_parts(ctx, &drawn, data, NULL, 60));
    refuses(gpr_split_save(NULL, split, "x.npz"));
    refuses(gpr_split_save(ctx, NULL, "x.npz"));
    refuses(gpr_split_save(ctx, split, NULL));
    assert_null(gpr_split_parts(NULL, &count));
    assert_int_equal(count, 0);
    assert_non_null(gpr_split_parts(split, NULL));
    assert_int_equal(gpr_split_count(NULL, GPR_TRAIN, 0), -1);
    gpr_split_free(NULL);
    refuses(gpr_train(NULL, &trained, &found, data, params));
    refuses(gpr_train(ctx, NULL, &found, data, params));
    refuses(gpr_train(ctx, &trained, NULL, data, params));
    refuses(gpr_train(ctx, &trained, &found, NULL, params));
    refuses(gpr_train(ctx, &trained, &found, data, NULL));
    const gpr_split *const splits[] = {split}, *const no_split[] = {NULL};
    refuses(gpr_train_splits(NULL, &trained, &found, data, params, splits, 1));
    refuses(gpr_train_splits(ctx, NULL, &found, data, params, splits, 1));
    refuses(gpr_train_splits(ctx, &trained, NULL, data, params, splits, 1));
    refuses(gpr_train_splits(ctx, &trained, &found, NULL, params, splits, 1));
    refuses(gpr_train_splits(ctx, &trained, &found, data, NULL, splits, 1));
    refuses(gpr_train_splits(ctx, &trained, &found, data, params, NULL, 1));
    refuses(gpr_train_splits(ctx, &trained, &found, data, params, no_split, 1));
    refuses(gpr_train_resume(NULL, &trained, &found, data, params, "x", 1));
    refuses(gpr_train_resume(ctx, NULL, &found, data, params, "x", 1));
    refuses(gpr_train_resume(ctx, &trained, NULL, data, params, "x", 1));
    refuses(gpr_train_resume(ctx, &trained, &found, NULL, params, "x", 1));
    refuses(gpr_train_resume(ctx, &trained, &found, data, NULL, "x", 1));
    refuses(gpr_train_resume(ctx, &trained, &found, data, params, NULL, 1));
    const gpr_train_options no_size = {.struct_size = 0};
    refuses(gpr_train_with(NULL, &trained, &found, data, params, NULL));
    refuses(gpr_train_with(ctx, NULL, &found, data, params, NULL));
    refuses(gpr_train_with(ctx, &trained, NULL, data, params, NULL));
    refuses(gpr_train_with(ctx, &trained, &found, NULL, params, NULL));
    refuses(gpr_train_with(ctx, &trained, &found, data, NULL, NULL));
    refuses(gpr_train_with(ctx, &trained, &found, data, params, &no_size));
    gpr_failure_info failure = {.struct_size = sizeof failure};
    refuses(gpr_result_failure(NULL, 0, &failure));
    refuses(gpr_result_failure(result, 0, NULL));
    refuses(gpr_result_failure(result, 0, &failure)); /* it has none */
    assert_int_equal(gpr_result_failures(NULL), 0);
    gpr_run_folder *opened;
    const gpr_state *states;
    int64_t state_count;
    refuses(gpr_run_folder_open(NULL, &opened, "x"));
    refuses(gpr_run_folder_open(ctx, NULL, "x"));
    refuses(gpr_run_folder_open(ctx, &opened, NULL));
    refuses(gpr_run_folder_states(NULL, &states, &state_count));
    refuses(gpr_run_folder_discard(NULL));
    refuses(gpr_run_folder_keep(NULL, NULL));
    refuses(gpr_run_folder_save(NULL, result, model, data));
    refuses(gpr_run_folder_repair(NULL));
    gpr_run_folder_close(NULL);
    void *bytes;
    size_t size;
    refuses(gpr_result_state(NULL, result, &bytes, &size));
    refuses(gpr_result_state(ctx, NULL, &bytes, &size));
    refuses(gpr_result_state(ctx, result, NULL, &size));
    refuses(gpr_result_state(ctx, result, &bytes, NULL));
    double mean;
    const double *values;
    gpr_embedding_info embedding = {.struct_size = sizeof embedding};
    refuses(gpr_result_mean(NULL, "test_accuracy", &mean, NULL, NULL));
    refuses(gpr_result_mean(result, NULL, &mean, NULL, NULL));
    refuses(gpr_result_history(NULL, 0, "val_loss", &values, &count));
    refuses(gpr_result_history(result, 0, NULL, &values, &count));
    refuses(gpr_result_history(result, 0, "val_loss", NULL, &count));
    const float *gamma_rows;
    refuses(gpr_result_gamma_history(NULL, 0, &gamma_rows, &count, NULL, NULL));
    refuses(gpr_result_gamma_history(result, 0, NULL, &count, NULL, NULL));
    refuses(gpr_result_gamma_history(result, 0, &gamma_rows, NULL, NULL, NULL));
    refuses(gpr_result_embedding(NULL, &embedding));
    refuses(gpr_result_embedding(result, NULL));
    gpr_smoothing_info smoothing = {.struct_size = sizeof smoothing};
    refuses(gpr_result_smoothing(NULL, 0, &smoothing));
    refuses(gpr_result_smoothing(result, 0, NULL));
    assert_null(gpr_result_model(NULL, 0));
    assert_true(isnan(gpr_result_seconds(NULL)));
    assert_int_equal(gpr_result_refit_nodes(NULL), 0);
    assert_int_equal(gpr_model_refit_nodes(NULL), 0);
    assert_int_equal(gpr_result_runs(NULL), 0);
    assert_int_equal(gpr_result_best_run(NULL), 0);
    assert_null(gpr_result_split(NULL));
    refuses(gpr_result_run(NULL, 0, &run));
    refuses(gpr_result_run(result, 0, NULL));
    refuses(gpr_result_json(NULL, result, &json));
    refuses(gpr_result_json(ctx, NULL, &json));
    refuses(gpr_result_json(ctx, result, NULL));
    refuses(gpr_result_save(NULL, result, model, data, folder));
    refuses(gpr_result_save(ctx, NULL, model, data, folder));
    refuses(gpr_result_save(ctx, result, NULL, data, folder));
    refuses(gpr_result_save(ctx, result, model, NULL, folder));
    refuses(gpr_result_save(ctx, result, model, data, NULL));
    refuses(gpr_check_output_dir(NULL));
    gpr_result_free(NULL);
}

static void pages(void **state) {
    (void)state;
    char *page;
    refuses(gpr_page_save(NULL, "x", "run", "{}"));
    refuses(gpr_page_save(ctx, NULL, "run", "{}"));
    refuses(gpr_page_save(ctx, "x", NULL, "{}"));
    refuses(gpr_page_save(ctx, "x", "run", NULL));
    refuses(gpr_page_load(NULL, &page, "x"));
    refuses(gpr_page_load(ctx, NULL, "x"));
    refuses(gpr_page_load(ctx, &page, NULL));
    refuses(gpr_figure_save(NULL, "x", "{}"));
    refuses(gpr_figure_save(ctx, NULL, "{}"));
    refuses(gpr_figure_save(ctx, "x", NULL));
    refuses(gpr_page_figures_save(NULL, "x", "{}", NULL));
    refuses(gpr_page_figures_save(ctx, NULL, "{}", NULL));
    refuses(gpr_page_figures_save(ctx, "x", NULL, NULL));
}

static void models(void **state) {
    (void)state;
    gpr_model *loaded;
    int32_t classes[60];
    uint8_t learned[60];
    int64_t count = 7;
    refuses(gpr_model_save(NULL, model, "x"));
    refuses(gpr_model_save(ctx, NULL, "x"));
    refuses(gpr_model_save(ctx, model, NULL));
    refuses(gpr_model_load(NULL, &loaded, "x"));
    refuses(gpr_model_load(ctx, NULL, "x"));
    refuses(gpr_model_load(ctx, &loaded, NULL));
    refuses(gpr_model_set_embedding(NULL, "isomap"));
    refuses(gpr_model_set_embedding(model, NULL));
    refuses(gpr_model_labels(NULL, model, data, classes));
    refuses(gpr_model_labels(ctx, NULL, data, classes));
    refuses(gpr_model_labels(ctx, model, NULL, classes));
    refuses(gpr_model_labels(ctx, model, data, NULL));
    refuses(gpr_predict(NULL, model, data, classes, NULL));
    refuses(gpr_predict(ctx, NULL, data, classes, NULL));
    refuses(gpr_predict(ctx, model, NULL, classes, NULL));
    float logits[120];
    void *bytes;
    size_t size;
    gpr_weight_info weight = {.struct_size = sizeof weight};
    refuses(gpr_predict_logits(NULL, model, data, logits));
    refuses(gpr_predict_logits(ctx, NULL, data, logits));
    refuses(gpr_predict_logits(ctx, model, NULL, logits));
    refuses(gpr_predict_logits(ctx, model, data, NULL));
    refuses(gpr_predict_with(NULL, model, data, classes, NULL, NULL, NULL));
    refuses(gpr_predict_with(ctx, NULL, data, classes, NULL, NULL, NULL));
    refuses(gpr_predict_with(ctx, model, NULL, classes, NULL, NULL, NULL));
    gpr_predictor *predictor;
    refuses(gpr_predictor_new(NULL, &predictor, model, data, NULL));
    assert_null(predictor);
    refuses(gpr_predictor_new(ctx, NULL, model, data, NULL));
    refuses(gpr_predictor_new(ctx, &predictor, NULL, data, NULL));
    refuses(gpr_predictor_new(ctx, &predictor, model, NULL, NULL));
    refuses(gpr_predictor_rows(NULL, 0, 0, classes, NULL));
    double rates[2][64];
    refuses(gpr_predictor_rates(NULL, rates[0], rates[1]));
    gpr_predictor_free(NULL);
    refuses(gpr_model_known_labels(NULL, model, data, classes));
    refuses(gpr_model_known_labels(ctx, NULL, data, classes));
    refuses(gpr_model_known_labels(ctx, model, NULL, classes));
    refuses(gpr_model_known_labels(ctx, model, data, NULL));
    refuses(gpr_model_learned_nodes(NULL, model, data, learned));
    refuses(gpr_model_learned_nodes(ctx, NULL, data, learned));
    refuses(gpr_model_learned_nodes(ctx, model, NULL, learned));
    refuses(gpr_model_learned_nodes(ctx, model, data, NULL));
    refuses(gpr_model_to_bytes(NULL, &bytes, &size, model));
    refuses(gpr_model_to_bytes(ctx, NULL, &size, model));
    refuses(gpr_model_to_bytes(ctx, &bytes, NULL, model));
    refuses(gpr_model_to_bytes(ctx, &bytes, &size, NULL));
    refuses(gpr_model_from_bytes(NULL, &loaded, "x", 1));
    refuses(gpr_model_from_bytes(ctx, NULL, "x", 1));
    refuses(gpr_model_from_bytes(ctx, &loaded, NULL, 1));
    gpr_inspection *inspection = NULL;
    gpr_inspection_info inspected = {.struct_size = sizeof inspected};
    const double *series;
    const char *inspection_json;
    refuses(gpr_inspection_new(NULL, &inspection, model, NULL, NULL));
    refuses(gpr_inspection_new(ctx, NULL, model, NULL, NULL));
    refuses(gpr_inspection_new(ctx, &inspection, NULL, NULL, NULL));
    refuses(gpr_inspection_of_run(NULL, &inspection, "x", NULL, NULL));
    refuses(gpr_inspection_of_run(ctx, NULL, "x", NULL, NULL));
    refuses(gpr_inspection_of_run(ctx, &inspection, NULL, NULL, NULL));
    refuses(gpr_inspection_describe(NULL, &inspected));
    refuses(gpr_inspection_series(NULL, "gamma", &series, NULL));
    gpr_inspected_column inspected_column = {.struct_size = sizeof inspected_column};
    refuses(gpr_inspection_column(NULL, 0, &inspected_column));
    refuses(gpr_inspection_json(ctx, NULL, &inspection_json));
    assert_int_equal(gpr_inspection_new(ctx, &inspection, model, data, NULL), GPR_OK);
    refuses(gpr_inspection_describe(inspection, NULL));
    refuses(gpr_inspection_series(inspection, NULL, &series, NULL));
    refuses(gpr_inspection_series(inspection, "gamma", NULL, NULL));
    refuses(gpr_inspection_json(NULL, inspection, &inspection_json));
    refuses(gpr_inspection_json(ctx, inspection, NULL));
    gpr_inspection_free(inspection);
    gpr_inspection_free(NULL);
    gpr_explanation *explanation = NULL;
    gpr_explanation_info explained = {.struct_size = sizeof explained};
    gpr_explained_node explained_node = {.struct_size = sizeof explained_node};
    gpr_explained_column explained_column = {.struct_size = sizeof explained_column};
    gpr_importance *importance = NULL;
    gpr_importance_info importance_info = {.struct_size = sizeof importance_info};
    gpr_important_column important = {.struct_size = sizeof important};
    gpr_dataset *run_data = NULL;
    const int64_t first_node = 0;
    refuses(gpr_explanation_new(NULL, &explanation, model, data, &first_node, 1, NULL));
    refuses(gpr_explanation_new(ctx, NULL, model, data, &first_node, 1, NULL));
    refuses(gpr_explanation_new(ctx, &explanation, NULL, data, &first_node, 1, NULL));
    refuses(gpr_explanation_new(ctx, &explanation, model, NULL, &first_node, 1, NULL));
    refuses(gpr_explanation_new(ctx, &explanation, model, data, NULL, 1, NULL));
    refuses(gpr_explanation_describe(NULL, 0, &explained));
    refuses(gpr_explanation_node(NULL, 0, 0, &explained_node));
    refuses(gpr_explanation_column(NULL, 0, 0, &explained_column));
    refuses(gpr_explanation_series(NULL, 0, "hops", &series, NULL));
    refuses(gpr_explanation_json(ctx, NULL, &inspection_json));
    assert_int_equal(gpr_explanation_new(ctx, &explanation, model, data, &first_node, 1, NULL), GPR_OK);
    refuses(gpr_explanation_describe(explanation, 0, NULL));
    refuses(gpr_explanation_node(explanation, 0, 0, NULL));
    refuses(gpr_explanation_column(explanation, 0, 0, NULL));
    refuses(gpr_explanation_series(explanation, 0, NULL, &series, NULL));
    refuses(gpr_explanation_series(explanation, 0, "hops", NULL, NULL));
    refuses(gpr_explanation_json(NULL, explanation, &inspection_json));
    refuses(gpr_explanation_json(ctx, explanation, NULL));
    gpr_explanation_free(explanation);
    gpr_explanation_free(NULL);
    refuses(gpr_importance_new(NULL, &importance, model, data, NULL, NULL));
    refuses(gpr_importance_new(ctx, NULL, model, data, NULL, NULL));
    refuses(gpr_importance_new(ctx, &importance, NULL, data, NULL, NULL));
    refuses(gpr_importance_new(ctx, &importance, model, NULL, NULL, NULL));
    refuses(gpr_importance_describe(NULL, &importance_info));
    refuses(gpr_result_add_importance(NULL, result, model, data, NULL));
    refuses(gpr_result_add_importance(ctx, NULL, model, data, NULL));
    refuses(gpr_result_add_importance(ctx, result, NULL, data, NULL));
    refuses(gpr_result_add_importance(ctx, result, model, NULL, NULL));
    refuses(gpr_importance_column(NULL, 0, &important));
    refuses(gpr_importance_json(ctx, NULL, &inspection_json));
    assert_int_equal(gpr_importance_new(ctx, &importance, model, data, NULL, NULL), GPR_OK);
    refuses(gpr_importance_describe(importance, NULL));
    refuses(gpr_importance_column(importance, 0, NULL));
    refuses(gpr_importance_json(NULL, importance, &inspection_json));
    refuses(gpr_importance_json(ctx, importance, NULL));
    gpr_importance_free(importance);
    gpr_importance_free(NULL);
    refuses(gpr_run_folder_data(NULL, &run_data, model, NULL));
    refuses(gpr_run_folder_data(ctx, NULL, model, NULL));
    refuses(gpr_run_folder_data(ctx, &run_data, NULL, NULL));
    refuses(gpr_model_weight(NULL, 0, &weight));
    refuses(gpr_model_weight(model, 0, NULL));
    gpr_bytes_free(NULL, NULL);
    gpr_bytes_free(ctx, NULL);
    assert_int_equal(gpr_model_weight_count(NULL), 0);
    assert_null(gpr_model_param(NULL, "lr"));
    assert_null(gpr_model_param(model, NULL));
    gpr_split *split_of_model = split;
    refuses(gpr_model_split(NULL, &split_of_model, model, data, NULL));
    assert_null(split_of_model);
    refuses(gpr_model_split(ctx, NULL, model, data, NULL));
    refuses(gpr_model_split(ctx, &split_of_model, NULL, data, NULL));
    refuses(gpr_model_split(ctx, &split_of_model, model, NULL, NULL));
    refuses(gpr_predictions_save(NULL, model, data, "x.csv", 0));
    refuses(gpr_predictions_save(ctx, NULL, data, "x.csv", 0));
    refuses(gpr_predictions_save(ctx, model, NULL, "x.csv", 0));
    refuses(gpr_predictions_save(ctx, model, data, NULL, 0));
    assert_null(gpr_model_name(NULL));
    assert_null(gpr_model_plan(NULL));
    assert_int_equal(gpr_model_features(NULL), 0);
    assert_int_equal(gpr_model_classes(NULL), 0);
    assert_null(gpr_model_gamma(NULL, &count));
    assert_int_equal(count, 0);
    assert_non_null(gpr_model_gamma(model, NULL));
    assert_null(gpr_model_class_name(NULL, 0));
    assert_null(gpr_model_feature_name(NULL, 0));
    assert_null(gpr_model_made_features(NULL));
    assert_null(gpr_model_fingerprint(NULL));
    gpr_model_free(NULL);
}

static void rankings(void **state) {
    (void)state;
    gpr_ranking *made;
    gpr_ranking_info info = {.struct_size = sizeof info};
    const int64_t seed = 3;
    int64_t node, count = 7;
    refuses(gpr_dataset_find_node(NULL, &node, data, "3"));
    refuses(gpr_dataset_find_node(ctx, NULL, data, "3"));
    refuses(gpr_dataset_find_node(ctx, &node, NULL, "3"));
    refuses(gpr_dataset_find_node(ctx, &node, data, NULL));
    refuses(gpr_rank(NULL, &made, data, &seed, 1, NULL));
    assert_null(made);
    refuses(gpr_rank(ctx, NULL, data, &seed, 1, NULL));
    refuses(gpr_rank(ctx, &made, NULL, &seed, 1, NULL));
    refuses(gpr_rank(ctx, &made, data, NULL, 1, NULL));
    refuses(gpr_ranking_describe(NULL, &info));
    assert_null(gpr_ranking_nodes(NULL, &count));
    assert_int_equal(count, 0);
    assert_null(gpr_ranking_scores(NULL, NULL));
    assert_null(gpr_ranking_degrees(NULL, NULL));
    assert_null(gpr_ranking_cluster(NULL, NULL));
    clears(gpr_dataset_find_node(ctx, &node, data, "3"));
    clears(gpr_rank(ctx, &made, data, &seed, 1, NULL));
    clears(gpr_ranking_describe(made, &info));
    refuses(gpr_ranking_describe(made, NULL));
    assert_null(gpr_ranking_cluster(made, &count)); /* none was asked for */
    assert_int_equal(count, 0);
    gpr_ranking_free(made);
    gpr_ranking_free(NULL);
}

static void metrics(void **state) {
    (void)state;
    const float proba[] = {0.25f, 0.75f};
    const int32_t labels[] = {1};
    gpr_metrics *made;
    gpr_metrics_info info = {.struct_size = sizeof info};
    gpr_class_metrics of_class = {.struct_size = sizeof of_class};
    double value;
    refuses(gpr_metrics_new(NULL, &made, proba, labels, 1, 2, NULL));
    assert_null(made);
    refuses(gpr_metrics_new(ctx, NULL, proba, labels, 1, 2, NULL));
    refuses(gpr_metrics_new(ctx, &made, NULL, labels, 1, 2, NULL));
    refuses(gpr_metrics_new(ctx, &made, proba, NULL, 1, 2, NULL));
    clears(gpr_metrics_new(ctx, &made, proba, labels, 1, 2, NULL));
    refuses(gpr_metrics_value(NULL, "accuracy", &value));
    refuses(gpr_metrics_value(made, NULL, &value));
    refuses(gpr_metrics_value(made, "accuracy", NULL));
    clears(gpr_metrics_value(made, "accuracy", &value));
    refuses(gpr_metrics_describe(NULL, &info));
    refuses(gpr_metrics_describe(made, NULL));
    clears(gpr_metrics_describe(made, &info));
    refuses(gpr_metrics_class(NULL, 0, &of_class));
    refuses(gpr_metrics_class(made, 0, NULL));
    refuses(gpr_metrics_class(made, 2, &of_class));
    clears(gpr_metrics_class(made, 0, &of_class));
    assert_null(gpr_metrics_confusion(NULL, NULL));
    assert_non_null(gpr_metrics_confusion(made, NULL));
    gpr_metrics_free(made);
    gpr_metrics_free(NULL);
    assert_null(gpr_metric_word(-1));
    assert_null(gpr_baseline_word(-1));
    assert_null(gpr_result_metrics(NULL, 0, GPR_TEST));
    assert_non_null(gpr_result_metrics(result, 0, GPR_TEST));
    assert_null(gpr_result_baseline(NULL, 0, 0));
    assert_null(gpr_result_baseline(result, 0, 0));
    assert_null(gpr_result_caution(NULL, 0));
    char note[8];
    assert_null(gpr_result_headline(NULL));
    assert_null(gpr_result_note(NULL, 0, note, sizeof note));
    assert_null(gpr_result_note(result, 0, NULL, 8));
    assert_null(gpr_result_note(result, -1, note, sizeof note));
    refuses(gpr_result_baseline_mean(NULL, 0, "accuracy", &value, NULL));
    refuses(gpr_result_baseline_mean(result, 0, NULL, &value, NULL));
    refuses(gpr_result_baseline_mean(result, 0, "accuracy", NULL, NULL));
    refuses(gpr_result_add_baselines(NULL, result, data));
    refuses(gpr_result_add_baselines(ctx, NULL, data));
    refuses(gpr_result_add_baselines(ctx, result, NULL));
    clears(gpr_result_add_baselines(ctx, result, data));
    clears(gpr_result_baseline_mean(result, 0, "accuracy", &value, NULL));
    assert_non_null(gpr_result_baseline(result, 0, 0));
}

static void utilities(void **state) {
    (void)state;
    const char *const words[] = {"alpha", NULL, "beta"}, *const none[] = {NULL, NULL};
    assert_null(gpr_nearest_word(NULL, words, 3));
    assert_null(gpr_nearest_word("alpha", NULL, 3));
    assert_string_equal(gpr_nearest_word("bete", words, 3), "beta");
    assert_null(gpr_nearest_word("beta", none, 2));
    assert_int_equal(gpr_text_printable(NULL, 0, NULL), 0);
    assert_int_equal(gpr_text_csv(NULL, 0, NULL), 0);
    assert_int_equal(gpr_text_json(NULL, 0, NULL), 2);
    refuses(gpr_verify(NULL, "x", NULL, NULL));
    gpr_comparison *comparison;
    gpr_compared_info training = {.struct_size = sizeof training};
    gpr_compared_pair_info pair = {.struct_size = sizeof pair};
    const char *const paths[] = {"x", NULL};
    refuses(gpr_compare(NULL, &comparison, paths, 2, NULL));
    refuses(gpr_compare(ctx, NULL, paths, 2, NULL));
    refuses(gpr_compare(ctx, &comparison, NULL, 2, NULL));
    refuses(gpr_compare(ctx, &comparison, paths, 2, NULL)); /* its second path */
    assert_null(comparison);
    refuses(gpr_comparison_training(NULL, 0, &training));
    refuses(gpr_comparison_pair(NULL, 0, &pair));
    assert_int_equal(gpr_comparison_count(NULL), 0);
    assert_int_equal(gpr_comparison_pairs(NULL), 0);
    assert_null(gpr_comparison_json(NULL));
    assert_null(gpr_comparison_metric(NULL));
    gpr_comparison_free(NULL);
    refuses(gpr_write_file(NULL, "x", 1));
    refuses(gpr_write_file("x", NULL, 1));
    gpr_file *file;
    refuses(gpr_file_new(NULL, &file, "x"));
    assert_null(file);
    refuses(gpr_file_new(ctx, NULL, "x"));
    refuses(gpr_file_new(ctx, &file, NULL));
    refuses(gpr_file_write(NULL, "x", 1));
    refuses(gpr_file_commit(NULL));
    gpr_file_free(NULL);
}

static int stop_now(void *user, const gpr_progress *p) {
    (void)user, (void)p;
    return 1;
}

/* The same of a training that was stopped. */
static void resumes_without_message(void **state) {
    (void)state;
    gpr_ctx *other;
    gpr_ctx_options options = {.struct_size = sizeof options, .threads = 1, .progress = stop_now};
    gpr_model *some_model;
    gpr_result *some_result;
    void *bytes;
    size_t size;
    assert_ok(gpr_ctx_new(&other, &options));
    assert_int_equal(gpr_train(other, &some_model, &some_result, data, params), GPR_STOPPED);
    clears(gpr_result_state(other, some_result, &bytes, &size));
    gpr_result_free(some_result);
    gpr_model_free(some_model);
    clears(gpr_train_resume(ctx, &some_model, &some_result, data, params, bytes, size));
    gpr_result_free(some_result);
    gpr_model_free(some_model);
    gpr_bytes_free(other, bytes);
    gpr_ctx_free(other);
}

static void success_has_no_message(void **state) {
    (void)state;
    gpr_ctx *other;
    gpr_dataset *made;
    gpr_params *some;
    gpr_model *some_model;
    gpr_result *some_result;
    gpr_split *some_split;
    gpr_csbm_options csbm;
    gpr_param_info param = {.struct_size = sizeof param};
    gpr_dataset_info info = {.struct_size = sizeof info};
    gpr_fetch_info set = {.struct_size = sizeof set};
    gpr_fetch_file_info file = {.struct_size = sizeof file};
    gpr_fetch_state found;
    gpr_run_info run = {.struct_size = sizeof run};
    gpr_open_options options = {.struct_size = sizeof options, .data = "csbm:n=60,f=10"};
    const int64_t source[] = {0}, target[] = {1};
    const int32_t labels[] = {0, 1};
    const gpr_dataset_desc desc = {
        .struct_size = sizeof desc, .nodes = 2, .edges = 1, .src = source, .dst = target, .labels = labels};
    int64_t numbers[4];
    int32_t classes[60];
    uint8_t learned[60];
    char path[256];
    const char *json;
    int index;
    clears(gpr_ctx_new(&other, NULL));
    clears(gpr_ctx_set_threads(other, 1));
    clears(gpr_ctx_set_device(other, "cpu"));
    clears(gpr_ctx_set_device(other, "auto"));
    clears(gpr_ctx_join(other, "none"));
    gpr_ctx_free(other);
    clears(gpr_param_describe(0, &param));
    clears(gpr_data_option_describe(0, &param));
    clears(gpr_open_options_set(&options, "edges", NULL));
    clears(gpr_params_new(ctx, &some));
    clears(gpr_params_set(some, "epochs", "2"));
    assert_ok(gpr_write_file(in_folder("config"), "epochs = 3\n", 11));
    clears(gpr_params_load(some, in_folder("config")));
    clears(gpr_params_check(some));
    clears(gpr_dataset_new(ctx, &made, &desc));
    gpr_dataset_free(made);
    gpr_csbm_defaults(&csbm);
    csbm.nodes = 60, csbm.features = 10;
    clears(gpr_dataset_csbm(ctx, &made, &csbm));
    gpr_powerlaw_options powerlaw;
    gpr_powerlaw_options_init(&powerlaw, sizeof powerlaw);
    powerlaw.nodes = 100, powerlaw.edges = 300;
    clears(gpr_powerlaw_save(ctx, NULL, in_folder("powerlaw.gpr"), &powerlaw));
    clears(gpr_params_preset(some, "paper", made));
    gpr_dataset_free(made);
    clears(gpr_dataset_open(ctx, &made, "csbm:n=60,f=10", NULL));
    clears(gpr_dataset_save(ctx, made, in_folder("data.npz")));
    clears(gpr_dataset_save_as(ctx, made, in_folder("data"), "gpr"));
    gpr_dataset_free(made);
    clears(gpr_dataset_open_as(ctx, &made, in_folder("data"), NULL, NULL));
    gpr_dataset_free(made);
    clears(gpr_dataset_open_with(ctx, &made, &options));
    gpr_dataset_free(made);
    assert_ok(gpr_write_file(in_folder("graph.txt"), "0 1\n1 2\n", 8)); /* other formats are tried first */
    clears(gpr_dataset_open(ctx, &made, in_folder("graph.txt"), NULL));
    gpr_dataset_free(made);
    clears(gpr_convert(ctx, NULL, &options, in_folder("copy.npz"), NULL));
    clears(gpr_dataset_describe(ctx, data, &info));
    gpr_relation_measures measures = {.struct_size = sizeof measures};
    clears(gpr_dataset_describe_relation(ctx, data, 0, &measures));
    gpr_relation_arrays of_one = {.struct_size = sizeof of_one};
    clears(gpr_dataset_relation_arrays(ctx, data, 0, &of_one));
    clears(gpr_dataset_check(ctx, data));
    gpr_fault_info fault = {.struct_size = sizeof fault};
    clears(gpr_dataset_known_fault(ctx, data, 0, &fault));
    int published;
    clears(gpr_dataset_published(ctx, data, &published));
    clears(gpr_dataset_class_sizes(ctx, data, numbers));
    clears(gpr_dataset_class_edges(ctx, data, numbers));
    clears(gpr_fetch_find("cora", &index));
    clears(gpr_fetch_describe(index, &set));
    clears(gpr_fetch_file(index, 0, &file));
    clears(gpr_fetch_present(ctx, index, folder, numbers));
    clears(gpr_fetch_verify(ctx, index, 0, folder, &found, NULL, 0));
    clears(gpr_fetch_folder(ctx, path, sizeof path, folder));
    clears(gpr_split_new(ctx, &some_split, data, "dense", 1, 0));
    clears(gpr_split_save(ctx, some_split, in_folder("split.npz")));
    const gpr_split *const splits[] = {some_split};
    clears(gpr_train_splits(ctx, &some_model, &some_result, data, params, splits, 1));
    gpr_result_free(some_result);
    gpr_model_free(some_model);
    gpr_split_free(some_split);
    clears(gpr_split_from_parts(ctx, &some_split, data, gpr_split_parts(split, NULL), 60));
    gpr_split_free(some_split);
    clears(gpr_train(ctx, &some_model, &some_result, data, params));
    clears(gpr_result_run(some_result, 0, &run));
    double mean;
    const double *values;
    gpr_embedding_info embedding = {.struct_size = sizeof embedding};
    clears(gpr_result_mean(some_result, "test_accuracy", &mean, NULL, NULL));
    clears(gpr_result_history(some_result, 0, "val_loss", &values, NULL));
    const float *gamma_rows;
    int64_t row_count;
    clears(gpr_result_gamma_history(some_result, 0, &gamma_rows, &row_count, NULL, NULL));
    clears(gpr_result_embedding(some_result, &embedding));
    gpr_smoothing_info smoothing = {.struct_size = sizeof smoothing};
    clears(gpr_result_smoothing(some_result, 0, &smoothing));
    clears(gpr_result_json(ctx, some_result, &json));
    clears(gpr_check_output_dir(in_folder("out")));
    clears(gpr_result_save(ctx, some_result, some_model, data, in_folder("out")));
    char *page;
    int64_t figures;
    clears(gpr_page_load(ctx, &page, in_folder("out/report.html")));
    clears(gpr_page_save(ctx, in_folder("page"), "run", page));
    clears(gpr_page_figures_save(ctx, in_folder("figures"), page, &figures));
    clears(gpr_figure_save(ctx, in_folder("figure"), "{\"type\": \"lines\", \"series\": [{\"values\": [1]}]}"));
    gpr_bytes_free(ctx, page);
    clears(gpr_model_save(ctx, some_model, in_folder("model")));
    gpr_model_free(some_model);
    gpr_result_free(some_result);
    void *bytes;
    size_t size;
    gpr_weight_info weight = {.struct_size = sizeof weight};
    clears(gpr_model_to_bytes(ctx, &bytes, &size, model));
    clears(gpr_model_from_bytes(ctx, &some_model, bytes, size));
    clears(gpr_model_weight(some_model, 0, &weight));
    gpr_bytes_free(ctx, bytes);
    gpr_model_free(some_model);
    clears(gpr_model_load(ctx, &some_model, in_folder("model")));
    gpr_model_free(some_model);
    gpr_inspection *inspection;
    gpr_inspection_info inspected = {.struct_size = sizeof inspected};
    const double *series;
    clears(gpr_inspection_new(ctx, &inspection, model, data, NULL));
    clears(gpr_inspection_describe(inspection, &inspected));
    clears(gpr_inspection_series(inspection, "density", &series, NULL));
    clears(gpr_inspection_json(ctx, inspection, &json));
    gpr_inspection_free(inspection);
    clears(gpr_inspection_of_run(ctx, &inspection, in_folder("out"), data, NULL));
    gpr_inspection_free(inspection);
    gpr_explanation *explanation;
    gpr_explanation_info explained = {.struct_size = sizeof explained};
    gpr_explained_column explained_column = {.struct_size = sizeof explained_column};
    gpr_importance *importance;
    gpr_importance_info importance_info = {.struct_size = sizeof importance_info};
    gpr_important_column important = {.struct_size = sizeof important};
    gpr_dataset *run_data;
    const int64_t first_node = 0;
    clears(gpr_explanation_new(ctx, &explanation, model, data, &first_node, 1, NULL));
    clears(gpr_explanation_describe(explanation, 0, &explained));
    clears(gpr_explanation_column(explanation, 0, 0, &explained_column));
    clears(gpr_explanation_series(explanation, 0, "hops", &series, NULL));
    clears(gpr_explanation_json(ctx, explanation, &json));
    gpr_explanation_free(explanation);
    clears(gpr_importance_new(ctx, &importance, model, data, NULL, NULL));
    clears(gpr_importance_describe(importance, &importance_info));
    clears(gpr_importance_column(importance, 0, &important));
    clears(gpr_importance_json(ctx, importance, &json));
    gpr_importance_free(importance);
    clears(gpr_run_folder_data(ctx, &run_data, model, NULL));
    gpr_dataset_free(run_data);
    clears(gpr_model_labels(ctx, model, data, classes));
    clears(gpr_model_known_labels(ctx, model, data, classes));
    clears(gpr_model_learned_nodes(ctx, model, data, learned));
    clears(gpr_predict(ctx, model, data, classes, NULL));
    float logits[120];
    clears(gpr_predict_logits(ctx, model, data, logits));
    clears(gpr_predict_with(ctx, model, data, NULL, NULL, logits, NULL));
    gpr_predictor *predictor = NULL;
    clears(gpr_predictor_new(ctx, &predictor, model, data, NULL));
    clears(gpr_predictor_rows(predictor, 0, 1, classes, NULL));
    gpr_predictor_free(predictor);
    clears(gpr_predictions_save(ctx, model, data, in_folder("predictions.csv"), 1));
    gpr_split *split_of_model = NULL;
    clears(gpr_model_split(ctx, &split_of_model, model, data, NULL));
    gpr_split_free(split_of_model);
    clears(gpr_write_file(in_folder("text"), "x", 1));
    gpr_file *pieces = NULL;
    clears(gpr_file_new(ctx, &pieces, in_folder("text")));
    clears(gpr_file_write(pieces, "x", 1));
    clears(gpr_file_commit(pieces));
    gpr_file_free(pieces);
    gpr_params_free(some);
}

static void studies_and_searches(void **state) {
    (void)state;
    gpr_study *study;
    gpr_search *search;
    int64_t cell;
    double values[4];
    const char *text;
    gpr_cell_info info = {.struct_size = sizeof info};
    gpr_statistics_info statistics = {.struct_size = sizeof statistics};
    gpr_setting_info setting = {.struct_size = sizeof setting};
    refuses(gpr_params_load_preset(NULL, "file"));
    refuses(gpr_params_load_preset(params, NULL));
    refuses(gpr_study_open(NULL, &study, NULL));
    refuses(gpr_study_open(ctx, NULL, NULL));
    clears(gpr_study_open(ctx, &study, in_folder("runs.jsonl")));
    refuses(gpr_study_include(NULL, "file"));
    refuses(gpr_study_include(study, NULL));
    refuses(gpr_study_add(NULL, data, params, 0, &cell));
    refuses(gpr_study_add(study, NULL, params, 0, &cell));
    refuses(gpr_study_add(study, data, NULL, 0, &cell));
    refuses(gpr_study_add(study, data, params, 0, NULL));
    refuses(gpr_study_add_named(NULL, "a", "0", params, 0, &cell));
    refuses(gpr_study_add_named(study, NULL, "0", params, 0, &cell));
    refuses(gpr_study_add_named(study, "a", NULL, params, 0, &cell));
    refuses(gpr_study_add_named(study, "a", "0", NULL, 0, &cell));
    refuses(gpr_study_add_named(study, "a", "0", params, 0, NULL));
    refuses(gpr_study_add_named(study, "a", "0", params, 0, &cell)); /* no fingerprint */
    clears(gpr_study_add(study, data, params, 0, &cell));
    refuses(gpr_study_run(NULL, 1, NULL, NULL));
    clears(gpr_study_run(study, 1, NULL, NULL));
    clears(gpr_study_include(study, in_folder("runs.jsonl")));
    assert_int_equal(gpr_study_cells(NULL), 0);
    refuses(gpr_study_cell(NULL, 0, &info));
    refuses(gpr_study_cell(study, 0, NULL));
    clears(gpr_study_cell(study, 0, &info));
    assert_null(gpr_study_param(NULL, 0, "lr"));
    assert_null(gpr_study_param(study, 0, NULL));
    refuses(gpr_study_values(NULL, 0, "val_loss", values));
    refuses(gpr_study_values(study, 0, NULL, values));
    refuses(gpr_study_values(study, 0, "val_loss", NULL));
    clears(gpr_study_values(study, 0, "val_loss", values));
    assert_null(gpr_study_gamma(NULL, 0, 0, NULL));
    assert_non_null(gpr_study_gamma(study, 0, 0, NULL));
    refuses(gpr_statistics(NULL, 1, &statistics));
    refuses(gpr_statistics(values, 1, NULL));
    clears(gpr_statistics(values, 1, &statistics));

    const gpr_search_options options = {.struct_size = sizeof options, .grid = "lr=0.1"};
    refuses(gpr_search_new(NULL, &search, data, params, NULL));
    refuses(gpr_search_new(ctx, NULL, data, params, NULL));
    refuses(gpr_search_new(ctx, &search, NULL, params, NULL));
    refuses(gpr_search_new(ctx, &search, data, NULL, NULL));
    clears(gpr_search_new(ctx, &search, data, params, NULL));
    gpr_search_free(search);
    clears(gpr_search_new(ctx, &search, data, params, &options));
    gpr_forecast_info forecast = {.struct_size = sizeof forecast};
    refuses(gpr_search_forecast(NULL, study, 1, NULL, NULL, &forecast));
    refuses(gpr_search_forecast(search, NULL, 1, NULL, NULL, &forecast));
    refuses(gpr_search_forecast(search, study, 1, NULL, NULL, NULL));
    refuses(gpr_search_forecast(search, study, -1, NULL, NULL, &forecast));
    clears(gpr_search_forecast(search, study, 1, NULL, NULL, &forecast));
    refuses(gpr_search_run(NULL, study, 1, NULL, NULL));
    refuses(gpr_search_run(search, NULL, 1, NULL, NULL));
    clears(gpr_search_run(search, study, 1, NULL, NULL));
    assert_int_equal(gpr_search_count(NULL), 0);
    refuses(gpr_search_setting(NULL, 0, &setting));
    refuses(gpr_search_setting(search, 0, NULL));
    clears(gpr_search_setting(search, 0, &setting));
    assert_null(gpr_search_param(NULL, 0, "lr"));
    assert_null(gpr_search_param(search, 0, NULL));
    refuses(gpr_search_preset(NULL, 0, &text));
    refuses(gpr_search_preset(search, 0, NULL));
    clears(gpr_search_preset(search, 0, &text));
    refuses(gpr_search_json(NULL, &text));
    refuses(gpr_search_json(search, NULL));
    clears(gpr_search_json(search, &text));
    refuses(gpr_search_save(NULL, folder));
    refuses(gpr_search_save(search, NULL));
    clears(gpr_search_save(search, folder));
    refuses(gpr_search_check_dir(NULL, folder));
    refuses(gpr_search_check_dir(search, NULL));
    clears(gpr_search_check_dir(search, folder));
    gpr_search_free(search);
    gpr_search_free(NULL);
    gpr_study_close(study);
    gpr_study_close(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(context_and_params),
        cmocka_unit_test(datasets),
        cmocka_unit_test(downloads),
        cmocka_unit_test(splits_and_training),
        cmocka_unit_test(pages),
        cmocka_unit_test(models),
        cmocka_unit_test(rankings),
        cmocka_unit_test(utilities),
        cmocka_unit_test(success_has_no_message),
        cmocka_unit_test(resumes_without_message),
        cmocka_unit_test(studies_and_searches),
        cmocka_unit_test(metrics),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
