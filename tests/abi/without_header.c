/* A program of 0.1.0 that needs no header: it declares what it calls as that version did. */
#include <stdint.h>
#include <stdio.h>

typedef struct gpr_ctx gpr_ctx;
typedef struct gpr_dataset gpr_dataset;
typedef struct gpr_params gpr_params;
typedef struct gpr_model gpr_model;
typedef struct gpr_result gpr_result;
int gpr_ctx_new(gpr_ctx **, const void *);
void gpr_ctx_free(gpr_ctx *);
int gpr_dataset_open(gpr_ctx *, gpr_dataset **, const char *, const char *);
void gpr_dataset_free(gpr_dataset *);
const int32_t *gpr_dataset_labels(const gpr_dataset *, int64_t *);
int gpr_params_new(gpr_ctx *, gpr_params **);
int gpr_params_set(gpr_params *, const char *, const char *);
void gpr_params_free(gpr_params *);
int gpr_train(gpr_ctx *, gpr_model **, gpr_result **, const gpr_dataset *, const gpr_params *);
int gpr_predict(gpr_ctx *, const gpr_model *, const gpr_dataset *, int32_t *, float *);
void gpr_model_free(gpr_model *);
void gpr_result_free(gpr_result *);
const char *gpr_last_error(void);

int main(void) {
    enum { NODES = 300 };
    gpr_ctx *ctx;
    gpr_dataset *data;
    gpr_params *params;
    gpr_model *model;
    gpr_result *result;
    static int32_t classes[NODES];
    int64_t count = 0, right = 0;
    if (gpr_ctx_new(&ctx, NULL) || gpr_dataset_open(ctx, &data, "csbm:n=300,f=100,phi=0.5", NULL) ||
        gpr_params_new(ctx, &params) || gpr_params_set(params, "epochs", "50") ||
        gpr_train(ctx, &model, &result, data, params) || gpr_predict(ctx, model, data, classes, NULL)) {
        fprintf(stderr, "%s\n", gpr_last_error());
        return 1;
    }
    const int32_t *labels = gpr_dataset_labels(data, &count);
    for (int64_t i = 0; i < count; i++) right += labels[i] == classes[i];
    printf("%lld of %lld nodes right\n", (long long)right, (long long)count);
    gpr_result_free(result);
    gpr_model_free(model);
    gpr_params_free(params);
    gpr_dataset_free(data);
    gpr_ctx_free(ctx);
    return count != NODES || right < NODES * 6 / 10;
}
