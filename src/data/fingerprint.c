/* A fingerprint of what a model sees of the data, to know later whether two results are of the same graph.
 *
 * MurmurHash3 (x64, 128 bits, seed 0) over 64-bit numbers, so that the machine's byte order plays no part. Not meant to
 * withstand forgery. What goes in, each as a pair of numbers, every section led by its tag and size:
 *
 *     nodes and feature columns
 *     edges (i, j) with i < j, ascending, and their weights' bits: 1.0 where the graph has none
 *     features that are not 0 (row, column), ascending, and their values' bits
 *     labels, node after node; where they are numbers, also the numbers' bits
 *     where there are several kinds of edges: of each its name, its graph as above, and its directions
 *
 * What does not: the name, the number of classes, whether the features are stored dense; the directions where edges are
 * of one kind, so that directed data has the fingerprint of its undirected graph. Without labels, which is to know the
 * data of a training again, directions are left out everywhere. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "data/describe.h"

static uint64_t rotate(uint64_t x, int bits) { return x << bits | x >> (64 - bits); }

/* One block of MurmurHash3. */
static void absorb(gpri_hash *h, uint64_t first, uint64_t second) {
    const uint64_t c1 = 0x87c37b91114253d5u, c2 = 0x4cf5ad432745937fu;
    h->first ^= rotate(first * c1, 31) * c2;
    h->first = (rotate(h->first, 27) + h->second) * 5 + 0x52dce729u;
    h->second ^= rotate(second * c2, 33) * c1;
    h->second = (rotate(h->second, 31) + h->first) * 5 + 0x38495ab5u;
    h->bytes += 16;
}

static uint64_t finish_half(uint64_t x) {
    x = (x ^ x >> 33) * 0xff51afd7ed558ccdu;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53u;
    return x ^ x >> 33;
}

static void finish(gpri_hash *h) {
    h->first ^= h->bytes;
    h->second ^= h->bytes;
    h->first += h->second;
    h->second += h->first;
    h->first = finish_half(h->first);
    h->second = finish_half(h->second);
    h->first += h->second;
    h->second += h->first;
}

static uint64_t place_of(int64_t row, int32_t column) { return (uint64_t)row << 32 | (uint32_t)column; }

static uint64_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

void gpri_fingerprint_begin(gpri_hash *h, int64_t nodes, int64_t features, int64_t arcs) {
    *h = (gpri_hash){0, 0, 0};
    absorb(h, (uint64_t)nodes, (uint64_t)features);
    absorb(h, 'E', (uint64_t)arcs / 2);
}

void gpri_fingerprint_arcs(gpri_hash *h, int64_t row, const int32_t *column, const float *weight, int64_t count) {
    int64_t k = 0;
    while (k < count && column[k] < row) k++;
    for (; k < count; k++) absorb(h, place_of(row, column[k]), bits_of(weight ? weight[k] : 1.0f));
}

static void absorb_features(gpri_hash *h, const gpri_feature_matrix *features) {
    absorb(h, 'X', (uint64_t)features->nnz);
    for (int64_t i = 0; i < features->rows; i++)
        if (features->dense) {
            const float *row = features->dense + i * features->cols;
            for (int64_t j = 0; j < features->cols; j++)
                if (row[j] != 0) absorb(h, place_of(i, (int32_t)j), bits_of(row[j]));
        } else {
            for (int64_t k = features->rowptr[i]; k < features->rowptr[i + 1]; k++)
                absorb(h, place_of(i, features->column[k]), bits_of(features->value[k]));
        }
}

static void absorb_graph(gpri_hash *h, const gpri_graph *graph) {
    for (int64_t i = 0; i < graph->nodes; i++) {
        const int64_t begin = graph->rowptr[i];
        gpri_fingerprint_arcs(h, i, graph->column + begin, graph->weight ? graph->weight + begin : NULL,
                              graph->rowptr[i + 1] - begin);
    }
}

static void absorb_sides(gpri_hash *h, const gpri_graph *graph) {
    absorb(h, 'D', graph->sides ? (uint64_t)graph->arcs : 0);
    for (int64_t k = 0; graph->sides && k < graph->arcs; k++)
        absorb(h, graph->sides[k], bits_of(graph->along ? graph->along[k] : 1.0f));
}

static void absorb_relations(gpri_hash *h, const gpri_graph *graph, bool directions) {
    for (int64_t r = 0; r < graph->relation_count; r++) {
        const gpri_relation *relation = &graph->relations[r];
        absorb(h, 'R', strlen(relation->name));
        for (const char *c = relation->name; *c; c++) absorb(h, 'N', (unsigned char)*c);
        absorb(h, 'E', (uint64_t)relation->graph.arcs / 2);
        absorb_graph(h, &relation->graph);
        if (directions) absorb_sides(h, &relation->graph);
    }
}

void gpri_fingerprint_end(uint64_t out[2], gpri_hash *h, const gpri_feature_matrix *features, const gpri_target *target,
                          const gpri_graph *graph) {
    absorb_features(h, features);
    absorb(h, 'Y', (uint64_t)features->rows);
    for (int64_t i = 0; i < features->rows; i++) absorb(h, (uint64_t)i, (uint64_t)(int64_t)target->labels[i]);
    if (target->numbers) absorb(h, 'T', (uint64_t)features->rows);
    for (int64_t i = 0; target->numbers && i < features->rows; i++)
        absorb(h, (uint64_t)i, target->labels[i] < 0 ? 0 : bits_of(target->numbers[i]));
    absorb_relations(h, graph, true);
    finish(h);
    out[0] = h->first;
    out[1] = h->second;
}

uint64_t gpri_directions_hash(const gpri_graph *graph) {
    gpri_hash h = {0, 0, 0};
    if (!graph->sides) return 0;
    absorb_sides(&h, graph);
    finish(&h);
    return h.first;
}

void gpri_graph_fingerprint(char text[GPRI_FINGERPRINT_SIZE], const gpri_graph *graph) {
    gpri_hash h;
    gpri_fingerprint_begin(&h, graph->nodes, 0, graph->arcs);
    absorb_graph(&h, graph);
    finish(&h);
    gpri_fingerprint_text(text, (const uint64_t[]){h.first, h.second});
}

void gpri_fingerprint_arrays(uint64_t out[2], const gpr_dataset *data) {
    gpri_hash h;
    const gpri_graph *graph = &data->graph;
    gpri_fingerprint_begin(&h, graph->nodes, data->features.cols, graph->arcs);
    absorb_graph(&h, graph);
    gpri_fingerprint_end(out, &h, &data->features, &data->target, graph);
}

void gpri_fingerprint_halves(uint64_t out[2], const gpr_dataset *data) {
    gpri_fingerprint_memo *memo = data->memo;
    gpri_acquire(&memo->lock);
    if (!memo->known) {
        if (data->backing.file && !data->own_features && !data->own_labels)
            memcpy(memo->halves, data->backing.fingerprint, sizeof memo->halves);
        else gpri_fingerprint_arrays(memo->halves, data);
        memo->known = true;
    }
    memcpy(out, memo->halves, sizeof memo->halves);
    gpri_release(&memo->lock);
}

void gpri_unlabelled_fingerprint(char text[GPRI_FINGERPRINT_SIZE], const gpr_dataset *data) {
    gpri_fingerprint_memo *memo = data->memo;
    gpri_hash h;
    gpri_acquire(&memo->lock);
    if (!memo->unlabelled_known) {
        gpri_fingerprint_begin(&h, data->graph.nodes, data->features.cols, data->graph.arcs);
        absorb_graph(&h, &data->graph);
        absorb_features(&h, &data->features);
        absorb_relations(&h, &data->graph, false);
        finish(&h);
        memo->unlabelled[0] = h.first;
        memo->unlabelled[1] = h.second;
        memo->unlabelled_known = true;
    }
    gpri_fingerprint_text(text, memo->unlabelled);
    gpri_release(&memo->lock);
}

void gpri_fingerprint(char text[GPRI_FINGERPRINT_SIZE], const gpr_dataset *data) {
    uint64_t halves[2];
    gpri_fingerprint_halves(halves, data);
    gpri_fingerprint_text(text, halves);
}

void gpri_fingerprint_text(char text[GPRI_FINGERPRINT_SIZE], const uint64_t halves[2]) {
    snprintf(text, GPRI_FINGERPRINT_SIZE, "%016" PRIx64 "%016" PRIx64, halves[0], halves[1]);
}
