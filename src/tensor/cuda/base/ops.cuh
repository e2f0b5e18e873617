/* The operations of the card: gpri_cuda_NAME for each NAME of tensor/ops.h, with the same arguments. */
#ifndef GPRI_CUDA_OPS_CUH
#define GPRI_CUDA_OPS_CUH

#include "tensor/cuda/base/device.cuh"

template <class T> struct gpri_function_of;
template <class T> struct gpri_function_of<T *> { typedef T type; };

/* Declares the function with the type that the table has for it: a definition that differs is not found when linking.
 */
#define GPRI_CUDA_OP(name) gpri_function_of<decltype(gpri_ops::name)>::type gpri_cuda_##name;

/* numbers: elements.cu */
GPRI_CUDA_OP(zero)
GPRI_CUDA_OP(copy)
GPRI_CUDA_OP(add)
GPRI_CUDA_OP(scale)
GPRI_CUDA_OP(sum_blocks)
GPRI_CUDA_OP(sum_dots)
GPRI_CUDA_OP(keep_bits)
/* features.cu, features_dense.cu */
GPRI_CUDA_OP(features_forward)
GPRI_CUDA_OP(features_backward)
/* linear.cu */
GPRI_CUDA_OP(linear_forward)
GPRI_CUDA_OP(linear_backward)
GPRI_CUDA_OP(bias_forward)
GPRI_CUDA_OP(bias_backward)
/* labels.cu */
GPRI_CUDA_OP(labels_forward)
GPRI_CUDA_OP(labels_backward)
GPRI_CUDA_OP(labels_show)
/* rows.cu */
GPRI_CUDA_OP(relu_forward)
GPRI_CUDA_OP(relu_backward)
GPRI_CUDA_OP(elu_forward)
GPRI_CUDA_OP(elu_backward)
GPRI_CUDA_OP(dropout)
GPRI_CUDA_OP(softmax_forward)
GPRI_CUDA_OP(softmax_backward)
/* norm.cu */
GPRI_CUDA_OP(norm_squares)
GPRI_CUDA_OP(norm_rate)
GPRI_CUDA_OP(norm_remember)
GPRI_CUDA_OP(norm_columns)
GPRI_CUDA_OP(norm_columns_backward)
GPRI_CUDA_OP(norm_rows)
GPRI_CUDA_OP(norm_rows_backward)
/* heads.cu */
GPRI_CUDA_OP(head_dots)
GPRI_CUDA_OP(head_add)
GPRI_CUDA_OP(head_mean_forward)
GPRI_CUDA_OP(head_mean_backward)
/* propagate.cu */
GPRI_CUDA_OP(propagate)
GPRI_CUDA_OP(propagate_dot)
GPRI_CUDA_OP(filter_begin)
GPRI_CUDA_OP(filter_begin_dot)
GPRI_CUDA_OP(filter_end)
/* graph/filter.cu */
GPRI_CUDA_OP(filter_forward)
GPRI_CUDA_OP(filter_backward)
/* attention.cu */
GPRI_CUDA_OP(attention_forward)
GPRI_CUDA_OP(attention_backward)
/* lstm.cu */
GPRI_CUDA_OP(lstm_forward)
GPRI_CUDA_OP(lstm_backward)
/* loss.cu */
GPRI_CUDA_OP(nll_backward)
GPRI_CUDA_OP(score)
/* record.cu */
GPRI_CUDA_OP(adam)
GPRI_CUDA_OP(metric)
GPRI_CUDA_OP(judge)
GPRI_CUDA_OP(keep_best)
GPRI_CUDA_OP(keep_gamma)
GPRI_CUDA_OP(advance)

extern const gpri_ops gpri_cuda_ops;

#endif
