/* Checks a whole .gpr file before its first use, on all threads: the checksums, and the numbers in it
 * (check_arrays.h).
 *
 * Sections are cut into pieces, at the arrays of graphs and at shards. The row pointers and starts of names come first,
 * since they locate the pieces of other sections. */
#include <stdio.h>
#include <string.h>

#include "base/print.h"
#include "data/describe.h"
#include "dist/all.h"
#include "file/checksum.h"
#include "io/mapped/check_arrays.h"
#include "io/mapped/shards.h"

#define PIECE_BYTES ((int64_t)1 << 22) /* a multiple of the alignment and of every element */

typedef struct piece {
    int slot, kind; /* kind: -1 for an unknown section, of which only the checksum is checked */
    int64_t graph;  /* of an array of a graph: its place, the whole first; else 0 */
    int64_t begin;  /* of the array in the section */
    int64_t offset; /* of its bytes in the section */
    int64_t bytes;  /* with the zeros at the end of the last piece */
    uint32_t checksum;
    int64_t wrong;  /* the place of an element, or -1 */
    char found[32]; /* what is there, for the message: another process may not have these rows */
    gpri_mapped_sums sum;
    int64_t shard; /* that it lies in, or -1 */
    bool done;
} piece;

typedef struct inspection {
    const gpr_dataset *data;
    const gpri_mapped *file;
    const gpr_ctx *together; /* its processes look through it together; or NULL */
    piece *pieces;
    int64_t count;
    const int64_t *todo;   /* (as many as this process inspects) pieces; NULL: all */
    bool with_fingerprint; /* as an additional first piece: it takes the longest */
    uint64_t fingerprint[2];
} inspection;

static void write_element(char found[32], const gpri_mapped_form *form, const unsigned char *at) {
    if (strcmp(form->type, "int64") == 0) {
        int64_t value;
        memcpy(&value, at, sizeof value);
        snprintf(found, 32, "%lld", (long long)value);
    } else if (strcmp(form->type, "int32") == 0) {
        int32_t value;
        memcpy(&value, at, sizeof value);
        snprintf(found, 32, "%d", value);
    } else if (strcmp(form->type, "float32") == 0) {
        float value;
        memcpy(&value, at, sizeof value);
        gpri_print(found, 32, "%g", (double)value);
    } else {
        snprintf(found, 32, "byte %u", *at);
    }
}

static void inspect(void *arg, int64_t chunk, int slot) {
    inspection *checking = arg;
    (void)slot;
    if (checking->with_fingerprint && chunk-- == 0) {
        gpri_fingerprint_arrays(checking->fingerprint, checking->data);
        return;
    }
    piece *p = &checking->pieces[checking->todo ? checking->todo[chunk] : chunk];
    p->done = true;
    const gpri_mapped_section *section = &checking->file->header.section[p->slot];
    if (!checking->file->shards) gpri_map_ahead(&checking->file->mapping, section->offset + p->offset, p->bytes);
    p->checksum = gpri_checksum(0, checking->file->bytes + section->offset + p->offset, p->bytes);
    if (p->kind < 0 || !gpri_mapped_rules[p->kind].check) return;
    const int64_t size = gpri_mapped_forms[p->kind].size, end = p->offset + p->bytes;
    const gpri_mapped_owner of = {checking->data, gpri_graph_at(&checking->data->graph, p->graph)};
    p->wrong =
        gpri_mapped_rules[p->kind].check(&of, (gpri_mapped_kind)p->kind, (p->offset - p->begin) / size,
                                         ((end < section->bytes ? end : section->bytes) - p->begin) / size, &p->sum);
    if (p->wrong >= 0) p->wrong += p->begin / size;
    if (p->wrong >= 0)
        write_element(p->found, &gpri_mapped_forms[p->kind], checking->file->bytes + section->offset + p->wrong * size);
}

static int kind_of(const gpri_mapped *file, int slot) {
    for (int kind = 0; kind < GPRI_MAPPED_KINDS; kind++)
        if (file->slots[kind] == slot) return kind;
    return -1;
}

/* Part `part` of a section: the rows of a shard, or the array of a graph; false: there are no more. The last one has
   the zeros at the end. */
static bool part_of(piece *out, int64_t *end, const inspection *checking, int slot, int kind, int64_t part) {
    const gpri_mapped *file = checking->file;
    const gpri_graph *graph = &checking->data->graph;
    const bool of_graph = kind >= 0 && gpri_mapped_is_graphs((gpri_mapped_kind)kind);
    const int64_t size = gpri_mapped_padded(file->header.section[slot].bytes);
    *out = (piece){.slot = slot, .kind = kind, .wrong = -1, .shard = -1};
    *end = size;
    if (file->shards && kind >= 0 && gpri_shard_cuts((gpri_mapped_kind)kind)) {
        if (part == file->shards->head.shards) return false;
        gpri_shard_part(file, (gpri_mapped_kind)kind, part, &out->offset, end);
        out->shard = part;
        return true;
    }
    if (!of_graph) return part == 0;
    if (part == gpri_graph_count(graph)) return false;
    for (int64_t g = 0; g <= part; g++) {
        gpri_mapped_array_of(gpri_graph_at(graph, g), (gpri_mapped_kind)kind, end);
        if (g < part) out->begin += *end;
    }
    out->graph = part;
    out->offset = out->begin;
    *end = part + 1 == gpri_graph_count(graph) ? size : out->begin + *end;
    return true;
}

/* The pieces of all sections that lead, or of all others, in order. pieces: NULL only counts them. */
static int64_t cut(const inspection *checking, bool leading, piece *pieces) {
    const gpri_mapped *file = checking->file;
    int64_t count = 0;
    for (int slot = 0; slot < (int)file->header.sections; slot++) {
        const int kind = kind_of(file, slot);
        if ((kind >= 0 && gpri_mapped_rules[kind].leads) != leading) continue;
        piece next;
        int64_t end;
        for (int64_t part = 0; part_of(&next, &end, checking, slot, kind, part); part++)
            for (; next.offset < end; next.offset += PIECE_BYTES, count++) {
                next.bytes = end - next.offset < PIECE_BYTES ? end - next.offset : PIECE_BYTES;
                if (pieces) pieces[count] = next;
            }
    }
    return count;
}

static gpr_status check_sums(const inspection *checking) {
    for (int64_t i = 0; i < checking->count;) {
        const int slot = checking->pieces[i].slot;
        const gpri_mapped_section *section = &checking->file->header.section[slot];
        uint32_t checksum = 0;
        for (; i < checking->count && checking->pieces[i].slot == slot; i++)
            checksum = gpri_checksum_join(checksum, checking->pieces[i].checksum, checking->pieces[i].bytes);
        if (checksum != section->checksum)
            return gpri_fail(GPR_ERROR_FORMAT,
                             "%s: section %s is damaged: its checksum is %08x, the header says %08x; convert the data "
                             "again, or take another copy of the file",
                             checking->file->path, section->name, checksum, section->checksum);
    }
    return GPR_OK;
}

/* The checksums are right, so the program that wrote the file made the mistake. */
static gpr_status complain(const inspection *checking, const piece *p) {
    return gpri_fail(GPR_ERROR_FORMAT, "%s: section %s, element %lld is %s: %s", checking->file->path,
                     checking->file->header.section[p->slot].name, (long long)p->wrong, p->found,
                     gpri_mapped_rules[p->kind].rule);
}

/* One file is the same for all processes, and they take its pieces in turn. Of shards each may have copies of its own:
   it inspects all that it has opened. */
static bool is_mine(const inspection *checking, int64_t i) {
    const gpri_shards *s = checking->file->shards;
    const int64_t shard = checking->pieces[i].shard;
    if (!s)
        return i * gpri_process_count(checking->together) / checking->count == gpri_process_number(checking->together);
    return shard < 0 || s->files[shard].fd >= 0;
}

/* What all processes have found; found: (processes x count). */
static gpr_status join_found(inspection *checking, const piece *found) {
    const int64_t processes = gpri_process_count(checking->together);
    gpr_status status = GPR_OK;
    for (int64_t i = 0; i < checking->count; i++) {
        const piece *taken = NULL;
        for (int64_t p = 0; p < processes; p++) {
            const piece *part = &found[p * checking->count + i];
            if (!part->done) continue;
            if (taken && taken->checksum != part->checksum && status == GPR_OK)
                status = gpri_fail(GPR_ERROR_FORMAT,
                                   "%s: process %lld of %lld has another copy than others: section %s differs; one of "
                                   "them is damaged: give the same files to all",
                                   checking->file->path, (long long)p, (long long)processes,
                                   checking->file->header.section[part->slot].name);
            if (!taken || part->wrong >= 0) taken = part;
        }
        if (taken) checking->pieces[i] = *taken;
    }
    return status;
}

/* Every process inspects some of the pieces, and all get what came of them: none reads all of the file. */
static gpr_status inspect_together(gpr_ctx *ctx, int threads, inspection *checking) {
    const int64_t processes = gpri_process_count(checking->together);
    int64_t *todo = NULL, count = 0;
    piece *found = NULL; /* (processes x count) */
    gpr_status status = gpri_alloc(ctx, &todo, checking->count, sizeof *todo, "pieces of a file");
    if (status == GPR_OK)
        status = gpri_alloc(ctx, &found, processes * checking->count, sizeof *found, "pieces of a file");
    TRY(gpri_all_well(checking->together, status));
    for (int64_t i = 0; i < checking->count; i++)
        if (is_mine(checking, i)) todo[count++] = i;
    checking->todo = todo;
    gpri_parallel(ctx, threads, count, inspect, checking);
    checking->todo = NULL;
    gpri_all_gather(checking->together, found, checking->pieces, checking->count * (int64_t)sizeof *found);
    status = join_found(checking, found);
done:
    gpri_free_all(ctx, todo, found);
    return status;
}

/* Checks all of the file, except what has to be compared with a count in the header. */
static gpr_status look_through(gpr_ctx *ctx, int threads, inspection *checking, bool leading) {
    checking->count = cut(checking, leading, NULL);
    NEED(gpri_alloc(ctx, &checking->pieces, checking->count, sizeof *checking->pieces, "pieces of a file"));
    cut(checking, leading, checking->pieces);
    checking->with_fingerprint = !leading && !checking->together;
    if (checking->together) NEED(inspect_together(ctx, threads, checking));
    else gpri_parallel(ctx, threads, checking->count + checking->with_fingerprint, inspect, checking);
    NEED(check_sums(checking));
    for (int64_t i = 0; i < checking->count; i++)
        if (checking->pieces[i].wrong >= 0) return complain(checking, &checking->pieces[i]);
    return GPR_OK;
}

static gpri_mapped_sums sum_of(const inspection *checking, gpri_mapped_kind kind, int64_t graph) {
    gpri_mapped_sums sum = {0, 0};
    for (int64_t i = 0; i < checking->count; i++)
        if (checking->pieces[i].kind == (int)kind && checking->pieces[i].graph == graph) {
            sum.arcs += checking->pieces[i].sum.arcs;
            sum.counted += checking->pieces[i].sum.counted;
        }
    return sum;
}

static gpr_status compare_count(const inspection *checking, const char *what, int64_t found, int64_t said) {
    if (found == said) return GPR_OK;
    return gpri_fail(GPR_ERROR_FORMAT, "%s: the header says %lld %s, the file has %lld", checking->file->path,
                     (long long)said, what, (long long)found);
}

/* What the gpri_mapped_sums over a graph must be. name: of the relation, or "". */
static gpr_status compare_graph(const inspection *checking, const gpri_graph *graph, int64_t place, const char *name) {
    const int64_t both = sum_of(checking, GPRI_EDGE_SIDES, place).counted / 2;
    if (sum_of(checking, GPRI_COLUMN, place).arcs != 0)
        return gpri_fail(GPR_ERROR_FORMAT,
                         "%s: the graph%s%s is not undirected: every edge must be there in both directions, with one "
                         "weight",
                         checking->file->path, *name ? " of " : "", name);
    if (graph->sides && graph->mutual > 0)
        return compare_count(checking, "edges in both directions", both, graph->mutual);
    return GPR_OK;
}

/* Of numbers of nodes: a bit for each node, as rows are copied by this order. */
static gpr_status check_permutation(gpr_ctx *ctx, const gpr_dataset *data, const char *path) {
    unsigned char *seen;
    int64_t twice = -1;
    if (!data->order) return GPR_OK;
    NEED(gpri_calloc(ctx, &seen, data->graph.nodes / 8 + 1, sizeof *seen, "order of nodes"));
    for (int64_t i = 0; i < data->graph.nodes && twice < 0; i++) {
        const int32_t node = data->order[i];
        if (seen[node / 8] >> node % 8 & 1) twice = i;
        seen[node / 8] |= (unsigned char)(1 << node % 8);
    }
    gpri_free(ctx, seen);
    if (twice < 0) return GPR_OK;
    return gpri_fail(GPR_ERROR_FORMAT, "%s: section node.order has a node twice, number %lld: each must be there once",
                     path, (long long)twice);
}

gpr_status gpri_mapped_check(gpr_ctx *ctx, int threads, const gpr_ctx *together, gpri_mapped *file) {
    gpr_status status = GPR_OK;
    const gpri_mapped_header *header = &file->header;
    gpr_dataset contents = {.ctx = ctx, .backing = {.file = file}};
    inspection checking = {.data = &contents, .file = file, .together = together};
    gpri_mapped_arrays(&contents, file);
    TRY(look_through(ctx, threads, &checking, true));
    for (int64_t g = 0; g < gpri_graph_count(&contents.graph); g++)
        TRY(compare_count(&checking, "isolated nodes", sum_of(&checking, GPRI_ROWPTR, g).counted,
                          gpri_graph_at(&contents.graph, g)->isolated));
    gpri_free(ctx, checking.pieces);
    checking.pieces = NULL;

    TRY(look_through(ctx, threads, &checking, false));
    if (contents.features.dense)
        TRY(compare_count(&checking, "features that are not 0", sum_of(&checking, GPRI_DENSE, 0).counted,
                          header->feature_nnz));
    for (int64_t g = 0; g < gpri_graph_count(&contents.graph); g++)
        TRY(compare_graph(&checking, gpri_graph_at(&contents.graph, g), g,
                          g > 0 ? contents.graph.relations[g - 1].name : ""));
    TRY(check_permutation(ctx, &contents, file->path));
    const bool stated = header->fingerprint[0] || header->fingerprint[1];
    if (together) memcpy(checking.fingerprint, header->fingerprint, sizeof checking.fingerprint);
    if (stated && memcmp(checking.fingerprint, header->fingerprint, sizeof checking.fingerprint) != 0)
        THROW(GPR_ERROR_FORMAT,
              "%s: the header's fingerprint is not that of the contents, %016llx%016llx: the program that "
              "wrote the file made a mistake",
              file->path, (unsigned long long)checking.fingerprint[0], (unsigned long long)checking.fingerprint[1]);
    memcpy(file->fingerprint, checking.fingerprint, sizeof checking.fingerprint);
done:
    gpri_free(ctx, checking.pieces);
    return status;
}
