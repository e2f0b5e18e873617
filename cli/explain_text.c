/* The text of gprgnn explain: a sentence first, then aligned tables with bars. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "chart.h"
#include "explain.h"
#include "filters.h"
#include "names.h"
#include "terminal.h"

enum { MOST_HOPS = 32, MOST_NAME = 28, ROOM = 20 };

/* The ends of a list of bars. */
typedef struct span {
    double low, high;
} span;

static void widen(span *s, double value) {
    if (value < s->low) s->low = value;
    if (value > s->high) s->high = value;
}

/* A name, or the number of what has none. */
static const char *name_or_number(const char *name, int64_t number, char text[24]) {
    snprintf(text, 24, "%" PRId64, number);
    return name ? name : text;
}

static const char *class_of(const gpr_model *model, int64_t class_id, char text[24]) {
    if (class_id == GPR_UNKNOWN_CLASS) return "(unknown)";
    if (class_id < 0 || strcmp(gpr_model_task(model), "number") == 0) return "-";
    return name_or_number(gpr_model_class_name(model, class_id), class_id, text);
}

static void put_class(FILE *out, const gpr_model *model, int64_t class_id) {
    char text[24];
    put_text(out, class_of(model, class_id, text));
}

static int wider(int width, const char *name) {
    const int needed = name_width(name);
    return needed > width ? (needed < MOST_NAME ? needed : MOST_NAME) : width;
}

/* What is being shared out. */
static const char *whole_of(const gpr_explanation_info *info) {
    return info->rival < 0 ? "score" : info->lead < 0 ? "deficit" : "lead";
}

/* A share of the lead in percent. Parts may be negative or more than 100: they add up to 100. */
static void put_share(FILE *out, const gpr_explanation_info *info, double part) {
    if (info->lead == 0) fputs("     -", out);
    else fprintf(out, "%4.0f %%", 100 * part / info->lead);
}

/* ---- The sentence ------------------------------------------------------------------------------------- */

static void print_standing(FILE *out, const gpr_explanation_info *info, const gpr_model *model) {
    char number[24];
    fputs("node ", out);
    put_text(out, name_or_number(info->id, info->node, number));
    fputs(" is predicted ", out);
    if (info->base == info->base) { /* a number */
        fprintf(out, "%.6g: the mean of the training nodes, %.6g, and %+.6g", info->prediction, info->base,
                info->score);
        return;
    }
    put_class(out, model, info->predicted);
    if (info->class_id == info->predicted) fprintf(out, " with %.0f %%", 100 * info->probability);
    else {
        fputs("; ", out);
        put_class(out, model, info->class_id);
        fprintf(out, " has %.0f %%", 100 * info->probability);
    }
    if (info->label == info->predicted) fputs(" (its label is the same)", out);
    else if (info->label >= 0) {
        fputs(" (its label is ", out);
        put_class(out, model, info->label);
        fputc(')', out);
    }
}

static void print_sentence(FILE *out, const gpr_explanation_info *info, const gpr_model *model, const double *rings,
                           const double *ring_nodes, int64_t count) {
    const double near = count > 1 ? rings[1] : 0,
                 far = info->lead - info->bias_lead - info->labels_lead - info->own_lead - near;
    const int64_t neighbours = count > 1 ? (int64_t)ring_nodes[1] : 0, others = info->reached - neighbours;
    print_standing(out, info, model);
    if (info->lead == 0) {
        fputs(".\n", out);
        return;
    }
    fprintf(out, ":\nof its %s", whole_of(info));
    if (info->rival >= 0) {
        fputs(info->lead < 0 ? " against " : " over ", out);
        put_class(out, model, info->rival);
    }
    fprintf(out, ", %.0f %% comes from itself", 100 * info->own_lead / info->lead);
    if (neighbours > 0)
        fprintf(out, ", %.0f %% from its %" PRId64 " neighbour%s", 100 * near / info->lead, neighbours,
                neighbours == 1 ? "" : "s");
    if (others > 0)
        fprintf(out, ", %.0f %% from %" PRId64 " node%s further away", 100 * far / info->lead, others,
                others == 1 ? "" : "s");
    if (info->bias_lead != 0) fprintf(out, ", %.0f %% from the bias", 100 * info->bias_lead / info->lead);
    if (info->labels_lead != 0)
        fprintf(out, ", %.0f %% from counts of known labels", 100 * info->labels_lead / info->lead);
    fputs(".\n", out);
}

/* ---- Tables ------------------------------------------------------------------------------------------- */

static void print_scores(FILE *out, const gpr_explanation_info *info, const gpr_model *model) {
    if (info->base == info->base) {
        fprintf(out, "\nscore     %.6g above the mean of the training nodes, in the unit of the target\n", info->score);
        return;
    }
    fprintf(out, "\nscore     %.4f for ", info->score);
    put_class(out, model, info->class_id);
    if (info->rival >= 0) {
        fprintf(out, ", %.4f for ", info->score - info->lead);
        put_class(out, model, info->rival);
        fprintf(out, " (%.0f %%): %s %.4f", 100 * info->rival_probability, whole_of(info), info->lead);
    }
    fprintf(out, "\n");
}

static void print_hops(FILE *out, const gpr_explanation_info *info, const double *gamma, const double *hops,
                       int64_t count, bool powers, bool utf8) {
    span s = {0, 0};
    for (int64_t k = 0; k < count; k++) widen(&s, hops[k]);
    fprintf(out, "hops      what %s gave to the %s\n", powers ? "walks of k steps" : "the k-th polynomial of the basis",
            whole_of(info));
    fprintf(out, "  %-4s %10s %10s  share\n", "k", gamma ? "gamma" : "", whole_of(info));
    for (int64_t k = 0; k < count && k < MOST_HOPS; k++) {
        fprintf(out, "  %-4" PRId64 " ", k);
        if (gamma) fprintf(out, "%10.4f", gamma[k]);
        fprintf(out, "%*s %10.4f ", gamma ? 0 : 10, "", hops[k]);
        put_share(out, info, hops[k]);
        fputc(' ', out);
        print_bar(out, hops[k], s.low, s.high, ROOM, utf8);
        fputc('\n', out);
    }
    if (count > MOST_HOPS) fprintf(out, "  and %" PRId64 " more: see the JSON\n", count - MOST_HOPS);
}

/* What each kind of edges gave, where there are several or directions. */
static void print_relations(FILE *out, const gpr_explanation *from, int64_t index, const gpr_explanation_info *info,
                            double itself, bool utf8) {
    gpr_explained_filter part = {.struct_size = sizeof part};
    char title[64];
    span s = {0, 0};
    int width = 12;
    bool shared = true; /* the node itself is no part of one of them */
    for (int64_t f = 0; f < info->filters && gpr_explanation_filter(from, index, f, &part) == GPR_OK; f++) {
        widen(&s, part.lead);
        filter_title(title, sizeof title, part.relation, part.direction);
        if ((int)strlen(title) > width) width = (int)strlen(title);
        if (part.hops_lead[0] != 0) shared = false;
    }
    fprintf(out, "relations what each kind of edges gave to the %s\n", whole_of(info));
    if (shared) widen(&s, itself);
    for (int64_t f = shared ? -1 : 0; f < info->filters; f++) {
        if (f >= 0 && gpr_explanation_filter(from, index, f, &part) != GPR_OK) return;
        const double lead = f < 0 ? itself : part.lead;
        fprintf(out, "  %-*s %10.4f ", width,
                f < 0 ? "no edge" : filter_title(title, sizeof title, part.relation, part.direction), lead);
        put_share(out, info, lead);
        fputc(' ', out);
        print_bar(out, lead, s.low, s.high, ROOM, utf8);
        fputc('\n', out);
    }
}

/* Of a model whose score is no sum: what it would change by if a hop of a block counted more. */
static void print_block_hops(FILE *out, const gpr_explanation *from, int64_t index, const gpr_explanation_info *info,
                             bool utf8) {
    gpr_explained_filter part = {.struct_size = sizeof part};
    const double *hops;
    char title[64];
    int64_t count, block = 0;
    span s = {0, 0};
    if (gpr_explanation_series(from, index, "hops", &hops, &count) != GPR_OK) return;
    for (int64_t f = 0; f < info->filters && gpr_explanation_filter(from, index, f, &part) == GPR_OK; f++)
        for (int64_t k = 1; k < count; k++) widen(&s, part.hops_lead[k]);
    fprintf(out,
            "hops      gradient times weight of the %s; not exact: if a hop of a block counted\n"
            "          1 %% more, it would change by 1 %% of the effect\n"
            "  %-34s %10s %10s\n",
            whole_of(info), "", "gamma", "effect");
    for (int64_t f = 0; f < info->filters && gpr_explanation_filter(from, index, f, &part) == GPR_OK; f++) {
        if (part.block != block) fprintf(out, "  block %" PRId64 "\n", part.block);
        block = part.block;
        filter_title(title, sizeof title, part.relation, part.direction);
        for (int64_t k = 1; k < count && k <= MOST_HOPS; k++) {
            fprintf(out, "    %-24.24s hop %-3" PRId64 " %10.4f %10.4f ", k == 1 ? title : "", k, part.gamma[k],
                    part.hops_lead[k]);
            print_bar(out, part.hops_lead[k], s.low, s.high, ROOM, utf8);
            fputc('\n', out);
        }
    }
}

typedef struct node_table {
    const gpr_explanation *from;
    const gpr_explanation_info *info;
    const gpr_model *model;
    int64_t index;
    int id_width, class_width;
    span bars;
    bool utf8;
} node_table;

static gpr_explained_node node_of(const node_table *t, int64_t rank) {
    gpr_explained_node node = {.struct_size = sizeof node};
    (void)gpr_explanation_node(t->from, t->index, rank, &node);
    return node;
}

static void measure_nodes(node_table *t) {
    char text[24];
    t->id_width = 12;
    t->class_width = 9;
    widen(&t->bars, t->info->own_lead);
    widen(&t->bars, t->info->others_lead);
    widen(&t->bars, t->info->bias_lead);
    widen(&t->bars, t->info->labels_lead);
    for (int64_t r = 0; r < t->info->listed; r++) {
        const gpr_explained_node node = node_of(t, r);
        widen(&t->bars, node.lead);
        t->id_width = wider(t->id_width, name_or_number(node.id, node.node, text));
        t->class_width = wider(t->class_width, class_of(t->model, node.label, text));
        t->class_width = wider(t->class_width, class_of(t->model, node.predicted, text));
    }
}

static void print_row(FILE *out, const node_table *t, const char *id, const char *distance, const char *label,
                      const char *predicted, double lead) {
    fputs("  ", out);
    print_name(out, id, -t->id_width, t->utf8);
    fprintf(out, " %5s  ", distance);
    print_name(out, label, -t->class_width, t->utf8);
    fputs("  ", out);
    print_name(out, predicted, -t->class_width, t->utf8);
    fprintf(out, " %9.4f ", lead);
    put_share(out, t->info, lead);
    fputc(' ', out);
    print_bar(out, lead, t->bars.low, t->bars.high, ROOM, t->utf8);
    fputc('\n', out);
}

static void print_nodes(FILE *out, node_table *t) {
    const gpr_explanation_info *info = t->info;
    char id[32], distance[24], label[24], predicted[24];
    measure_nodes(t);
    fprintf(out, "nodes     what each gave to the %s, over all hops\n  %-*s %5s  %-*s  %-*s %9s  share\n",
            whole_of(info), t->id_width, "node", "steps", t->class_width, "label", t->class_width, "predicted",
            whole_of(info));
    print_row(out, t, "itself", "0", class_of(t->model, info->label, label),
              class_of(t->model, info->predicted, predicted), info->own_lead);
    for (int64_t r = 0; r < info->listed; r++) {
        const gpr_explained_node node = node_of(t, r);
        snprintf(distance, sizeof distance, "%" PRId64, node.distance);
        print_row(out, t, name_or_number(node.id, node.node, id), distance, class_of(t->model, node.label, label),
                  class_of(t->model, node.predicted, predicted), node.lead);
    }
    snprintf(id, sizeof id, "%" PRId64 " others", info->reached - info->listed);
    if (info->reached > info->listed) print_row(out, t, id, "", "", "", info->others_lead);
    if (info->bias_score != 0) print_row(out, t, "bias", "", "", "", info->bias_lead);
    if (info->labels_score != 0) print_row(out, t, "label counts", "", "", "", info->labels_lead);
}

static void print_columns(FILE *out, const gpr_explanation *from, int64_t index, const gpr_explanation_info *info,
                          bool utf8) {
    gpr_explained_column column = {.struct_size = sizeof column};
    span s = {0, 0};
    int width = 12;
    char text[24];
    fprintf(out,
            "columns   gradient times input of the %s: the node's own features that matter most, of %" PRId64
            " that are not 0\n",
            whole_of(info), info->columns);
    for (int64_t r = 0; r < info->listed_columns; r++) {
        if (gpr_explanation_column(from, index, r, &column) != GPR_OK) return;
        widen(&s, column.lead);
        width = wider(width, name_or_number(column.name, column.feature, text));
    }
    if (info->listed_columns > 0) fprintf(out, "  %-*s %12s %10s\n", width, "column", "value", "effect");
    for (int64_t r = 0; r < info->listed_columns; r++) {
        if (gpr_explanation_column(from, index, r, &column) != GPR_OK) return;
        fputs("  ", out);
        print_name(out, name_or_number(column.name, column.feature, text), -width, utf8);
        fprintf(out, " %12.6g %10.4f ", column.value, column.lead);
        print_bar(out, column.lead, s.low, s.high, ROOM, utf8);
        fputc('\n', out);
    }
}

/* A score of trees: shares of their columns. */
static void print_shares(FILE *out, const gpr_explanation *from, int64_t index, const gpr_explanation_info *info,
                         bool utf8) {
    gpr_explained_column column = {.struct_size = sizeof column};
    double rest = info->columns_lead;
    span s = {0, 0};
    int width = 24;
    fprintf(out, "columns   what each gave to the %s (SHAP), of %" PRId64 " that gave something\n", whole_of(info),
            info->columns);
    widen(&s, info->bias_lead);
    for (int64_t r = 0; r < info->listed_columns; r++) {
        if (gpr_explanation_column(from, index, r, &column) != GPR_OK) return;
        widen(&s, column.lead);
        rest -= column.lead;
        width = wider(width, column.name);
    }
    widen(&s, rest);
    fprintf(out, "  %-*s %12s %10s  share\n", width, "column", "value", whole_of(info));
    for (int64_t r = -1; r <= info->listed_columns; r++) {
        const bool one = r >= 0 && r < info->listed_columns;
        if (one && gpr_explanation_column(from, index, r, &column) != GPR_OK) return;
        const double lead = one ? column.lead : r < 0 ? info->bias_lead : rest;
        fputs("  ", out);
        print_name(out, one ? column.name : r < 0 ? "what is expected" : "other columns", -width, utf8);
        if (one) fprintf(out, " %12.6g", column.value);
        else fprintf(out, " %12s", "");
        fprintf(out, " %10.4f ", lead);
        put_share(out, info, lead);
        fputc(' ', out);
        print_bar(out, lead, s.low, s.high, ROOM, utf8);
        fputc('\n', out);
    }
}

static void print_one(FILE *out, const gpr_explanation *from, int64_t index, const gpr_model *model) {
    const bool utf8 = terminal_is_utf8();
    gpr_explanation_info info = {.struct_size = sizeof info};
    const double *gamma, *hops, *rings, *ring_nodes;
    int64_t count;
    if (gpr_explanation_describe(from, index, &info) != GPR_OK ||
        gpr_explanation_series(from, index, "gamma", &gamma, NULL) != GPR_OK ||
        gpr_explanation_series(from, index, "hops_lead", &hops, &count) != GPR_OK ||
        gpr_explanation_series(from, index, "rings_lead", &rings, NULL) != GPR_OK ||
        gpr_explanation_series(from, index, "ring_nodes", &ring_nodes, NULL) != GPR_OK)
        return;
    if (index > 0) fputc('\n', out);
    if (info.exact == 2) {
        print_standing(out, &info, model);
        fputs(".\n", out);
        print_scores(out, &info, model);
        print_shares(out, from, index, &info, utf8);
        return;
    }
    if (info.exact) print_sentence(out, &info, model, rings, ring_nodes, count);
    else {
        print_standing(out, &info, model);
        fputs(".\nThe scores of this model are no sum over nodes and hops. Gradient times input, which is not\n"
              "exact, says what small changes do:\n",
              out);
    }
    print_scores(out, &info, model);
    if (!info.exact) {
        print_block_hops(out, from, index, &info, utf8);
        print_columns(out, from, index, &info, utf8);
        return;
    }
    if (!gamma) print_relations(out, from, index, &info, hops[0], utf8);
    const char *basis = gpr_model_param(model, "basis");
    print_hops(out, &info, gamma, hops, count, !basis || strcmp(basis, "monomial") == 0, utf8);
    node_table table = {.from = from, .info = &info, .model = model, .index = index, .utf8 = utf8};
    print_nodes(out, &table);
    print_columns(out, from, index, &info, utf8);
}

void print_explanation(FILE *out, const gpr_explanation *explanation, int64_t count, const gpr_model *model) {
    for (int64_t i = 0; i < count; i++) print_one(out, explanation, i, model);
}

/* ---- Importance --------------------------------------------------------------------------------------- */

void print_importance(FILE *out, const gpr_importance *importance) {
    const bool utf8 = terminal_is_utf8();
    gpr_importance_info info = {.struct_size = sizeof info};
    gpr_important_column column = {.struct_size = sizeof column};
    span s = {0, 0};
    int width = 12;
    char text[24];
    if (gpr_importance_describe(importance, &info) != GPR_OK) return;
    for (int64_t r = 0; r < info.tried && gpr_importance_column(importance, r, &column) == GPR_OK; r++) {
        widen(&s, column.accuracy_drop);
        width = wider(width, name_or_number(column.name, column.feature, text));
    }
    fprintf(out,
            "%" PRId64 " %s nodes: accuracy %.2f %%, log-loss %.4f. Each column was shuffled among all nodes, "
            "%" PRId64 " time%s;\nmeans, and half of their 95 %% confidence intervals:\n",
            info.nodes, info.on_test_nodes ? "test" : "labelled", info.accuracy, info.loss, info.repeats,
            info.repeats == 1 ? "" : "s");
    fprintf(out, "  %-*s %19s  %21s\n", width, "column", "accuracy lost", "log-loss gained");
    for (int64_t r = 0; r < info.tried && gpr_importance_column(importance, r, &column) == GPR_OK; r++) {
        fputs("  ", out);
        print_name(out, name_or_number(column.name, column.feature, text), -width, utf8);
        fprintf(out, " %7.2f %s %7.2f  %9.4f %s %7.4f  ", column.accuracy_drop, utf8 ? "±" : "+/-",
                column.accuracy_drop_ci95, column.loss_rise, utf8 ? "±" : "+/-", column.loss_rise_ci95);
        print_bar(out, column.accuracy_drop, s.low, s.high, ROOM, utf8);
        fputc('\n', out);
    }
    if (info.tried < info.columns)
        fprintf(out, "  %" PRId64 " other columns were not tried: --top N tries more\n", info.columns - info.tried);
}
