/* Public structs of other sizes than this library's: from programs that were compiled with an older or a newer header.
 *
 * Every such struct begins with `size_t struct_size`, the sizeof that the caller's compiler saw. From its size in
 * version 0.1.0 on any is taken: what the caller's lacks is 0 on the way in and left out on the way out; what is beyond
 * this library's must be 0 on the way in and becomes 0 on the way out. The caller's struct_size is never changed.
 *
 * A new field goes to the end of its struct and must begin at the old sizeof or behind it, not in its padding. */
#ifndef GPRI_STRUCT_H
#define GPRI_STRUCT_H

#include <stddef.h>

#include "base/status.h"

/* sizeof of a struct that ended with the field `last`. */
#define GPRI_SIZE_THROUGH(type, last) \
    ((offsetof(type, last) + sizeof(((const type *)NULL)->last) + _Alignof(type) - 1) / _Alignof(type) * _Alignof(type))

/* The size of each in the version that had it first: 0.1.0, or 0.2.0 for those at the end. */
#define GPRI_FIRST_gpr_ctx_options GPRI_SIZE_THROUGH(gpr_ctx_options, allocator)
#define GPRI_FIRST_gpr_param_info GPRI_SIZE_THROUGH(gpr_param_info, help)
#define GPRI_FIRST_gpr_dataset_desc GPRI_SIZE_THROUGH(gpr_dataset_desc, feature_names)
#define GPRI_FIRST_gpr_open_options GPRI_SIZE_THROUGH(gpr_open_options, model_names)
#define GPRI_FIRST_gpr_convert_options GPRI_SIZE_THROUGH(gpr_convert_options, user)
#define GPRI_FIRST_gpr_convert_result GPRI_SIZE_THROUGH(gpr_convert_result, fingerprint)
#define GPRI_FIRST_gpr_csbm_options GPRI_SIZE_THROUGH(gpr_csbm_options, seed)
#define GPRI_FIRST_gpr_dataset_info GPRI_SIZE_THROUGH(gpr_dataset_info, fingerprint)
#define GPRI_FIRST_gpr_fetch_info GPRI_SIZE_THROUGH(gpr_fetch_info, bytes)
#define GPRI_FIRST_gpr_fetch_file_info GPRI_SIZE_THROUGH(gpr_fetch_file_info, bytes)
#define GPRI_FIRST_gpr_powerlaw_options GPRI_SIZE_THROUGH(gpr_powerlaw_options, user)
#define GPRI_FIRST_gpr_fetch_options GPRI_SIZE_THROUGH(gpr_fetch_options, user)
#define GPRI_FIRST_gpr_fetch_result GPRI_SIZE_THROUGH(gpr_fetch_result, bytes)
#define GPRI_FIRST_gpr_run_info GPRI_SIZE_THROUGH(gpr_run_info, gamma_count)
#define GPRI_FIRST_gpr_embedding_info GPRI_SIZE_THROUGH(gpr_embedding_info, graph_neighbours)
#define GPRI_FIRST_gpr_weight_info GPRI_SIZE_THROUGH(gpr_weight_info, values)
#define GPRI_FIRST_gpr_predict_options GPRI_SIZE_THROUGH(gpr_predict_options, embedding)
#define GPRI_FIRST_gpr_train_options GPRI_SIZE_THROUGH(gpr_train_options, save_every)
#define GPRI_FIRST_gpr_failure_info GPRI_SIZE_THROUGH(gpr_failure_info, message)
#define GPRI_FIRST_gpr_cell_info GPRI_SIZE_THROUGH(gpr_cell_info, fingerprint)
#define GPRI_FIRST_gpr_statistics_info GPRI_SIZE_THROUGH(gpr_statistics_info, ci95)
#define GPRI_FIRST_gpr_search_options GPRI_SIZE_THROUGH(gpr_search_options, no_halving)
#define GPRI_FIRST_gpr_setting_info GPRI_SIZE_THROUGH(gpr_setting_info, test_accuracy_ci95)
#define GPRI_FIRST_gpr_forecast_info GPRI_SIZE_THROUGH(gpr_forecast_info, most_seconds)
#define GPRI_FIRST_gpr_rank_options GPRI_SIZE_THROUGH(gpr_rank_options, cluster_max)
#define GPRI_FIRST_gpr_ranking_info GPRI_SIZE_THROUGH(gpr_ranking_info, conductance)
#define GPRI_FIRST_gpr_smoothing_info GPRI_SIZE_THROUGH(gpr_smoothing_info, test_accuracy)
#define GPRI_FIRST_gpr_relation_arrays GPRI_SIZE_THROUGH(gpr_relation_arrays, along)
#define GPRI_FIRST_gpr_relation_measures GPRI_SIZE_THROUGH(gpr_relation_measures, edge_homophily)
#define GPRI_FIRST_gpr_fault_info GPRI_SIZE_THROUGH(gpr_fault_info, warning)
#define GPRI_FIRST_gpr_compare_options GPRI_SIZE_THROUGH(gpr_compare_options, unpaired)
#define GPRI_FIRST_gpr_compared_info GPRI_SIZE_THROUGH(gpr_compared_info, bootstrap)
#define GPRI_FIRST_gpr_compared_pair_info GPRI_SIZE_THROUGH(gpr_compared_pair_info, sentence)
#define GPRI_FIRST_gpr_arrays_info GPRI_SIZE_THROUGH(gpr_arrays_info, node_weights)
#define GPRI_FIRST_gpr_column_info GPRI_SIZE_THROUGH(gpr_column_info, features)
#define GPRI_FIRST_gpr_metrics_options GPRI_SIZE_THROUGH(gpr_metrics_options, positive)
#define GPRI_FIRST_gpr_metrics_info GPRI_SIZE_THROUGH(gpr_metrics_info, predicted_classes)
#define GPRI_FIRST_gpr_class_metrics GPRI_SIZE_THROUGH(gpr_class_metrics, average_precision)
#define GPRI_FIRST_gpr_inspection_info GPRI_SIZE_THROUGH(gpr_inspection_info, loss)
#define GPRI_FIRST_gpr_explain_options GPRI_SIZE_THROUGH(gpr_explain_options, top)
#define GPRI_FIRST_gpr_explanation_info GPRI_SIZE_THROUGH(gpr_explanation_info, columns_lead)
#define GPRI_FIRST_gpr_explained_node GPRI_SIZE_THROUGH(gpr_explained_node, lead)
#define GPRI_FIRST_gpr_filter_info GPRI_SIZE_THROUGH(gpr_filter_info, columns)
#define GPRI_FIRST_gpr_inspected_filter GPRI_SIZE_THROUGH(gpr_inspected_filter, part)
#define GPRI_FIRST_gpr_inspected_column GPRI_SIZE_THROUGH(gpr_inspected_column, share)
#define GPRI_FIRST_gpr_explained_filter GPRI_SIZE_THROUGH(gpr_explained_filter, hops_lead)
#define GPRI_FIRST_gpr_explained_column GPRI_SIZE_THROUGH(gpr_explained_column, lead)
#define GPRI_FIRST_gpr_importance_options GPRI_SIZE_THROUGH(gpr_importance_options, user)
#define GPRI_FIRST_gpr_importance_info GPRI_SIZE_THROUGH(gpr_importance_info, loss)
#define GPRI_FIRST_gpr_important_column GPRI_SIZE_THROUGH(gpr_important_column, loss_rise_ci95)

/* Copies the caller's struct `from` into *to, a `type`. call: "gpr_train", name: the argument's, for the message. */
#define GPRI_STRUCT_IN(to, from, type, call, name) \
    gpri_struct_in(to, from, sizeof(type), GPRI_FIRST_##type, call, name, #type)
/* That the caller's struct can be filled in; to be asked before long work. NULL fails too. */
#define GPRI_STRUCT_CHECK(caller, type, call, name) gpri_struct_check(caller, GPRI_FIRST_##type, call, name, #type)
/* Fills in the caller's struct `out` from the library's *from, a `type`. */
#define GPRI_STRUCT_OUT(out, type, call, from) gpri_struct_give(out, GPRI_FIRST_##type, call, #type, from, sizeof(type))

/* Fills in the caller's options, of the size that it has, with what is usual. */
#define GPRI_STRUCT_INIT(options, struct_size, type, usual) \
    gpri_struct_init(options, struct_size, GPRI_FIRST_##type, &(usual), sizeof(type))

gpr_status gpri_struct_in(void *to, const void *from, size_t size, size_t first, const char *call, const char *name,
                          const char *type) GPRI_MUST_CHECK;
gpr_status gpri_struct_check(const void *caller, size_t first, const char *call, const char *name,
                             const char *type) GPRI_MUST_CHECK;
/* Fills in the caller's struct, which was checked, from the library's `from` of `size` bytes. */
void gpri_struct_out(void *caller, const void *from, size_t size);
gpr_status gpri_struct_give(void *out, size_t first, const char *call, const char *type, const void *from,
                            size_t size) GPRI_MUST_CHECK;
void gpri_struct_init(void *options, size_t struct_size, size_t first, const void *usual, size_t size);

/* The index that a public function was called with. Fails, "CALL: NAME 7 is not in [0, 5)", unless 0 <= index < count.
 */
gpr_status gpri_check_index(const char *call, const char *name, int64_t index, int64_t count) GPRI_MUST_CHECK;

#endif
