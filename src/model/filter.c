/* The options of a filter as what it is made of, and the relations of the data in their places. */
#include "model/filter.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* ---- relations: NAME,NAME; with ",..." behind them the data has others, which the filter leaves out ---- */

static bool leaves_out(const gpr_params *params) {
    const char *rest = strstr(gpri_params_text(params, GPRI_PARAM_RELATIONS), ",...");
    return rest && strlen(rest) == strlen(",...");
}

/* Word number i of a list; false: there are fewer. */
static bool word_of(char word[GPRI_RELATION_NAME + 1], const char *list, int i) {
    for (; i > 0 && *list; list++) i -= *list == ',';
    const size_t size = strcspn(list, ",");
    if (i > 0 || size == 0 || size > GPRI_RELATION_NAME) return false;
    memcpy(word, list, size);
    word[size] = 0;
    return true;
}

/* Whether the model's filter may have relations and directions: filter-first has that of the paper. */
static bool relates(const gpr_params *params) {
    return gpri_params_applies(params, GPRI_PARAM_RELATIONS) && !gpri_params_is(params, GPRI_ORDER_FILTER_FIRST);
}

static bool names_relations(const gpr_params *params) {
    return relates(params) && !gpri_params_is(params, GPRI_RELATIONS_ALL);
}

int gpri_filter_relations(const gpr_params *params) {
    int count = 1;
    if (!names_relations(params)) return 1;
    for (const char *at = gpri_params_text(params, GPRI_PARAM_RELATIONS); *at; at++) count += *at == ',';
    return count - leaves_out(params);
}

const char *gpri_filter_relation(char name[GPRI_RELATION_NAME + 1], const gpr_params *params, int relation) {
    name[0] = 0;
    if (names_relations(params)) word_of(name, gpri_params_text(params, GPRI_PARAM_RELATIONS), relation);
    return name;
}

/* Where the graph has it; -1: nowhere. */
static int64_t place_of(const gpri_graph *graph, const char *name) {
    for (int64_t r = 0; r < gpri_relation_count(graph); r++)
        if (strcmp(gpri_relation_name(graph, r), name) == 0) return r;
    return -1;
}

int gpri_filter_graphs(const gpri_graph *graphs[GPRI_MOST_RELATIONS], const gpr_params *params,
                       const gpri_graph *graph) {
    char name[GPRI_RELATION_NAME + 1];
    const int count = gpri_filter_relations(params);
    for (int r = 0; r < count; r++) {
        const int64_t place = place_of(graph, gpri_filter_relation(name, params, r));
        graphs[r] = place < 0 ? graph : gpri_relation_graph(graph, place);
    }
    return count;
}

/* ---- directions: a word for all, or NAME=WORD,NAME=WORD ---- */

const char *gpri_side_name(int side) { return side == GPRI_ALONG ? "along" : side == GPRI_AGAINST ? "against" : ""; }

/* Sides of a word, as bits; 0: undirected; -1: it is none. */
static int sides_of_word(const char *word) {
    if (strcmp(word, "along") == 0) return GPRI_ALONG;
    if (strcmp(word, "against") == 0) return GPRI_AGAINST;
    if (strcmp(word, "both") == 0) return GPRI_ALONG | GPRI_AGAINST;
    return strcmp(word, "undirected") == 0 || strcmp(word, "auto") == 0 ? 0 : -1;
}

static gpr_status sides_of(int *sides, const gpr_params *params, const char *relation) {
    const char *text = gpri_params_text(params, GPRI_PARAM_DIRECTION);
    char word[64];
    *sides = 0;
    if (!strchr(text, '=')) {
        *sides = sides_of_word(text);
        if (*sides < 0)
            return gpri_fail(GPR_ERROR_ARGUMENT,
                             "`direction` is '%s': expected undirected, along, against, both, auto, or NAME=DIRECTION "
                             "for each relation",
                             text);
        return GPR_OK;
    }
    for (const char *at = text; *at; at += *at == ',') {
        const size_t size = strcspn(at, ","), name = strcspn(at, "=");
        const size_t rest = size > name ? size - name - 1 : 0;
        if (name >= size || rest == 0 || rest >= sizeof word)
            return gpri_fail(GPR_ERROR_ARGUMENT, "`direction` is '%s': expected NAME=DIRECTION,...", text);
        memcpy(word, at + name + 1, rest);
        word[rest] = 0;
        if (sides_of_word(word) < 0 || strcmp(word, "auto") == 0)
            return gpri_fail(GPR_ERROR_ARGUMENT,
                             "`direction` of %.*s is '%s': expected undirected, along, against or both", (int)name, at,
                             word);
        if (strlen(relation) == name && strncmp(at, relation, name) == 0) *sides = sides_of_word(word);
        at += size;
    }
    return GPR_OK;
}

bool gpri_filter_has_directions(const gpri_graph *graph) {
    for (int64_t r = 0; r < gpri_relation_count(graph); r++)
        if (gpri_relation_graph(graph, r)->sides) return true;
    return false;
}

/* ---- the form ---- */

static gpr_status basis_of(gpri_filter_form *form, const gpr_params *params) {
    const char *text = gpri_params_text(params, GPRI_PARAM_BASIS);
    gpri_basis *basis = &form->basis;
    char alpha[32], beta[32];
    *basis = gpri_monomials;
    if (!gpri_params_applies(params, GPRI_PARAM_BASIS)) return GPR_OK;
    form->bernstein = gpri_params_is(params, GPRI_BASIS_BERNSTEIN);
    if (!gpri_basis_find(basis, form->bernstein ? "chebyshev" : text)) {
        double a, b;
        if (sscanf(text, "jacobi:%31[^,],%31[^,]", alpha, beta) != 2 || !gpri_parse_real(alpha, &a) ||
            !gpri_parse_real(beta, &b) || !(a > -1 && a <= 100) || !(b > -1 && b <= 100))
            return gpri_fail(GPR_ERROR_ARGUMENT,
                             "`basis` is '%s': expected monomial, chebyshev, legendre, bernstein, or jacobi:A,B with "
                             "numbers above -1 and up to 100",
                             text);
        *basis = gpri_jacobi_basis(a, b);
    }
    if (form->bernstein && form->hops > GPRI_MOST_BERNSTEIN)
        return gpri_fail(GPR_ERROR_ARGUMENT, "`basis` bernstein is computed up to `K` %d, and K is %lld",
                         GPRI_MOST_BERNSTEIN, (long long)form->hops);
    return GPR_OK;
}

/* What is there beside a block's own is K polynomials without P_0, of each relation and direction. */
static gpr_status check_blocks(const gpri_filter_form *form, const gpr_params *params) {
    if (!gpri_params_is(params, GPRI_MODEL_GPRDEEP)) return GPR_OK;
    if (form->hops == 0)
        return gpri_fail(GPR_ERROR_ARGUMENT, "`K` is 0, and a block of the model gprdeep is made of hops: give it 1 or "
                                             "more, or use the model mlp, which looks at no neighbour");
    if (form->bernstein)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "`basis` bernstein has K + 1 polynomials, and a block of the model gprdeep has weights for K: "
                         "use monomial, chebyshev, legendre or jacobi:A,B");
    return GPR_OK;
}

static gpr_status add_term(gpri_filter_form *form, int relation, int side) {
    if (form->count == GPRI_MOST_TERMS)
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "the filter has more than %d matrices, one for each relation and direction: name fewer "
                         "`relations`, or another `direction`",
                         GPRI_MOST_TERMS);
    form->terms[form->count++] = (gpri_filter_term){.relation = relation, .side = side};
    return GPR_OK;
}

/* The hops of filter-first are computed before the training: those of the paper's filter. */
static gpr_status check_first(const gpr_params *params) {
    static const gpri_param others[] = {GPRI_PARAM_RELATIONS, GPRI_PARAM_DIRECTION, GPRI_PARAM_BASIS, GPRI_PARAM_GAMMA,
                                        GPRI_PARAM_LOOPS};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!gpri_params_is_default(params, others[i]) && gpri_params_asked(params, others[i]))
            return gpri_fail(GPR_ERROR_ARGUMENT,
                             "`order` filter-first has one filter in powers of the undirected graph: leave out `%s`",
                             gpri_param_word(others[i]));
    return GPR_OK;
}

/* Every relation once, and directions of these alone. */
static gpr_status check_lists(const gpr_params *params) {
    const char *directions = gpri_params_text(params, GPRI_PARAM_DIRECTION);
    char name[GPRI_RELATION_NAME + 1], other[GPRI_RELATION_NAME + 1];
    const int count = gpri_filter_relations(params);
    for (int r = 0; r < count && names_relations(params); r++) {
        if (!*gpri_filter_relation(name, params, r))
            return gpri_fail(GPR_ERROR_ARGUMENT, "`relations` is '%s': expected names with commas between them",
                             gpri_params_text(params, GPRI_PARAM_RELATIONS));
        for (int i = 0; i < r; i++)
            if (strcmp(gpri_filter_relation(other, params, i), name) == 0)
                return gpri_fail(GPR_ERROR_ARGUMENT, "`relations` names '%s' twice", name);
    }
    for (const char *at = directions; names_relations(params) && strchr(directions, '=') && *at; at += *at == ',') {
        const size_t size = strcspn(at, "=,");
        int r = 0;
        while (r < count && (strlen(gpri_filter_relation(name, params, r)) != size || strncmp(at, name, size) != 0))
            r++;
        if (r == count)
            return gpri_fail(GPR_ERROR_ARGUMENT, "`direction` names the relation '%.*s', and the filter has %s",
                             (int)size, at, gpri_params_text(params, GPRI_PARAM_RELATIONS));
        at += strcspn(at, ",");
    }
    return GPR_OK;
}

gpr_status gpri_filter_form_of(gpri_filter_form *out, const gpr_params *params) {
    char name[GPRI_RELATION_NAME + 1];
    *out = (gpri_filter_form){.loops = true, .hops = gpri_params_int(params, GPRI_PARAM_K)};
    NEED(basis_of(out, params));
    NEED(check_blocks(out, params));
    if (gpri_params_applies(params, GPRI_PARAM_GAMMA) && !relates(params)) NEED(check_first(params));
    if (!relates(params)) return add_term(out, 0, 0);
    out->columns = gpri_params_is(params, GPRI_GAMMA_COLUMNS);
    out->loops = gpri_params_is(params, GPRI_LOOPS_YES);
    NEED(check_lists(params));
    for (int r = 0; r < gpri_filter_relations(params); r++) {
        int sides;
        NEED(sides_of(&sides, params, gpri_filter_relation(name, params, r)));
        if (sides != 0 && !gpri_basis_is_monomial(&out->basis))
            return gpri_fail(
                GPR_ERROR_ARGUMENT,
                "`basis` %s needs an undirected graph, whose eigenvalues are real: use basis monomial with "
                "`direction` %s",
                gpri_params_text(params, GPRI_PARAM_BASIS), gpri_params_text(params, GPRI_PARAM_DIRECTION));
        if (sides == 0) NEED(add_term(out, r, 0));
        if (sides & GPRI_ALONG) NEED(add_term(out, r, GPRI_ALONG));
        if (sides & GPRI_AGAINST) NEED(add_term(out, r, GPRI_AGAINST));
    }
    return GPR_OK;
}

bool gpri_filter_is_whole(const gpr_params *params) {
    return gpri_filter_is_single(params) && !names_relations(params);
}

bool gpri_filter_is_single(const gpr_params *params) {
    gpri_filter_form form;
    if (gpri_filter_form_of(&form, params) == GPR_OK) return gpri_form_is_single(&form);
    gpri_finish(GPR_OK); /* told when the filter is made */
    return true;
}

/* ---- the data's relations ---- */

static void list_names(gpri_text *text, const gpri_graph *graph) {
    for (int64_t r = 0; r < graph->relation_count; r++)
        gpri_text_add(text, "%s%s", r ? ", " : "", gpri_relation_name(graph, r));
    if (graph->relation_count == 0) gpri_text_add(text, "one kind of edges, without a name");
}

/* The options name relations: does the graph have each, and, of a model, no other? */
static gpr_status check_names(gpr_ctx *ctx, const gpr_params *params, const gpri_graph *graph, bool all) {
    char name[GPRI_RELATION_NAME + 1];
    const int count = gpri_filter_relations(params);
    gpri_text text = {.ctx = ctx};
    if (!names_relations(params) && graph->relation_count == 0) return GPR_OK;
    if (!names_relations(params)) {
        gpri_text_add(&text, "the data has the relations ");
        list_names(&text, graph);
        gpri_text_add(&text,
                      ", and the model was trained on one kind of edges: give the tables of `edges` without names");
        return gpri_text_fail(GPR_ERROR_MISMATCH, &text);
    }
    for (int r = 0; r < count; r++) {
        if (*gpri_filter_relation(name, params, r) && place_of(graph, name) >= 0) continue;
        gpri_text_add(&text, "the relation '%s' is missing: the data has ", name);
        list_names(&text, graph);
        return gpri_text_fail(GPR_ERROR_MISMATCH, &text);
    }
    for (int64_t r = 0; all && !leaves_out(params) && r < graph->relation_count; r++) {
        const char *found = gpri_relation_name(graph, r);
        int i = 0;
        while (i < count && strcmp(gpri_filter_relation(name, params, i), found) != 0) i++;
        if (i < count) continue;
        gpri_text_add(&text, "the model has no relation '%s' of the data: it was trained with %s", found,
                      gpri_params_text(params, GPRI_PARAM_RELATIONS));
        return gpri_text_fail(GPR_ERROR_MISMATCH, &text);
    }
    return GPR_OK;
}

/* A direction that was asked for, of edges that have none. */
static gpr_status check_directions(const gpr_params *params, const gpri_graph *graph, const char *relation,
                                   bool *told) {
    const char *text = gpri_params_text(params, GPRI_PARAM_DIRECTION);
    if (strchr(text, '=') || !gpri_filter_has_directions(graph))
        return gpri_fail(GPR_ERROR_ARGUMENT,
                         "`direction` is '%s', and the edges%s%s of the data have no direction: each goes both ways, "
                         "or the file says that it is undirected. Leave `direction` out",
                         text, *relation ? " of the relation " : "", relation);
    if (!*told)
        gpri_log(gpri_params_ctx(params), GPR_LOG_NOTICE,
                 "the edges of the relation %s have no direction: they stay undirected with `direction` %s", relation,
                 text);
    *told = true;
    return GPR_OK;
}

/* `direction` becomes one word where all relations have the same, else a list. */
static gpr_status settle_direction(gpr_params *params, const gpri_graph *graph) {
    static const char *const words[] = {"undirected", "along", "against", "both"};
    gpr_ctx *ctx = gpri_params_ctx(params);
    gpri_text text = {.ctx = ctx};
    char name[GPRI_RELATION_NAME + 1];
    const int count = gpri_filter_relations(params);
    bool same = true, told = false;
    int first = 0;
    gpr_status status = GPR_OK;
    for (int r = 0; r < count; r++) {
        int sides;
        TRY(sides_of(&sides, params, gpri_filter_relation(name, params, r)));
        if (sides != 0 && !gpri_relation_graph(graph, place_of(graph, name))->sides) {
            TRY(check_directions(params, graph, name, &told));
            sides = 0;
        }
        if (r == 0) first = sides;
        same &= sides == first;
        gpri_text_add(&text, "%s%s=%s", r ? "," : "", name, words[sides]);
    }
    TRY(gpri_text_status(&text));
    status = gpri_params_settle(params, GPRI_PARAM_DIRECTION, same ? words[first] : text.bytes);
done:
    gpri_text_free(&text);
    return status;
}

gpr_status gpri_filter_settle(gpr_params *params, const gpri_graph *graph) {
    gpr_ctx *ctx = gpri_params_ctx(params);
    gpri_text text = {.ctx = ctx};
    gpri_filter_form form;
    char name[GPRI_RELATION_NAME + 1];
    gpr_status status = GPR_OK;
    if (gpri_params_applies(params, GPRI_PARAM_RELATIONS) && !relates(params)) {
        TRY(check_first(params));
        if (graph->relation_count > 0)
            THROW(
                GPR_ERROR_ARGUMENT,
                "`order` filter-first has one filter in powers of the undirected graph, and the data has %lld kinds of "
                "edges: give the tables of `edges` without names, or leave out `order`",
                (long long)graph->relation_count);
    }
    if (!relates(params)) return GPR_OK;
    TRY(check_lists(params));
    const int64_t named = names_relations(params) ? gpri_filter_relations(params) : graph->relation_count;
    if (names_relations(params)) TRY(check_names(ctx, params, graph, false));
    for (int64_t r = 0; r < named; r++)
        gpri_text_add(&text, "%s%s", r ? "," : "",
                      names_relations(params) ? gpri_filter_relation(name, params, (int)r)
                                              : gpri_relation_name(graph, r));
    if (named < graph->relation_count) gpri_text_add(&text, ",...");
    TRY(gpri_text_status(&text));
    if (named > 0) TRY(gpri_params_settle(params, GPRI_PARAM_RELATIONS, text.bytes));
    TRY(check_lists(params)); /* directions of relations that the data named */
    if (!names_relations(params) && strchr(gpri_params_text(params, GPRI_PARAM_DIRECTION), '='))
        THROW(GPR_ERROR_ARGUMENT,
              "`direction` is '%s', and the data has one kind of edges, without a name: give it one word",
              gpri_params_text(params, GPRI_PARAM_DIRECTION));
    TRY(settle_direction(params, graph));
    TRY(gpri_filter_form_of(&form, params)); /* that the options fit together, before any work */
done:
    gpri_text_free(&text);
    return status;
}

gpr_status gpri_filter_sides(gpr_ctx *ctx, gpri_sides **out, const gpr_params *params, const gpri_graph *graph) {
    gpri_filter_form form;
    bool *wanted = NULL, any = false;
    char name[GPRI_RELATION_NAME + 1];
    gpr_status status = GPR_OK;
    *out = NULL;
    if (!relates(params)) return GPR_OK;
    TRY(gpri_filter_form_of(&form, params));
    TRY(check_names(ctx, params, graph, true));
    TRY(gpri_calloc(ctx, &wanted, gpri_relation_count(graph), sizeof *wanted, "graph"));
    for (int t = 0; t < form.count; t++) {
        const int64_t place = place_of(graph, gpri_filter_relation(name, params, form.terms[t].relation));
        if (form.terms[t].side == 0) continue;
        if (!gpri_relation_graph(graph, place)->sides)
            THROW(
                GPR_ERROR_MISMATCH,
                "the edges%s%s of the data have no direction, and the model goes %s them: give them as directed edges",
                *name ? " of the relation " : "", name, gpri_side_name(form.terms[t].side));
        wanted[place] = any = true;
    }
    if (any) TRY(gpri_sides_new(ctx, out, graph, wanted));
done:
    gpri_free(ctx, wanted);
    return status;
}

gpr_status gpri_filter_find(gpri_filter_form *form, const gpr_params *params, const gpri_graph *graph,
                            const gpri_sides *sides) {
    char name[GPRI_RELATION_NAME + 1];
    for (int t = 0; t < form->count; t++) {
        gpri_filter_term *term = &form->terms[t];
        term->forward = term->backward = graph;
        if (!relates(params)) continue;
        const int64_t place = place_of(graph, gpri_filter_relation(name, params, term->relation));
        if (place < 0 || (term->side != 0 && !sides))
            return gpri_fail(GPR_ERROR_MISMATCH, "the graph lacks what the filter needs%s%s", *name ? ": " : "", name);
        const gpri_sided *sided = term->side ? &sides->of[place] : NULL;
        term->forward = !sided                     ? gpri_relation_graph(graph, place)
                        : term->side == GPRI_ALONG ? &sided->along
                                                   : &sided->against;
        term->backward = !sided ? term->forward : term->side == GPRI_ALONG ? &sided->against : &sided->along;
    }
    return GPR_OK;
}
