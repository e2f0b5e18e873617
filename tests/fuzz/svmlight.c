/* svmlight texts: any bytes give a status, never a fault; accepted rows become features and labels. */
#include "data/feature_matrix.h"
#include "input.h"
#include "io/feature_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    gpr_ctx *ctx;
    gpri_raw_features matrix;
    gpri_feature_matrix table;
    gpri_classes classes;
    bool labelled;
    input_file input = input_open(bytes, size);
    gpr_ctx_options options = {.struct_size = sizeof options, .threads = 1};
    if (gpr_ctx_new(&ctx, &options) != GPR_OK) abort();
    gpri_label_texts texts = {.ctx = ctx, .path = input.path};
    gpr_status status = gpri_read_svmlight(ctx, &matrix, &texts, &labelled, input.path, 3);
    if (status == GPR_OK) {
        if (matrix.rows < 1 || matrix.cols < 3 || texts.count != matrix.rows) abort();
        status = gpri_feature_matrix_from_csr(ctx, &table, matrix.rows, matrix.cols, matrix.indptr, matrix.indices,
                                              matrix.values);
        if (status == GPR_OK) gpri_feature_matrix_free(ctx, &table);
        if (gpri_label_texts_finish(&texts, &classes) == GPR_OK && classes.classes < 1) abort();
        gpri_classes_free(ctx, &classes);
    } else if (!gpr_last_error()[0] || matrix.rows) {
        abort();
    }
    gpri_raw_features_free(ctx, &matrix);
    gpri_label_texts_free(&texts);
    gpr_ctx_free(ctx);
    close(input.fd);
    return 0;
}
