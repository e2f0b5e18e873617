"""include/gprgnn.h for ctypes. Written by python/declare.py: change the header, then run that."""
# mypy: ignore-errors
import ctypes as C

GPR_VERSION_MAJOR = 0
GPR_VERSION_MINOR = 2
GPR_VERSION_PATCH = 0
GPR_VERSION_STRING = "0.2.0"

GPR_UNKNOWN_CLASS = -2
GPR_OK = 0
GPR_STOPPED = 1
GPR_PARTIAL = 2
GPR_ERROR_ARGUMENT = -1
GPR_ERROR_MEMORY = -2
GPR_ERROR_IO = -3
GPR_ERROR_FORMAT = -4
GPR_ERROR_MISMATCH = -5
GPR_ERROR_NOT_FOUND = -6
GPR_ERROR_NUMERIC = -7
GPR_ERROR_NETWORK = -8
GPR_ERROR_STOPPED = -9
GPR_LOG_WARNING = 1
GPR_LOG_INFO = 2
GPR_LOG_DEBUG = 3
GPR_LOG_NOTICE = 4
GPR_FETCH_MISSING = 0
GPR_FETCH_CORRECT = 1
GPR_FETCH_OTHER = 2
GPR_FETCH_DAMAGED = 3
GPR_UNUSED = 0
GPR_TRAIN = 1
GPR_VAL = 2
GPR_TEST = 3
GPR_MEASURE_TOP_SHARE = 1
GPR_MEASURE_GAMMA_HISTORY = 2
GPR_FILTER_NONE = 0
GPR_FILTER_LOW_PASS = 1
GPR_FILTER_HIGH_PASS = 2
GPR_FILTER_NEITHER = 3
GPR_JUDGED_ON_NOTHING = 0
GPR_JUDGED_ON_INTERVAL = 1
GPR_JUDGED_ON_RANGE = 2
GPR_JUDGED_ON_EIGENVALUES = 3
GPR_VERDICT_OK = 0
GPR_VERDICT_DAMAGED = 1
GPR_VERDICT_MISSING = 2
GPR_VERDICT_UNKNOWN = 3


class gpr_ctx(C.Structure):
    """A handle."""


class gpr_progress(C.Structure):
    pass


class gpr_allocator(C.Structure):
    pass


class gpr_ctx_options(C.Structure):
    pass


class gpr_params(C.Structure):
    """A handle."""


class gpr_param_info(C.Structure):
    pass


class gpr_dataset(C.Structure):
    """A handle."""


class gpr_dataset_desc(C.Structure):
    pass


class gpr_open_options(C.Structure):
    pass


class gpr_arrays_info(C.Structure):
    pass


class gpr_relation_arrays(C.Structure):
    pass


class gpr_column_info(C.Structure):
    pass


class gpr_plan(C.Structure):
    """A handle."""


class gpr_convert_progress(C.Structure):
    pass


class gpr_convert_options(C.Structure):
    pass


class gpr_convert_result(C.Structure):
    pass


class gpr_csbm_options(C.Structure):
    pass


class gpr_powerlaw_options(C.Structure):
    pass


class gpr_dataset_info(C.Structure):
    pass


class gpr_relation_measures(C.Structure):
    pass


class gpr_fetch_info(C.Structure):
    pass


class gpr_fetch_file_info(C.Structure):
    pass


class gpr_fetch_progress(C.Structure):
    pass


class gpr_fetch_options(C.Structure):
    pass


class gpr_fetch_result(C.Structure):
    pass


class gpr_split(C.Structure):
    """A handle."""


class gpr_model(C.Structure):
    """A handle."""


class gpr_result(C.Structure):
    """A handle."""


class gpr_run_info(C.Structure):
    pass


class gpr_embedding_info(C.Structure):
    pass


class gpr_state(C.Structure):
    pass


class gpr_save_info(C.Structure):
    pass


class gpr_train_options(C.Structure):
    pass


class gpr_failure_info(C.Structure):
    pass


class gpr_run_folder(C.Structure):
    """A handle."""


class gpr_weight_info(C.Structure):
    pass


class gpr_filter_info(C.Structure):
    pass


class gpr_predict_options(C.Structure):
    pass


class gpr_predictor(C.Structure):
    """A handle."""


class gpr_study(C.Structure):
    """A handle."""


class gpr_study_progress(C.Structure):
    pass


class gpr_cell_info(C.Structure):
    pass


class gpr_statistics_info(C.Structure):
    pass


class gpr_search(C.Structure):
    """A handle."""


class gpr_search_options(C.Structure):
    pass


class gpr_forecast_info(C.Structure):
    pass


class gpr_setting_info(C.Structure):
    pass


class gpr_ranking(C.Structure):
    """A handle."""


class gpr_rank_options(C.Structure):
    pass


class gpr_ranking_info(C.Structure):
    pass


class gpr_fault_info(C.Structure):
    pass


class gpr_comparison(C.Structure):
    """A handle."""


class gpr_compare_options(C.Structure):
    pass


class gpr_compared_info(C.Structure):
    pass


class gpr_compared_pair_info(C.Structure):
    pass


class gpr_inspection(C.Structure):
    """A handle."""


class gpr_inspection_info(C.Structure):
    pass


class gpr_inspected_column(C.Structure):
    pass


class gpr_inspected_filter(C.Structure):
    pass


class gpr_explanation(C.Structure):
    """A handle."""


class gpr_explain_options(C.Structure):
    pass


class gpr_explanation_info(C.Structure):
    pass


class gpr_explained_node(C.Structure):
    pass


class gpr_explained_column(C.Structure):
    pass


class gpr_explained_filter(C.Structure):
    pass


class gpr_importance(C.Structure):
    """A handle."""


class gpr_importance_options(C.Structure):
    pass


class gpr_importance_info(C.Structure):
    pass


class gpr_important_column(C.Structure):
    pass


class gpr_metrics(C.Structure):
    """A handle."""


class gpr_metrics_options(C.Structure):
    pass


class gpr_metrics_info(C.Structure):
    pass


class gpr_class_metrics(C.Structure):
    pass


class gpr_smoothing_info(C.Structure):
    pass


class gpr_verify_info(C.Structure):
    pass


class gpr_file(C.Structure):
    """A handle."""


gpr_log_fn = C.CFUNCTYPE(None, C.c_void_p, C.c_int, C.c_char_p)
gpr_progress_fn = C.CFUNCTYPE(C.c_int, C.c_void_p, C.POINTER(gpr_progress))
gpr_convert_progress_fn = C.CFUNCTYPE(C.c_int, C.c_void_p, C.POINTER(gpr_convert_progress))
gpr_fetch_progress_fn = C.CFUNCTYPE(C.c_int, C.c_void_p, C.POINTER(gpr_fetch_progress))
gpr_save_fn = C.CFUNCTYPE(C.c_int, C.c_void_p, C.POINTER(gpr_save_info))
gpr_save_due_fn = C.CFUNCTYPE(C.c_int, C.c_void_p, C.POINTER(gpr_progress))
gpr_study_progress_fn = C.CFUNCTYPE(C.c_int, C.c_void_p, C.POINTER(gpr_study_progress))
gpr_importance_progress_fn = C.CFUNCTYPE(C.c_int, C.c_void_p, C.c_int64, C.c_int64)
gpr_verify_fn = C.CFUNCTYPE(C.c_int, C.c_void_p, C.POINTER(gpr_verify_info))

gpr_progress._fields_ = [
    ("struct_size", C.c_size_t),
    ("run", C.c_int64),
    ("runs", C.c_int64),
    ("epoch", C.c_int64),
    ("epochs", C.c_int64),
    ("train_loss", C.c_double),
    ("val_loss", C.c_double),
    ("val_accuracy", C.c_double),
    ("test_accuracy", C.c_double),
    ("best_epoch", C.c_int64),
    ("stage", C.c_char_p),
    ("share", C.c_double),
    ("file", C.c_char_p),
    ("candidate", C.c_char_p),
    ("candidate_index", C.c_int64),
    ("candidates", C.c_int64),
    ("refits", C.c_int64),
    ("may_end_early", C.c_int),
]

gpr_allocator._fields_ = [
    ("resize", C.CFUNCTYPE(C.c_void_p, C.c_void_p, C.c_void_p, C.c_size_t)),
    ("release", C.CFUNCTYPE(None, C.c_void_p, C.c_void_p)),
    ("user", C.c_void_p),
]

gpr_ctx_options._fields_ = [
    ("struct_size", C.c_size_t),
    ("threads", C.c_int),
    ("cpu", C.c_char_p),
    ("log", gpr_log_fn),
    ("progress", gpr_progress_fn),
    ("user", C.c_void_p),
    ("allocator", gpr_allocator),
    ("device", C.c_char_p),
    ("quiet", C.c_int),
]

gpr_param_info._fields_ = [
    ("struct_size", C.c_size_t),
    ("name", C.c_char_p),
    ("type", C.c_char_p),
    ("fallback", C.c_char_p),
    ("range", C.c_char_p),
    ("models", C.c_char_p),
    ("group", C.c_char_p),
    ("help", C.c_char_p),
    ("value", C.c_char_p),
    ("left_out", C.c_int),
]

gpr_dataset_desc._fields_ = [
    ("struct_size", C.c_size_t),
    ("name", C.c_char_p),
    ("nodes", C.c_int64),
    ("edges", C.c_int64),
    ("src", C.POINTER(C.c_int64)),
    ("dst", C.POINTER(C.c_int64)),
    ("weights", C.POINTER(C.c_float)),
    ("features", C.c_int64),
    ("dense", C.POINTER(C.c_float)),
    ("indptr", C.POINTER(C.c_int64)),
    ("indices", C.POINTER(C.c_int32)),
    ("values", C.POINTER(C.c_float)),
    ("labels", C.POINTER(C.c_int32)),
    ("classes", C.c_int64),
    ("class_names", C.POINTER(C.c_char_p)),
    ("node_ids", C.POINTER(C.c_char_p)),
    ("feature_names", C.POINTER(C.c_char_p)),
    ("indptr_length", C.c_int64),
    ("indices_length", C.c_int64),
    ("index_bits", C.c_int),
    ("adj_indptr", C.c_void_p),
    ("adj_indices", C.c_void_p),
    ("adj_values", C.POINTER(C.c_float)),
    ("adj_indptr_length", C.c_int64),
    ("adj_indices_length", C.c_int64),
    ("feature_indptr", C.c_void_p),
    ("feature_indices", C.c_void_p),
    ("node_weights", C.POINTER(C.c_float)),
    ("relation_count", C.c_int64),
    ("relation_names", C.POINTER(C.c_char_p)),
    ("edge_relation", C.POINTER(C.c_int32)),
    ("targets", C.POINTER(C.c_float)),
]

gpr_open_options._fields_ = [
    ("struct_size", C.c_size_t),
    ("data", C.c_char_p),
    ("data_dir", C.c_char_p),
    ("format", C.c_char_p),
    ("edges", C.c_char_p),
    ("weight", C.c_char_p),
    ("nodes", C.c_char_p),
    ("id", C.c_char_p),
    ("label", C.c_char_p),
    ("drop", C.c_char_p),
    ("fill", C.c_char_p),
    ("features", C.c_char_p),
    ("labels", C.c_char_p),
    ("delimiter", C.c_char_p),
    ("header", C.c_char_p),
    ("model_features", C.c_int64),
    ("model_names", C.POINTER(C.c_char_p)),
    ("memory", C.c_int64),
    ("no_map", C.c_int),
    ("split_column", C.c_char_p),
    ("val_from", C.c_char_p),
    ("test_from", C.c_char_p),
    ("source", C.c_char_p),
    ("target", C.c_char_p),
    ("more_edges", C.POINTER(C.c_char_p)),
    ("more_count", C.c_int64),
    ("edge_weights", C.POINTER(C.c_double)),
    ("duplicates", C.c_char_p),
    ("unknown", C.c_char_p),
    ("encoding", C.c_char_p),
    ("default_features", C.c_char_p),
    ("categorical", C.c_char_p),
    ("numeric", C.c_char_p),
    ("date", C.c_char_p),
    ("max_values", C.c_int64),
    ("plan", C.POINTER(gpr_plan)),
    ("sample_weight", C.c_char_p),
    ("relation", C.c_char_p),
    ("words", C.c_char_p),
    ("time", C.c_char_p),
    ("task", C.c_char_p),
]

gpr_arrays_info._fields_ = [
    ("struct_size", C.c_size_t),
    ("name", C.c_char_p),
    ("nodes", C.c_int64),
    ("features", C.c_int64),
    ("adj_indptr", C.POINTER(C.c_int64)),
    ("adj_indices", C.POINTER(C.c_int32)),
    ("adj_values", C.POINTER(C.c_float)),
    ("dense", C.POINTER(C.c_float)),
    ("feature_indptr", C.POINTER(C.c_int64)),
    ("feature_indices", C.POINTER(C.c_int32)),
    ("feature_values", C.POINTER(C.c_float)),
    ("labels", C.POINTER(C.c_int32)),
    ("node_weights", C.POINTER(C.c_float)),
    ("targets", C.POINTER(C.c_float)),
]

gpr_relation_arrays._fields_ = [
    ("struct_size", C.c_size_t),
    ("name", C.c_char_p),
    ("adj_indptr", C.POINTER(C.c_int64)),
    ("adj_indices", C.POINTER(C.c_int32)),
    ("adj_values", C.POINTER(C.c_float)),
    ("sides", C.POINTER(C.c_uint8)),
    ("along", C.POINTER(C.c_float)),
]

gpr_column_info._fields_ = [
    ("struct_size", C.c_size_t),
    ("name", C.c_char_p),
    ("role", C.c_char_p),
    ("kind", C.c_char_p),
    ("done", C.c_char_p),
    ("distinct", C.c_int64),
    ("missing", C.c_int64),
    ("odd", C.c_int64),
    ("features", C.c_int64),
]

gpr_convert_progress._fields_ = [
    ("struct_size", C.c_size_t),
    ("stage", C.c_char_p),
    ("share", C.c_double),
]

gpr_convert_options._fields_ = [
    ("struct_size", C.c_size_t),
    ("to", C.c_char_p),
    ("memory", C.c_int64),
    ("progress", gpr_convert_progress_fn),
    ("user", C.c_void_p),
    ("reorder", C.c_char_p),
    ("shards", C.c_int64),
]

gpr_convert_result._fields_ = [
    ("struct_size", C.c_size_t),
    ("nodes", C.c_int64),
    ("edges", C.c_int64),
    ("features", C.c_int64),
    ("classes", C.c_int64),
    ("bytes", C.c_int64),
    ("streamed", C.c_int),
    ("fingerprint", C.c_char * 33),
]

gpr_csbm_options._fields_ = [
    ("struct_size", C.c_size_t),
    ("nodes", C.c_int64),
    ("features", C.c_int64),
    ("degree", C.c_double),
    ("epsilon", C.c_double),
    ("phi", C.c_double),
    ("seed", C.c_uint64),
]

gpr_powerlaw_options._fields_ = [
    ("struct_size", C.c_size_t),
    ("nodes", C.c_int64),
    ("edges", C.c_int64),
    ("features", C.c_int64),
    ("classes", C.c_int64),
    ("communities", C.c_int64),
    ("exponent", C.c_double),
    ("inside", C.c_double),
    ("signal", C.c_double),
    ("labelled", C.c_double),
    ("seed", C.c_uint64),
    ("progress", gpr_convert_progress_fn),
    ("user", C.c_void_p),
]

gpr_dataset_info._fields_ = [
    ("struct_size", C.c_size_t),
    ("name", C.c_char_p),
    ("nodes", C.c_int64),
    ("edges", C.c_int64),
    ("features", C.c_int64),
    ("feature_nnz", C.c_int64),
    ("classes", C.c_int64),
    ("isolated", C.c_int64),
    ("self_loops", C.c_int64),
    ("duplicates", C.c_int64),
    ("labelled", C.c_int64),
    ("node_homophily", C.c_double),
    ("edge_homophily", C.c_double),
    ("mean_degree", C.c_double),
    ("max_degree", C.c_int64),
    ("sparse_features", C.c_int),
    ("weighted", C.c_int),
    ("min_degree", C.c_int64),
    ("median_degree", C.c_double),
    ("components", C.c_int64),
    ("largest_component", C.c_int64),
    ("zero_feature_rows", C.c_int64),
    ("feature_density", C.c_double),
    ("class_homophily", C.c_double),
    ("adjusted_homophily", C.c_double),
    ("label_informativeness", C.c_double),
    ("chernoff_hellinger", C.c_double),
    ("closest_classes", C.c_int64 * 2),
    ("fingerprint", C.c_char * 33),
    ("mutual_edges", C.c_int64),
    ("target_mean", C.c_double),
    ("target_sd", C.c_double),
    ("target_min", C.c_double),
    ("target_max", C.c_double),
    ("target_assortativity", C.c_double),
]

gpr_relation_measures._fields_ = [
    ("struct_size", C.c_size_t),
    ("name", C.c_char_p),
    ("edges", C.c_int64),
    ("isolated", C.c_int64),
    ("self_loops", C.c_int64),
    ("duplicates", C.c_int64),
    ("mutual_edges", C.c_int64),
    ("weighted", C.c_int),
    ("has_directions", C.c_int),
    ("node_homophily", C.c_double),
    ("edge_homophily", C.c_double),
]

gpr_fetch_info._fields_ = [
    ("struct_size", C.c_size_t),
    ("name", C.c_char_p),
    ("source", C.c_char_p),
    ("licence", C.c_char_p),
    ("note", C.c_char_p),
    ("files", C.c_int64),
    ("bytes", C.c_int64),
]

gpr_fetch_file_info._fields_ = [
    ("struct_size", C.c_size_t),
    ("path", C.c_char_p),
    ("url", C.c_char_p),
    ("sha256", C.c_char_p),
    ("bytes", C.c_int64),
    ("fingerprint", C.c_char_p),
]

gpr_fetch_progress._fields_ = [
    ("struct_size", C.c_size_t),
    ("dataset", C.c_char_p),
    ("path", C.c_char_p),
    ("file", C.c_int64),
    ("files", C.c_int64),
    ("bytes", C.c_int64),
    ("total", C.c_int64),
]

gpr_fetch_options._fields_ = [
    ("struct_size", C.c_size_t),
    ("data_dir", C.c_char_p),
    ("mirror", C.c_char_p),
    ("retries", C.c_int),
    ("timeout", C.c_int),
    ("pause", C.c_double),
    ("force", C.c_int),
    ("progress", gpr_fetch_progress_fn),
    ("user", C.c_void_p),
    ("accept", C.c_int),
    ("max_time", C.c_int),
]

gpr_fetch_result._fields_ = [
    ("struct_size", C.c_size_t),
    ("files", C.c_int64),
    ("loaded", C.c_int64),
    ("bytes", C.c_int64),
]

gpr_run_info._fields_ = [
    ("struct_size", C.c_size_t),
    ("seed", C.c_uint64),
    ("epochs", C.c_int64),
    ("best_epoch", C.c_int64),
    ("train_loss", C.c_double),
    ("val_loss", C.c_double),
    ("train_accuracy", C.c_double),
    ("val_accuracy", C.c_double),
    ("test_accuracy", C.c_double),
    ("initial_accuracy", C.c_double),
    ("seconds", C.c_double),
    ("ms_per_epoch", C.c_double),
    ("gamma", C.POINTER(C.c_float)),
    ("gamma_count", C.c_int64),
    ("val_metric", C.c_double),
    ("temperature", C.c_double),
    ("calibrated_loss", C.c_double),
]

gpr_embedding_info._fields_ = [
    ("struct_size", C.c_size_t),
    ("name", C.c_char_p),
    ("seconds", C.c_double),
    ("rho", C.c_double),
    ("latent_neighbours", C.c_double),
    ("graph_neighbours", C.c_double),
]

gpr_state._fields_ = [
    ("bytes", C.c_void_p),
    ("size", C.c_size_t),
    ("name", C.c_char_p),
]

gpr_save_info._fields_ = [
    ("struct_size", C.c_size_t),
    ("run", C.c_int64),
    ("runs", C.c_int64),
    ("epoch", C.c_int64),
    ("finished", C.c_int),
    ("bytes", C.c_void_p),
    ("size", C.c_size_t),
]

gpr_train_options._fields_ = [
    ("struct_size", C.c_size_t),
    ("splits", C.POINTER(C.POINTER(gpr_split))),
    ("split_count", C.c_int64),
    ("states", C.POINTER(gpr_state)),
    ("state_count", C.c_int64),
    ("save", gpr_save_fn),
    ("save_due", gpr_save_due_fn),
    ("user", C.c_void_p),
    ("save_every", C.c_double),
]

gpr_failure_info._fields_ = [
    ("struct_size", C.c_size_t),
    ("run", C.c_int64),
    ("seed", C.c_uint64),
    ("message", C.c_char_p),
]

gpr_weight_info._fields_ = [
    ("struct_size", C.c_size_t),
    ("name", C.c_char_p),
    ("rows", C.c_int64),
    ("cols", C.c_int64),
    ("axes", C.c_int),
    ("values", C.POINTER(C.c_float)),
]

gpr_filter_info._fields_ = [
    ("struct_size", C.c_size_t),
    ("relation", C.c_char * 32),
    ("direction", C.c_char_p),
    ("basis", C.c_char_p),
    ("loops", C.c_int),
    ("hops", C.c_int64),
    ("columns", C.c_int64),
    ("block", C.c_int64),
]

gpr_predict_options._fields_ = [
    ("struct_size", C.c_size_t),
    ("embedding", C.c_char_p),
    ("known_labels", C.POINTER(C.c_int32)),
    ("scratch", C.c_char_p),
    ("adapt_prior", C.c_int),
]

gpr_study_progress._fields_ = [
    ("struct_size", C.c_size_t),
    ("runs", C.c_int64),
    ("done", C.c_int64),
    ("dataset", C.c_char_p),
    ("model", C.c_char_p),
    ("cell", C.c_int64),
    ("seed", C.c_uint64),
    ("epoch", C.c_int64),
    ("epochs", C.c_int64),
    ("finished", C.c_int),
]

gpr_cell_info._fields_ = [
    ("struct_size", C.c_size_t),
    ("dataset", C.c_char_p),
    ("model", C.c_char_p),
    ("runs", C.c_int64),
    ("done", C.c_int64),
    ("failed", C.c_int64),
    ("fingerprint", C.c_char_p),
]

gpr_statistics_info._fields_ = [
    ("struct_size", C.c_size_t),
    ("count", C.c_int64),
    ("mean", C.c_double),
    ("sd", C.c_double),
    ("ci95", C.c_double),
]

gpr_search_options._fields_ = [
    ("struct_size", C.c_size_t),
    ("models", C.c_char_p),
    ("grid", C.c_char_p),
    ("draws", C.c_int64),
    ("metric", C.c_char_p),
    ("no_halving", C.c_int),
]

gpr_forecast_info._fields_ = [
    ("struct_size", C.c_size_t),
    ("settings", C.c_int64),
    ("models", C.c_int64),
    ("runs", C.c_int64),
    ("kept", C.c_int64),
    ("at_once", C.c_int64),
    ("least_seconds", C.c_double),
    ("most_seconds", C.c_double),
]

gpr_setting_info._fields_ = [
    ("struct_size", C.c_size_t),
    ("model", C.c_char_p),
    ("text", C.c_char_p),
    ("runs", C.c_int64),
    ("failed", C.c_int64),
    ("val_accuracy", C.c_double),
    ("val_accuracy_ci95", C.c_double),
    ("val_loss", C.c_double),
    ("val_loss_ci95", C.c_double),
    ("best", C.c_int),
    ("test_accuracy", C.c_double),
    ("test_accuracy_ci95", C.c_double),
    ("val_metric", C.c_double),
    ("val_metric_ci95", C.c_double),
]

gpr_rank_options._fields_ = [
    ("struct_size", C.c_size_t),
    ("weights", C.c_char_p),
    ("values", C.POINTER(C.c_double)),
    ("value_count", C.c_int64),
    ("last_step", C.c_int64),
    ("tolerance", C.c_double),
    ("exact", C.c_int),
    ("top", C.c_int64),
    ("cluster", C.c_int),
    ("cluster_max", C.c_int64),
]

gpr_ranking_info._fields_ = [
    ("struct_size", C.c_size_t),
    ("seeds", C.c_int64),
    ("scored", C.c_int64),
    ("total", C.c_double),
    ("error", C.c_double),
    ("mean_degree", C.c_double),
    ("steps", C.c_int64),
    ("arcs_visited", C.c_int64),
    ("cluster_nodes", C.c_int64),
    ("cluster_volume", C.c_double),
    ("cluster_cut", C.c_double),
    ("conductance", C.c_double),
]

gpr_fault_info._fields_ = [
    ("struct_size", C.c_size_t),
    ("text", C.c_char_p),
    ("warning", C.c_int),
]

gpr_compare_options._fields_ = [
    ("struct_size", C.c_size_t),
    ("metric", C.c_char_p),
    ("against", C.c_char_p),
    ("unpaired", C.c_int),
]

gpr_compared_info._fields_ = [
    ("struct_size", C.c_size_t),
    ("name", C.c_char_p),
    ("path", C.c_char_p),
    ("model", C.c_char_p),
    ("dataset", C.c_char_p),
    ("label", C.c_char_p),
    ("runs", C.c_int64),
    ("mean", C.c_double),
    ("sd", C.c_double),
    ("ci95", C.c_double),
    ("bootstrap", C.c_double * 2),
]

gpr_compared_pair_info._fields_ = [
    ("struct_size", C.c_size_t),
    ("first", C.c_int64),
    ("second", C.c_int64),
    ("pairs", C.c_int64),
    ("difference", C.c_double),
    ("ci95", C.c_double * 2),
    ("bootstrap", C.c_double * 2),
    ("p", C.c_double),
    ("p_corrected", C.c_double),
    ("p_wilcoxon", C.c_double),
    ("wins", C.c_int64),
    ("ties", C.c_int64),
    ("losses", C.c_int64),
    ("visible", C.c_int),
    ("sentence", C.c_char_p),
]

gpr_inspection_info._fields_ = [
    ("struct_size", C.c_size_t),
    ("model", C.c_char_p),
    ("dataset", C.c_char_p),
    ("filter", C.c_int),
    ("judged_on", C.c_int),
    ("learned", C.c_int),
    ("training_data", C.c_int),
    ("exact_density", C.c_int),
    ("runs", C.c_int64),
    ("low_pass_runs", C.c_int64),
    ("high_pass_runs", C.c_int64),
    ("damped", C.c_double),
    ("nodes", C.c_int64),
    ("components", C.c_int64),
    ("second_eigenvalue", C.c_double),
    ("smallest_eigenvalue", C.c_double),
    ("top_class", C.c_int64),
    ("top_share", C.c_double),
    ("smooth_share", C.c_double),
    ("gradient_nodes", C.c_int64),
    ("loss", C.c_double),
    ("on_training_nodes", C.c_int),
    ("turned_runs", C.c_int64),
    ("filters", C.c_int64),
    ("trees", C.c_int64),
    ("depth", C.c_int64),
    ("asked_columns", C.c_int64),
]

gpr_inspected_column._fields_ = [
    ("struct_size", C.c_size_t),
    ("name", C.c_char_p),
    ("feature", C.c_int64),
    ("questions", C.c_int64),
    ("gain", C.c_double),
    ("share", C.c_double),
]

gpr_inspected_filter._fields_ = [
    ("struct_size", C.c_size_t),
    ("relation", C.c_char_p),
    ("direction", C.c_char_p),
    ("basis", C.c_char_p),
    ("loops", C.c_int),
    ("hops", C.c_int64),
    ("columns", C.c_int64),
    ("gamma", C.POINTER(C.c_double)),
    ("response", C.POINTER(C.c_double)),
    ("contribution", C.POINTER(C.c_double)),
    ("part", C.c_double),
    ("block", C.c_int64),
    ("quartiles", C.POINTER(C.c_double)),
    ("weights", C.POINTER(C.c_double)),
    ("mixed", C.c_double),
]

gpr_explain_options._fields_ = [
    ("struct_size", C.c_size_t),
    ("class_id", C.c_int64),
    ("top", C.c_int64),
]

gpr_explanation_info._fields_ = [
    ("struct_size", C.c_size_t),
    ("node", C.c_int64),
    ("id", C.c_char_p),
    ("label", C.c_int64),
    ("predicted", C.c_int64),
    ("class_id", C.c_int64),
    ("rival", C.c_int64),
    ("score", C.c_double),
    ("lead", C.c_double),
    ("probability", C.c_double),
    ("rival_probability", C.c_double),
    ("bias_score", C.c_double),
    ("bias_lead", C.c_double),
    ("own_score", C.c_double),
    ("own_lead", C.c_double),
    ("own_weight", C.c_double),
    ("reached", C.c_int64),
    ("listed", C.c_int64),
    ("others_score", C.c_double),
    ("others_lead", C.c_double),
    ("columns", C.c_int64),
    ("listed_columns", C.c_int64),
    ("columns_score", C.c_double),
    ("columns_lead", C.c_double),
    ("labels_score", C.c_double),
    ("labels_lead", C.c_double),
    ("filters", C.c_int64),
    ("exact", C.c_int),
    ("prediction", C.c_double),
    ("base", C.c_double),
]

gpr_explained_node._fields_ = [
    ("struct_size", C.c_size_t),
    ("node", C.c_int64),
    ("id", C.c_char_p),
    ("distance", C.c_int64),
    ("label", C.c_int64),
    ("predicted", C.c_int64),
    ("weight", C.c_double),
    ("score", C.c_double),
    ("lead", C.c_double),
]

gpr_explained_column._fields_ = [
    ("struct_size", C.c_size_t),
    ("feature", C.c_int64),
    ("name", C.c_char_p),
    ("value", C.c_double),
    ("input", C.c_double),
    ("score", C.c_double),
    ("lead", C.c_double),
]

gpr_explained_filter._fields_ = [
    ("struct_size", C.c_size_t),
    ("relation", C.c_char_p),
    ("direction", C.c_char_p),
    ("score", C.c_double),
    ("lead", C.c_double),
    ("gamma", C.POINTER(C.c_double)),
    ("hops", C.POINTER(C.c_double)),
    ("hops_lead", C.POINTER(C.c_double)),
    ("block", C.c_int64),
]

gpr_importance_options._fields_ = [
    ("struct_size", C.c_size_t),
    ("most", C.c_int64),
    ("repeats", C.c_int64),
    ("seed", C.c_uint64),
    ("progress", gpr_importance_progress_fn),
    ("user", C.c_void_p),
]

gpr_importance_info._fields_ = [
    ("struct_size", C.c_size_t),
    ("nodes", C.c_int64),
    ("on_test_nodes", C.c_int),
    ("columns", C.c_int64),
    ("tried", C.c_int64),
    ("repeats", C.c_int64),
    ("accuracy", C.c_double),
    ("loss", C.c_double),
]

gpr_important_column._fields_ = [
    ("struct_size", C.c_size_t),
    ("name", C.c_char_p),
    ("feature", C.c_int64),
    ("features", C.c_int64),
    ("accuracy_drop", C.c_double),
    ("accuracy_drop_ci95", C.c_double),
    ("loss_rise", C.c_double),
    ("loss_rise_ci95", C.c_double),
]

gpr_metrics_options._fields_ = [
    ("struct_size", C.c_size_t),
    ("parts", C.POINTER(C.c_uint8)),
    ("part", C.c_int),
    ("predicted", C.POINTER(C.c_int32)),
    ("positive", C.c_int64),
]

gpr_metrics_info._fields_ = [
    ("struct_size", C.c_size_t),
    ("nodes", C.c_int64),
    ("classes", C.c_int64),
    ("positive", C.c_int64),
    ("true_classes", C.c_int64),
    ("predicted_classes", C.c_int64),
]

gpr_class_metrics._fields_ = [
    ("struct_size", C.c_size_t),
    ("nodes", C.c_int64),
    ("predicted", C.c_int64),
    ("right", C.c_int64),
    ("precision", C.c_double),
    ("recall", C.c_double),
    ("f1", C.c_double),
    ("roc_auc", C.c_double),
    ("average_precision", C.c_double),
]

gpr_smoothing_info._fields_ = [
    ("struct_size", C.c_size_t),
    ("asked", C.c_int),
    ("correct_alpha", C.c_double),
    ("correct_scale", C.c_double),
    ("smooth_alpha", C.c_double),
    ("by", C.c_char_p),
    ("before", C.c_double),
    ("after", C.c_double),
    ("val_loss", C.c_double),
    ("val_accuracy", C.c_double),
    ("test_accuracy", C.c_double),
    ("relation", C.c_char_p),
]

gpr_verify_info._fields_ = [
    ("struct_size", C.c_size_t),
    ("verdict", C.c_int),
    ("path", C.c_char_p),
    ("kind", C.c_char_p),
    ("detail", C.c_char_p),
]

# Name: result, arguments.
FUNCTIONS = {
    "gpr_last_error": (C.c_char_p, []),
    "gpr_status_name": (C.c_char_p, [C.c_int]),
    "gpr_version": (C.c_char_p, []),
    "gpr_ctx_new": (C.c_int, [C.POINTER(C.POINTER(gpr_ctx)), C.POINTER(gpr_ctx_options)]),
    "gpr_ctx_free": (None, [C.POINTER(gpr_ctx)]),
    "gpr_ctx_set_threads": (C.c_int, [C.POINTER(gpr_ctx), C.c_int]),
    "gpr_ctx_threads": (C.c_int, [C.POINTER(gpr_ctx)]),
    "gpr_ctx_set_device": (C.c_int, [C.POINTER(gpr_ctx), C.c_char_p]),
    "gpr_ctx_join": (C.c_int, [C.POINTER(gpr_ctx), C.c_char_p]),
    "gpr_ctx_rank": (C.c_int64, [C.POINTER(gpr_ctx), C.POINTER(C.c_int64)]),
    "gpr_ctx_agree": (C.c_int64, [C.POINTER(gpr_ctx), C.c_int64]),
    "gpr_ctx_leave": (C.c_int64, [C.POINTER(gpr_ctx), C.c_int]),
    "gpr_launch_rank": (C.c_int64, [C.POINTER(C.c_int64)]),
    "gpr_build_info": (C.c_char_p, [C.POINTER(gpr_ctx)]),
    "gpr_ctx_mapped_file": (C.c_char_p, [C.POINTER(gpr_ctx), C.c_int]),
    "gpr_param_count": (C.c_int, []),
    "gpr_param_describe": (C.c_int, [C.c_int, C.POINTER(gpr_param_info)]),
    "gpr_param_applies": (C.c_int, [C.c_int, C.c_char_p]),
    "gpr_param_default": (C.c_char_p, [C.c_int, C.c_char_p]),
    "gpr_params_new": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(C.POINTER(gpr_params))]),
    "gpr_params_free": (None, [C.POINTER(gpr_params)]),
    "gpr_params_set": (C.c_int, [C.POINTER(gpr_params), C.c_char_p, C.c_char_p]),
    "gpr_params_get": (C.c_char_p, [C.POINTER(gpr_params), C.c_char_p]),
    "gpr_params_source": (C.c_char_p, [C.POINTER(gpr_params), C.c_char_p]),
    "gpr_params_load": (C.c_int, [C.POINTER(gpr_params), C.c_char_p]),
    "gpr_params_data": (C.c_char_p, [C.POINTER(gpr_params), C.c_char_p]),
    "gpr_params_check": (C.c_int, [C.POINTER(gpr_params)]),
    "gpr_dataset_new": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(C.POINTER(gpr_dataset)), C.POINTER(gpr_dataset_desc)]),
    "gpr_dataset_derive": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(C.POINTER(gpr_dataset)), C.POINTER(gpr_dataset),
        C.POINTER(gpr_dataset_desc), C.c_int]),
    "gpr_dataset_open": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(C.POINTER(gpr_dataset)), C.c_char_p, C.c_char_p]),
    "gpr_dataset_open_as": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(C.POINTER(gpr_dataset)), C.c_char_p, C.c_char_p,
        C.c_char_p]),
    "gpr_dataset_open_with": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(C.POINTER(gpr_dataset)),
        C.POINTER(gpr_open_options)]),
    "gpr_data_option_count": (C.c_int, []),
    "gpr_data_option_describe": (C.c_int, [C.c_int, C.POINTER(gpr_param_info)]),
    "gpr_open_options_set": (C.c_int, [C.POINTER(gpr_open_options), C.c_char_p, C.c_char_p]),
    "gpr_dataset_save": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(gpr_dataset), C.c_char_p]),
    "gpr_dataset_save_as": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(gpr_dataset), C.c_char_p, C.c_char_p]),
    "gpr_dataset_free": (None, [C.POINTER(gpr_dataset)]),
    "gpr_dataset_nodes": (C.c_int64, [C.POINTER(gpr_dataset)]),
    "gpr_dataset_edges": (C.c_int64, [C.POINTER(gpr_dataset)]),
    "gpr_dataset_features": (C.c_int64, [C.POINTER(gpr_dataset)]),
    "gpr_dataset_classes": (C.c_int64, [C.POINTER(gpr_dataset)]),
    "gpr_dataset_arrays": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(gpr_dataset), C.POINTER(gpr_arrays_info)]),
    "gpr_dataset_relation_arrays": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(gpr_dataset), C.c_int64,
        C.POINTER(gpr_relation_arrays)]),
    "gpr_dataset_column_count": (C.c_int64, [C.POINTER(gpr_dataset)]),
    "gpr_dataset_column": (C.c_int, [C.POINTER(gpr_dataset), C.c_int64, C.POINTER(gpr_column_info)]),
    "gpr_convert": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(gpr_convert_result), C.POINTER(gpr_open_options),
        C.c_char_p, C.POINTER(gpr_convert_options)]),
    "gpr_csbm_options_init": (None, [C.POINTER(gpr_csbm_options), C.c_size_t]),
    "gpr_csbm_defaults": (None, [C.POINTER(gpr_csbm_options)]),
    "gpr_dataset_csbm": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(C.POINTER(gpr_dataset)), C.POINTER(gpr_csbm_options)]),
    "gpr_powerlaw_options_init": (None, [C.POINTER(gpr_powerlaw_options), C.c_size_t]),
    "gpr_powerlaw_save": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(gpr_convert_result), C.c_char_p,
        C.POINTER(gpr_powerlaw_options)]),
    "gpr_dataset_describe": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(gpr_dataset), C.POINTER(gpr_dataset_info)]),
    "gpr_dataset_describe_relation": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(gpr_dataset), C.c_int64,
        C.POINTER(gpr_relation_measures)]),
    "gpr_dataset_check": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(gpr_dataset)]),
    "gpr_dataset_class_sizes": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(gpr_dataset), C.POINTER(C.c_int64)]),
    "gpr_dataset_class_edges": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(gpr_dataset), C.POINTER(C.c_int64)]),
    "gpr_dataset_labels": (C.POINTER(C.c_int32), [C.POINTER(gpr_dataset), C.POINTER(C.c_int64)]),
    "gpr_dataset_targets": (C.POINTER(C.c_float), [C.POINTER(gpr_dataset), C.POINTER(C.c_int64)]),
    "gpr_dataset_class_name": (C.c_char_p, [C.POINTER(gpr_dataset), C.c_int64]),
    "gpr_dataset_node_id": (C.c_char_p, [C.POINTER(gpr_dataset), C.c_int64]),
    "gpr_dataset_feature_name": (C.c_char_p, [C.POINTER(gpr_dataset), C.c_int64]),
    "gpr_fetch_count": (C.c_int, []),
    "gpr_fetch_find": (C.c_int, [C.c_char_p, C.POINTER(C.c_int)]),
    "gpr_fetch_describe": (C.c_int, [C.c_int, C.POINTER(gpr_fetch_info)]),
    "gpr_fetch_file": (C.c_int, [C.c_int, C.c_int, C.POINTER(gpr_fetch_file_info)]),
    "gpr_fetch_present": (C.c_int, [C.POINTER(gpr_ctx), C.c_int, C.c_char_p, C.POINTER(C.c_int64)]),
    "gpr_fetch_verify": (C.c_int, [C.POINTER(gpr_ctx), C.c_int, C.c_int, C.c_char_p, C.POINTER(C.c_int), C.c_char_p,
        C.c_size_t]),
    "gpr_fetch_folder": (C.c_int, [C.POINTER(gpr_ctx), C.c_char_p, C.c_size_t, C.c_char_p]),
    "gpr_fetch_options_init": (None, [C.POINTER(gpr_fetch_options), C.c_size_t]),
    "gpr_fetch_defaults": (None, [C.POINTER(gpr_fetch_options)]),
    "gpr_fetch": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(gpr_fetch_result), C.c_char_p, C.POINTER(gpr_fetch_options)]),
    "gpr_split_new": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(C.POINTER(gpr_split)), C.POINTER(gpr_dataset), C.c_char_p,
        C.c_uint64, C.c_int64]),
    "gpr_split_from_parts": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(C.POINTER(gpr_split)), C.POINTER(gpr_dataset),
        C.POINTER(C.c_uint8), C.c_int64]),
    "gpr_split_save": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(gpr_split), C.c_char_p]),
    "gpr_split_free": (None, [C.POINTER(gpr_split)]),
    "gpr_split_parts": (C.POINTER(C.c_uint8), [C.POINTER(gpr_split), C.POINTER(C.c_int64)]),
    "gpr_split_count": (C.c_int64, [C.POINTER(gpr_split), C.c_int, C.c_int64]),
    "gpr_params_preset": (C.c_int, [C.POINTER(gpr_params), C.c_char_p, C.POINTER(gpr_dataset)]),
    "gpr_params_preset_named": (C.c_int, [C.POINTER(gpr_params), C.c_char_p, C.c_char_p]),
    "gpr_params_load_preset": (C.c_int, [C.POINTER(gpr_params), C.c_char_p]),
    "gpr_train": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(C.POINTER(gpr_model)), C.POINTER(C.POINTER(gpr_result)),
        C.POINTER(gpr_dataset), C.POINTER(gpr_params)]),
    "gpr_train_splits": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(C.POINTER(gpr_model)),
        C.POINTER(C.POINTER(gpr_result)), C.POINTER(gpr_dataset), C.POINTER(gpr_params),
        C.POINTER(C.POINTER(gpr_split)), C.c_int64]),
    "gpr_result_free": (None, [C.POINTER(gpr_result)]),
    "gpr_result_runs": (C.c_int64, [C.POINTER(gpr_result)]),
    "gpr_result_best_run": (C.c_int64, [C.POINTER(gpr_result)]),
    "gpr_result_refit_nodes": (C.c_int64, [C.POINTER(gpr_result)]),
    "gpr_result_seconds": (C.c_double, [C.POINTER(gpr_result)]),
    "gpr_result_run": (C.c_int, [C.POINTER(gpr_result), C.c_int64, C.POINTER(gpr_run_info)]),
    "gpr_result_split": (C.POINTER(gpr_split), [C.POINTER(gpr_result)]),
    "gpr_result_mean": (C.c_int, [C.POINTER(gpr_result), C.c_char_p, C.POINTER(C.c_double), C.POINTER(C.c_double),
        C.POINTER(C.c_double)]),
    "gpr_result_history": (C.c_int, [C.POINTER(gpr_result), C.c_int64, C.c_char_p, C.POINTER(C.POINTER(C.c_double)),
        C.POINTER(C.c_int64)]),
    "gpr_result_gamma_history": (C.c_int, [C.POINTER(gpr_result), C.c_int64, C.POINTER(C.POINTER(C.c_float)),
        C.POINTER(C.c_int64), C.POINTER(C.c_int64), C.POINTER(C.c_int64)]),
    "gpr_result_model": (C.POINTER(gpr_model), [C.POINTER(gpr_result), C.c_int64]),
    "gpr_result_embedding": (C.c_int, [C.POINTER(gpr_result), C.POINTER(gpr_embedding_info)]),
    "gpr_result_state": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(gpr_result), C.POINTER(C.c_void_p),
        C.POINTER(C.c_size_t)]),
    "gpr_train_resume": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(C.POINTER(gpr_model)),
        C.POINTER(C.POINTER(gpr_result)), C.POINTER(gpr_dataset), C.POINTER(gpr_params), C.c_void_p, C.c_size_t]),
    "gpr_train_with": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(C.POINTER(gpr_model)), C.POINTER(C.POINTER(gpr_result)),
        C.POINTER(gpr_dataset), C.POINTER(gpr_params), C.POINTER(gpr_train_options)]),
    "gpr_result_failures": (C.c_int64, [C.POINTER(gpr_result)]),
    "gpr_result_failure": (C.c_int, [C.POINTER(gpr_result), C.c_int64, C.POINTER(gpr_failure_info)]),
    "gpr_run_folder_open": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(C.POINTER(gpr_run_folder)), C.c_char_p]),
    "gpr_run_folder_close": (None, [C.POINTER(gpr_run_folder)]),
    "gpr_run_folder_states": (C.c_int, [C.POINTER(gpr_run_folder), C.POINTER(C.POINTER(gpr_state)),
        C.POINTER(C.c_int64)]),
    "gpr_run_folder_discard": (C.c_int, [C.POINTER(gpr_run_folder)]),
    "gpr_run_folder_keep": (C.c_int, [C.c_void_p, C.POINTER(gpr_save_info)]),
    "gpr_run_folder_save": (C.c_int, [C.POINTER(gpr_run_folder), C.POINTER(gpr_result), C.POINTER(gpr_model),
        C.POINTER(gpr_dataset)]),
    "gpr_run_folder_repair": (C.c_int, [C.c_char_p]),
    "gpr_result_json": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(gpr_result), C.POINTER(C.c_char_p)]),
    "gpr_result_save": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(gpr_result), C.POINTER(gpr_model),
        C.POINTER(gpr_dataset), C.c_char_p]),
    "gpr_model_save": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(gpr_model), C.c_char_p]),
    "gpr_model_load": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(C.POINTER(gpr_model)), C.c_char_p]),
    "gpr_model_to_bytes": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(C.c_void_p), C.POINTER(C.c_size_t),
        C.POINTER(gpr_model)]),
    "gpr_bytes_free": (None, [C.POINTER(gpr_ctx), C.c_void_p]),
    "gpr_model_from_bytes": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(C.POINTER(gpr_model)), C.c_void_p, C.c_size_t]),
    "gpr_model_free": (None, [C.POINTER(gpr_model)]),
    "gpr_model_name": (C.c_char_p, [C.POINTER(gpr_model)]),
    "gpr_model_features": (C.c_int64, [C.POINTER(gpr_model)]),
    "gpr_model_plan": (C.POINTER(gpr_plan), [C.POINTER(gpr_model)]),
    "gpr_model_classes": (C.c_int64, [C.POINTER(gpr_model)]),
    "gpr_model_task": (C.c_char_p, [C.POINTER(gpr_model)]),
    "gpr_model_unit": (C.c_int, [C.POINTER(gpr_model), C.POINTER(C.c_double), C.POINTER(C.c_double)]),
    "gpr_model_param": (C.c_char_p, [C.POINTER(gpr_model), C.c_char_p]),
    "gpr_model_weight_count": (C.c_int64, [C.POINTER(gpr_model)]),
    "gpr_model_weight": (C.c_int, [C.POINTER(gpr_model), C.c_int64, C.POINTER(gpr_weight_info)]),
    "gpr_model_set_embedding": (C.c_int, [C.POINTER(gpr_model), C.c_char_p]),
    "gpr_model_gamma": (C.POINTER(C.c_float), [C.POINTER(gpr_model), C.POINTER(C.c_int64)]),
    "gpr_model_filter_count": (C.c_int64, [C.POINTER(gpr_model)]),
    "gpr_model_filter": (C.c_int, [C.POINTER(gpr_model), C.c_int64, C.POINTER(gpr_filter_info)]),
    "gpr_model_filter_gamma": (C.c_int, [C.POINTER(gpr_model), C.c_int64, C.POINTER(C.c_float)]),
    "gpr_model_class_name": (C.c_char_p, [C.POINTER(gpr_model), C.c_int64]),
    "gpr_model_feature_name": (C.c_char_p, [C.POINTER(gpr_model), C.c_int64]),
    "gpr_model_fingerprint": (C.c_char_p, [C.POINTER(gpr_model)]),
    "gpr_model_labels": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(gpr_model), C.POINTER(gpr_dataset),
        C.POINTER(C.c_int32)]),
    "gpr_predict": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(gpr_model), C.POINTER(gpr_dataset), C.POINTER(C.c_int32),
        C.POINTER(C.c_float)]),
    "gpr_predict_logits": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(gpr_model), C.POINTER(gpr_dataset),
        C.POINTER(C.c_float)]),
    "gpr_predict_with": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(gpr_model), C.POINTER(gpr_dataset),
        C.POINTER(C.c_int32), C.POINTER(C.c_float), C.POINTER(C.c_float), C.POINTER(gpr_predict_options)]),
    "gpr_predictor_new": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(C.POINTER(gpr_predictor)), C.POINTER(gpr_model),
        C.POINTER(gpr_dataset), C.POINTER(gpr_predict_options)]),
    "gpr_predictor_rows": (C.c_int, [C.POINTER(gpr_predictor), C.c_int64, C.c_int64, C.POINTER(C.c_int32),
        C.POINTER(C.c_float)]),
    "gpr_predictor_rates": (C.c_int, [C.POINTER(gpr_predictor), C.POINTER(C.c_double), C.POINTER(C.c_double)]),
    "gpr_predictor_free": (None, [C.POINTER(gpr_predictor)]),
    "gpr_predictions_save": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(gpr_model), C.POINTER(gpr_dataset), C.c_char_p,
        C.c_int]),
    "gpr_page_save": (C.c_int, [C.POINTER(gpr_ctx), C.c_char_p, C.c_char_p, C.c_char_p]),
    "gpr_page_load": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(C.c_void_p), C.c_char_p]),
    "gpr_figure_save": (C.c_int, [C.POINTER(gpr_ctx), C.c_char_p, C.c_char_p]),
    "gpr_page_figures_save": (C.c_int, [C.POINTER(gpr_ctx), C.c_char_p, C.c_char_p, C.POINTER(C.c_int64)]),
    "gpr_study_open": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(C.POINTER(gpr_study)), C.c_char_p]),
    "gpr_study_include": (C.c_int, [C.POINTER(gpr_study), C.c_char_p]),
    "gpr_study_close": (None, [C.POINTER(gpr_study)]),
    "gpr_study_add": (C.c_int, [C.POINTER(gpr_study), C.POINTER(gpr_dataset), C.POINTER(gpr_params), C.c_int,
        C.POINTER(C.c_int64)]),
    "gpr_study_add_named": (C.c_int, [C.POINTER(gpr_study), C.c_char_p, C.c_char_p, C.POINTER(gpr_params), C.c_int,
        C.POINTER(C.c_int64)]),
    "gpr_study_run": (C.c_int, [C.POINTER(gpr_study), C.c_int, gpr_study_progress_fn, C.c_void_p]),
    "gpr_study_cells": (C.c_int64, [C.POINTER(gpr_study)]),
    "gpr_study_cell": (C.c_int, [C.POINTER(gpr_study), C.c_int64, C.POINTER(gpr_cell_info)]),
    "gpr_study_param": (C.c_char_p, [C.POINTER(gpr_study), C.c_int64, C.c_char_p]),
    "gpr_study_values": (C.c_int, [C.POINTER(gpr_study), C.c_int64, C.c_char_p, C.POINTER(C.c_double)]),
    "gpr_study_gamma": (C.POINTER(C.c_float), [C.POINTER(gpr_study), C.c_int64, C.c_int64, C.POINTER(C.c_int64)]),
    "gpr_study_gamma_history": (C.POINTER(C.c_float), [C.POINTER(gpr_study), C.c_int64, C.c_int64, C.POINTER(C.c_int64),
        C.POINTER(C.c_int64)]),
    "gpr_statistics": (C.c_int, [C.POINTER(C.c_double), C.c_int64, C.POINTER(gpr_statistics_info)]),
    "gpr_search_new": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(C.POINTER(gpr_search)), C.POINTER(gpr_dataset),
        C.POINTER(gpr_params), C.POINTER(gpr_search_options)]),
    "gpr_search_free": (None, [C.POINTER(gpr_search)]),
    "gpr_search_run": (C.c_int, [C.POINTER(gpr_search), C.POINTER(gpr_study), C.c_int, gpr_study_progress_fn,
        C.c_void_p]),
    "gpr_search_forecast": (C.c_int, [C.POINTER(gpr_search), C.POINTER(gpr_study), C.c_int, gpr_study_progress_fn,
        C.c_void_p, C.POINTER(gpr_forecast_info)]),
    "gpr_search_count": (C.c_int64, [C.POINTER(gpr_search)]),
    "gpr_search_setting": (C.c_int, [C.POINTER(gpr_search), C.c_int64, C.POINTER(gpr_setting_info)]),
    "gpr_search_param": (C.c_char_p, [C.POINTER(gpr_search), C.c_int64, C.c_char_p]),
    "gpr_search_preset": (C.c_int, [C.POINTER(gpr_search), C.c_int64, C.POINTER(C.c_char_p)]),
    "gpr_search_json": (C.c_int, [C.POINTER(gpr_search), C.POINTER(C.c_char_p)]),
    "gpr_search_save": (C.c_int, [C.POINTER(gpr_search), C.c_char_p]),
    "gpr_search_check_dir": (C.c_int, [C.POINTER(gpr_search), C.c_char_p]),
    "gpr_dataset_find_node": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(C.c_int64), C.POINTER(gpr_dataset), C.c_char_p]),
    "gpr_rank": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(C.POINTER(gpr_ranking)), C.POINTER(gpr_dataset),
        C.POINTER(C.c_int64), C.c_int64, C.POINTER(gpr_rank_options)]),
    "gpr_ranking_free": (None, [C.POINTER(gpr_ranking)]),
    "gpr_ranking_describe": (C.c_int, [C.POINTER(gpr_ranking), C.POINTER(gpr_ranking_info)]),
    "gpr_ranking_nodes": (C.POINTER(C.c_int64), [C.POINTER(gpr_ranking), C.POINTER(C.c_int64)]),
    "gpr_ranking_scores": (C.POINTER(C.c_double), [C.POINTER(gpr_ranking), C.POINTER(C.c_int64)]),
    "gpr_ranking_degrees": (C.POINTER(C.c_double), [C.POINTER(gpr_ranking), C.POINTER(C.c_int64)]),
    "gpr_ranking_cluster": (C.POINTER(C.c_int64), [C.POINTER(gpr_ranking), C.POINTER(C.c_int64)]),
    "gpr_dataset_known_fault": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(gpr_dataset), C.c_int64,
        C.POINTER(gpr_fault_info)]),
    "gpr_dataset_published": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(gpr_dataset), C.POINTER(C.c_int)]),
    "gpr_compare": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(C.POINTER(gpr_comparison)), C.POINTER(C.c_char_p),
        C.c_int64, C.POINTER(gpr_compare_options)]),
    "gpr_comparison_free": (None, [C.POINTER(gpr_comparison)]),
    "gpr_comparison_count": (C.c_int64, [C.POINTER(gpr_comparison)]),
    "gpr_comparison_training": (C.c_int, [C.POINTER(gpr_comparison), C.c_int64, C.POINTER(gpr_compared_info)]),
    "gpr_comparison_pairs": (C.c_int64, [C.POINTER(gpr_comparison)]),
    "gpr_comparison_pair": (C.c_int, [C.POINTER(gpr_comparison), C.c_int64, C.POINTER(gpr_compared_pair_info)]),
    "gpr_comparison_json": (C.c_char_p, [C.POINTER(gpr_comparison)]),
    "gpr_comparison_metric": (C.c_char_p, [C.POINTER(gpr_comparison)]),
    "gpr_inspection_new": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(C.POINTER(gpr_inspection)), C.POINTER(gpr_model),
        C.POINTER(gpr_dataset), C.POINTER(gpr_split)]),
    "gpr_inspection_of_run": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(C.POINTER(gpr_inspection)), C.c_char_p,
        C.POINTER(gpr_dataset), C.c_char_p]),
    "gpr_inspection_free": (None, [C.POINTER(gpr_inspection)]),
    "gpr_inspection_describe": (C.c_int, [C.POINTER(gpr_inspection), C.POINTER(gpr_inspection_info)]),
    "gpr_inspection_filter": (C.c_int, [C.POINTER(gpr_inspection), C.c_int64, C.POINTER(gpr_inspected_filter)]),
    "gpr_inspection_column": (C.c_int, [C.POINTER(gpr_inspection), C.c_int64, C.POINTER(gpr_inspected_column)]),
    "gpr_inspection_series": (C.c_int, [C.POINTER(gpr_inspection), C.c_char_p, C.POINTER(C.POINTER(C.c_double)),
        C.POINTER(C.c_int64)]),
    "gpr_inspection_json": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(gpr_inspection), C.POINTER(C.c_char_p)]),
    "gpr_explanation_new": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(C.POINTER(gpr_explanation)), C.POINTER(gpr_model),
        C.POINTER(gpr_dataset), C.POINTER(C.c_int64), C.c_int64, C.POINTER(gpr_explain_options)]),
    "gpr_explanation_free": (None, [C.POINTER(gpr_explanation)]),
    "gpr_explanation_describe": (C.c_int, [C.POINTER(gpr_explanation), C.c_int64, C.POINTER(gpr_explanation_info)]),
    "gpr_explanation_node": (C.c_int, [C.POINTER(gpr_explanation), C.c_int64, C.c_int64,
        C.POINTER(gpr_explained_node)]),
    "gpr_explanation_column": (C.c_int, [C.POINTER(gpr_explanation), C.c_int64, C.c_int64,
        C.POINTER(gpr_explained_column)]),
    "gpr_explanation_filter": (C.c_int, [C.POINTER(gpr_explanation), C.c_int64, C.c_int64,
        C.POINTER(gpr_explained_filter)]),
    "gpr_explanation_series": (C.c_int, [C.POINTER(gpr_explanation), C.c_int64, C.c_char_p,
        C.POINTER(C.POINTER(C.c_double)), C.POINTER(C.c_int64)]),
    "gpr_explanation_json": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(gpr_explanation), C.POINTER(C.c_char_p)]),
    "gpr_importance_new": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(C.POINTER(gpr_importance)), C.POINTER(gpr_model),
        C.POINTER(gpr_dataset), C.POINTER(gpr_split), C.POINTER(gpr_importance_options)]),
    "gpr_importance_free": (None, [C.POINTER(gpr_importance)]),
    "gpr_importance_describe": (C.c_int, [C.POINTER(gpr_importance), C.POINTER(gpr_importance_info)]),
    "gpr_importance_column": (C.c_int, [C.POINTER(gpr_importance), C.c_int64, C.POINTER(gpr_important_column)]),
    "gpr_importance_json": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(gpr_importance), C.POINTER(C.c_char_p)]),
    "gpr_result_add_importance": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(gpr_result), C.POINTER(gpr_model),
        C.POINTER(gpr_dataset), C.POINTER(gpr_importance_options)]),
    "gpr_run_folder_data": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(C.POINTER(gpr_dataset)), C.POINTER(gpr_model),
        C.c_char_p]),
    "gpr_model_split": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(C.POINTER(gpr_split)), C.POINTER(gpr_model),
        C.POINTER(gpr_dataset), C.c_char_p]),
    "gpr_model_made_features": (C.c_char_p, [C.POINTER(gpr_model)]),
    "gpr_metrics_of_numbers": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(C.POINTER(gpr_metrics)), C.POINTER(C.c_float),
        C.POINTER(C.c_float), C.c_int64]),
    "gpr_metrics_new": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(C.POINTER(gpr_metrics)), C.POINTER(C.c_float),
        C.POINTER(C.c_int32), C.c_int64, C.c_int64, C.POINTER(gpr_metrics_options)]),
    "gpr_metrics_free": (None, [C.POINTER(gpr_metrics)]),
    "gpr_metric_word": (C.c_char_p, [C.c_int]),
    "gpr_metrics_word": (C.c_char_p, [C.POINTER(gpr_metrics), C.c_int]),
    "gpr_metrics_value": (C.c_int, [C.POINTER(gpr_metrics), C.c_char_p, C.POINTER(C.c_double)]),
    "gpr_metrics_describe": (C.c_int, [C.POINTER(gpr_metrics), C.POINTER(gpr_metrics_info)]),
    "gpr_metrics_class": (C.c_int, [C.POINTER(gpr_metrics), C.c_int64, C.POINTER(gpr_class_metrics)]),
    "gpr_metrics_confusion": (C.POINTER(C.c_int64), [C.POINTER(gpr_metrics), C.POINTER(C.c_int64)]),
    "gpr_result_metrics": (C.POINTER(gpr_metrics), [C.POINTER(gpr_result), C.c_int64, C.c_int]),
    "gpr_baseline_word": (C.c_char_p, [C.c_int]),
    "gpr_result_add_baselines": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(gpr_result), C.POINTER(gpr_dataset)]),
    "gpr_result_baseline": (C.POINTER(gpr_metrics), [C.POINTER(gpr_result), C.c_int64, C.c_int]),
    "gpr_result_baseline_mean": (C.c_int, [C.POINTER(gpr_result), C.c_int, C.c_char_p, C.POINTER(C.c_double),
        C.POINTER(C.c_double)]),
    "gpr_result_caution": (C.c_char_p, [C.POINTER(gpr_result), C.c_int64]),
    "gpr_result_headline": (C.c_char_p, [C.POINTER(gpr_result)]),
    "gpr_result_note": (C.c_char_p, [C.POINTER(gpr_result), C.c_int64, C.c_char_p, C.c_size_t]),
    "gpr_model_known_labels": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(gpr_model), C.POINTER(gpr_dataset),
        C.POINTER(C.c_int32)]),
    "gpr_model_learned_nodes": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(gpr_model), C.POINTER(gpr_dataset),
        C.POINTER(C.c_uint8)]),
    "gpr_result_choice": (C.c_char_p, [C.POINTER(gpr_result)]),
    "gpr_model_refit_nodes": (C.c_int64, [C.POINTER(gpr_model)]),
    "gpr_result_smoothing": (C.c_int, [C.POINTER(gpr_result), C.c_int64, C.POINTER(gpr_smoothing_info)]),
    "gpr_verify": (C.c_int, [C.POINTER(gpr_ctx), C.c_char_p, gpr_verify_fn, C.c_void_p]),
    "gpr_text_printable": (C.c_size_t, [C.c_char_p, C.c_size_t, C.c_char_p]),
    "gpr_text_csv": (C.c_size_t, [C.c_char_p, C.c_size_t, C.c_char_p]),
    "gpr_text_json": (C.c_size_t, [C.c_char_p, C.c_size_t, C.c_char_p]),
    "gpr_nearest_word": (C.c_char_p, [C.c_char_p, C.POINTER(C.c_char_p), C.c_int]),
    "gpr_peak_memory": (C.c_int64, []),
    "gpr_write_file": (C.c_int, [C.c_char_p, C.c_void_p, C.c_size_t]),
    "gpr_file_new": (C.c_int, [C.POINTER(gpr_ctx), C.POINTER(C.POINTER(gpr_file)), C.c_char_p]),
    "gpr_file_write": (C.c_int, [C.POINTER(gpr_file), C.c_void_p, C.c_size_t]),
    "gpr_file_commit": (C.c_int, [C.POINTER(gpr_file)]),
    "gpr_file_free": (None, [C.POINTER(gpr_file)]),
    "gpr_check_output_dir": (C.c_int, [C.c_char_p]),
}
