/* The members that an .npz file of this program's readers may have. */
#ifndef FUZZ_NPZ_NAMES_H
#define FUZZ_NPZ_NAMES_H

#include "zip.h"

static const dictionary npz_names = DICTIONARY(
    "adj_indptr", "adj_indices", "adj_data", "adj_along", "adj_shape", "adj_pay_indptr", "adj_pay_indices",
    "adj_pay_data", "adj_pay_along", "adj_dev_indptr", "adj_dev_indices", "attr_indptr", "attr_indices", "attr_data",
    "attr_shape", "attr_matrix", "labels", "class_names", "node_names", "attr_names", "csbm_phi", "num_classes",
    "mixed_columns", "generated", "indptr", "indices", "data", "shape", "row", "col", "format", "node_features",
    "node_labels", "edges", "train_mask", "val_mask", "test_mask", "train_masks", "val_masks", "test_masks");

#endif
