/* Targets: made from what a caller gives, copied, freed. */
#include "task/target.h"

#include <math.h>

#include "task/number.h"

void gpri_target_free(gpr_ctx *ctx, gpri_target *target) {
    gpri_free_all(ctx, target->labels, target->numbers);
    gpri_names_free(ctx, &target->names);
    *target = (gpri_target){0};
}

int64_t gpri_target_count(const gpri_target *target, int64_t nodes) {
    int64_t count = 0;
    for (int64_t i = 0; i < nodes; i++) count += gpri_target_known(target, i);
    return count;
}

/* Of a number: of its mean, which is about 1 in its own unit. */
double gpri_target_guess(const gpri_target *target) {
    return gpri_target_is_number(target) ? 1 : log((double)target->classes);
}

gpr_status gpri_target_tells(const gpri_target *target, int64_t nodes, const char *name) {
    if (gpri_target_is_number(target)) {
        const gpri_unit all = gpri_unit_of(target->numbers, NULL, 0, nodes);
        if (all.scale > 0) return GPR_OK;
        return gpri_fail(GPR_ERROR_ARGUMENT, "%s: the target is %g for all labelled nodes: there is nothing to learn",
                         name, all.mean);
    }
    if (target->classes >= 2) return GPR_OK;
    return gpri_fail(GPR_ERROR_ARGUMENT, "%s has only one class: there is nothing to tell apart", name);
}

gpr_status gpri_target_new(gpr_ctx *ctx, gpri_target *out, const gpri_target *like, int64_t nodes) {
    *out = (gpri_target){.classes = like->classes};
    NEED(gpri_alloc(ctx, &out->labels, nodes, sizeof *out->labels, "labels"));
    if (like->numbers) NEED(gpri_alloc(ctx, &out->numbers, nodes, sizeof *out->numbers, "targets"));
    return gpri_names_clone(ctx, &out->names, &like->names);
}

gpr_status gpri_target_of_numbers(gpr_ctx *ctx, gpri_target *out, const float *numbers, int64_t nodes) {
    *out = (gpri_target){.classes = 1};
    NEED(gpri_alloc(ctx, &out->labels, nodes, sizeof *out->labels, "labels"));
    NEED(gpri_copy(ctx, &out->numbers, numbers, nodes, sizeof *out->numbers, "targets"));
    for (int64_t i = 0; i < nodes; i++) {
        if (isinf(numbers[i]))
            return gpri_fail(GPR_ERROR_ARGUMENT,
                             "the target of node %lld is infinite: it must be a finite number, or NaN where it is not "
                             "known",
                             (long long)i);
        out->labels[i] = isnan(numbers[i]) ? -1 : 0;
    }
    return GPR_OK;
}

/* *largest: the largest label, or -1; *where: the first node that has it. */
static gpr_status take_labels(gpri_target *out, const int32_t *labels, int64_t nodes, int64_t *largest,
                              int64_t *where) {
    *largest = -1, *where = 0;
    for (int64_t i = 0; i < nodes; i++) {
        const int32_t label = labels ? labels[i] : -1;
        if (label < -1)
            return gpri_fail(GPR_ERROR_ARGUMENT, "node %lld has label %d: labels must be 0, 1, ... or -1 for none",
                             (long long)i, label);
        out->labels[i] = label;
        if (label > *largest) *largest = label, *where = i;
    }
    return GPR_OK;
}

/* Nobody said how many classes there are. Numbers with gaps, of too many values for classes, are a quantity. */
static gpr_status check_numbers(gpr_ctx *ctx, const int32_t *labels, int64_t nodes, int64_t largest) {
    enum { FEW = 50, PER_CLASS = 20 }; /* 5 % of the labelled nodes, as for labels of tables */
    int64_t labelled = 0, values = 0;
    uint8_t *seen = NULL; /* (largest + 1) */
    if (largest < FEW) return GPR_OK;
    NEED(gpri_calloc(ctx, &seen, largest + 1, sizeof *seen, "classes"));
    for (int64_t i = 0; i < nodes; i++) {
        if (labels[i] < 0) continue;
        labelled++;
        values += !seen[labels[i]];
        seen[labels[i]] = 1;
    }
    gpri_free(ctx, seen);
    if (values > largest || values <= FEW || values * PER_CLASS <= labelled) return GPR_OK;
    return gpri_fail(
        GPR_ERROR_ARGUMENT,
        "%lld different numbers, up to %lld, are the labels of %lld nodes: a number to predict is given as "
        "`targets`, a regressor's y; for classes make a few of them; if each number is a class, number "
        "the classes 0, 1, 2, ...",
        (long long)values, (long long)largest, (long long)labelled);
}

gpr_status gpri_target_of_labels(gpr_ctx *ctx, gpri_target *out, const int32_t *labels, int64_t nodes, int64_t classes,
                                 const char *const *names) {
    int64_t largest, where;
    *out = (gpri_target){0};
    NEED(gpri_alloc(ctx, &out->labels, nodes, sizeof *out->labels, "labels"));
    NEED(take_labels(out, labels, nodes, &largest, &where));
    if (classes < 0 || classes > GPRI_MOST_CLASSES)
        return gpri_fail(GPR_ERROR_ARGUMENT, "%lld classes: there must be from 1 to %d (or 0: as the labels say)",
                         (long long)classes, GPRI_MOST_CLASSES);
    if (classes > 0 && largest >= classes)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "node %lld has label %lld: with %lld classes, labels must be in [0, %lld) or -1",
                         (long long)where, (long long)largest, (long long)classes, (long long)classes);
    if (largest >= GPRI_MOST_CLASSES)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "node %lld has label %lld: labels must be below %d; number the classes 0, 1, 2, ...",
                         (long long)where, (long long)largest, GPRI_MOST_CLASSES);
    out->classes = classes > 0 ? classes : largest + 1;
    if (classes == 0 && !names) NEED(check_numbers(ctx, out->labels, nodes, largest));
    NEED(gpri_names_take(ctx, &out->names, names, out->classes, "class name"));
    gpri_names_make_utf8(&out->names); /* it goes to model files */
    return GPR_OK;
}
