/* Names of the columns of trees. */
#include "model/trained/tree_names.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tensor/label_counts.h"

static int64_t counts_of(const gpr_model *model) {
    return gpri_trees_form(model->params, model->classes, NULL).count_columns;
}

int64_t gpri_trees_column_count(const gpr_model *model) {
    const gpri_tree_plan plan = gpri_trees_plan(model->params, model->features);
    return gpri_tree_plan_columns(&plan) + counts_of(model);
}

/* The columns of counts are in the order of tensor/label_counts.h. */
static void name_count(char *out, const gpr_model *model, int64_t column, const char *over) {
    static const char *const kinds[] = {"neighbours with ", "share of neighbours with ", "two steps away, share with ",
                                        "two steps away, nodes with "};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    char number[32];
    snprintf(number, sizeof number, "class %lld", (long long)(column / KINDS));
    const char *name = column / KINDS < model->classes ? gpri_name(&model->class_names, column / KINDS) : NULL;
    if (column == KINDS * model->classes) snprintf(out, GPRI_TREE_NAME, "weight of edges%s", over);
    else snprintf(out, GPRI_TREE_NAME, "%s%s%s", kinds[column % KINDS], name ? name : number, over);
}

const char *gpri_trees_column_name(char out[GPRI_TREE_NAME], int64_t *feature, const gpr_model *model, int64_t column) {
    const gpri_tree_plan plan = gpri_trees_plan(model->params, model->features);
    const int64_t first = gpri_tree_plan_columns(&plan);
    const int64_t counts = counts_of(model) - gpri_stack_columns(model->params, model->classes);
    const int64_t each = counts / plan.relations;
    const gpri_tree_column what = gpri_tree_column_of(&plan, column);
    const bool of_network = column >= first + counts;
    const int64_t relation = of_network ? -1 : column < first ? what.relation : (column - first) / each;
    char name[GPRI_RELATION_NAME + 1] = "", over[GPRI_RELATION_NAME + 8] = "", number[32];
    if (relation >= 0) gpri_filter_relation(name, model->params, (int)relation);
    if (*name) snprintf(over, sizeof over, " over %s", name);
    *feature = -1;
    if (of_network) {
        const int64_t place = column - first - counts, class_id = model->classes == 2 ? 1 : place;
        const char *class_name = gpri_name(&model->class_names, class_id);
        snprintf(number, sizeof number, "class %lld", (long long)class_id);
        snprintf(out, GPRI_TREE_NAME, "the network's score of %s", class_name ? class_name : number);
        return out;
    }
    if (column >= first) {
        name_count(out, model, (column - first) % each, over);
        return out;
    }
    if (what.own < 0) {
        snprintf(out, GPRI_TREE_NAME, "%s%s%s", what.kind, strcmp(what.kind, "core") == 0 ? " number" : "", over);
        return out;
    }
    *feature = (int64_t)gpri_model_tensor(model, GPRI_TREES_COLUMNS)->values[what.own];
    const char *known = gpr_model_feature_name(model, *feature);
    snprintf(number, sizeof number, "column %lld", (long long)*feature);
    if (what.relation < 0) snprintf(out, GPRI_TREE_NAME, "%s", known ? known : number);
    else snprintf(out, GPRI_TREE_NAME, "%s of %s%s", what.kind, known ? known : number, over);
    return out;
}

void gpri_trees_gains(double *gains, int64_t *questions, const gpr_model *model) {
    const gpri_tensor *split = gpri_model_tensor(model, GPRI_TREES_SPLIT);
    const gpri_tensor *gain = gpri_model_tensor(model, GPRI_TREES_GAIN);
    for (int64_t i = 0; i < split->rows * split->cols; i++) {
        if (split->values[i] == 0) continue;
        const int64_t column = (int64_t)fabsf(split->values[i]) - 1;
        gains[column] += (double)gain->values[i];
        if (questions) questions[column]++;
    }
}
