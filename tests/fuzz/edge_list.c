/* Texts of edges, plain and gzip: any bytes give a status, and the same edges whatever the size of the pieces. The
 * first byte says what that size is. Once without and once with kinds of edges in the third column: of a damaged file
 * that lacks the column, either error may come first. */
#include <string.h>

#include "context.h"
#include "input.h"
#include "io/text/edge_list.h"
#include "text.h"

static gpr_status read_list(gpr_ctx *ctx, gpri_edge_list *list, const char *path, int64_t piece, bool kinds) {
    gpri_edge_kinds found = {.ctx = ctx, .names = {.ctx = ctx}, .values = {.ctx = ctx}};
    const gpri_edge_file file = {.path = path, .by_column = kinds};
    const gpri_edge_options options = {.table = {.piece = piece}, .relation = "3", .kinds = kinds ? &found : NULL};
    gpr_status status = gpri_edge_files_read(ctx, list, &file, 1, &options);
    gpri_edge_kinds_free(&found);
    if (status != GPR_OK && (list->edges.src || list->names.bytes || !gpr_last_error()[0])) abort();
    return status;
}

static void compare(const gpri_edge_list *a, const gpri_edge_list *b) {
    const size_t size = (size_t)a->edges.count * 4;
    if (a->edges.nodes != b->edges.nodes || a->edges.count != b->edges.count || a->names.count != b->names.count)
        abort();
    if (memcmp(a->edges.src, b->edges.src, size) != 0 || memcmp(a->edges.dst, b->edges.dst, size) != 0) abort();
    if (!a->edges.weights != !b->edges.weights) abort();
    if (a->edges.weights && memcmp(a->edges.weights, b->edges.weights, size) != 0) abort();
    if (!a->edges.relation != !b->edges.relation || a->edges.relation_count != b->edges.relation_count) abort();
    if (a->edges.relation && memcmp(a->edges.relation, b->edges.relation, (size_t)a->edges.count) != 0) abort();
    for (int64_t r = 0; r < a->edges.relation_count; r++)
        if (strcmp(a->edges.relations[r].name, b->edges.relations[r].name) != 0) abort();
}

static void read_twice(gpr_ctx *ctx, const char *path, int64_t piece, bool kinds) {
    gpri_edge_list list, other;
    gpri_graph graph;
    gpr_status status = read_list(ctx, &list, path, 0, kinds);
    const gpr_status again = read_list(ctx, &other, path, piece, kinds);
    const bool same = kinds ? (again == GPR_OK) == (status == GPR_OK) : again == status;
    if (!same && again != GPR_ERROR_MEMORY && status != GPR_ERROR_MEMORY) abort();
    if (status == GPR_OK && again == GPR_OK) {
        compare(&list, &other);
        if (list.names.count > 0 && list.names.count != list.edges.nodes) abort();
        status = gpri_graph_take(ctx, &graph, &list.edges);
        if (status != GPR_OK && status != GPR_ERROR_MEMORY) abort();
        gpri_graph_free(ctx, &graph);
    }
    gpri_edge_list_free(ctx, &list);
    gpri_edge_list_free(ctx, &other);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    if (size < 1) return 0;
    gpr_ctx *ctx = fuzz_context();
    const char *path = input_path(bytes + 1, size - 1);
    for (int kinds = 0; kinds < 2; kinds++) read_twice(ctx, path, bytes[0] + 1, kinds);
    fuzz_context_free(ctx);
    return 0;
}

static const dictionary words = DICTIONARY("src", "dst", "source", "target", "from", "to", "weight", "w", "id", "label",
                                           "kind", "a", "a b", "\"b\"", "#", "%");

FUZZ_MUTATOR(mutate_skipping_one, &words)
