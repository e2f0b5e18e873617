/* svmlight texts: any bytes give a status, never a fault; accepted rows become features and labels. */
#include "io/text/svmlight.h"
#include "context.h"
#include "data/feature_matrix.h"
#include "input.h"
#include "io/feature_file.h"
#include "text.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    gpr_ctx *ctx = fuzz_context();
    gpri_raw_features matrix;
    gpri_feature_matrix table;
    gpri_target classes;
    bool labelled;
    const char *path = input_path(bytes, size);
    gpri_label_texts texts = {.ctx = ctx, .path = path};
    gpr_status status = gpri_read_svmlight(ctx, &matrix, &texts, &labelled, path, 3);
    if (status == GPR_OK) {
        if (matrix.rows < 1 || matrix.cols < 3 || texts.count != matrix.rows) abort();
        status = gpri_feature_matrix_from_csr(ctx, &table, matrix.rows, matrix.cols, matrix.indptr, matrix.indices,
                                              matrix.values);
        if (status == GPR_OK) gpri_feature_matrix_free(ctx, &table);
        if (gpri_label_texts_finish(&texts, &classes) == GPR_OK && classes.classes < 1) abort();
        gpri_target_free(ctx, &classes);
    } else if (!gpr_last_error()[0] || matrix.rows) {
        abort();
    }
    gpri_raw_features_free(ctx, &matrix);
    gpri_label_texts_free(&texts);
    fuzz_context_free(ctx);
    return 0;
}

static const dictionary words = DICTIONARY("1:1", "0:0.5", "qid:3", "#", "2:", ":2", "1,2", "+1", "-1", "label");

FUZZ_MUTATOR(mutate_text, &words)
