/* What a model's filter is made of, by the options relations, direction, basis, gamma, loops and K. */
#ifndef GPRI_MODEL_FILTER_H
#define GPRI_MODEL_FILTER_H

#include "base/params.h"
#include "graph/sides.h"
#include "layer/filter_form.h"

/* The form without its graphs. Fails where the options do not fit together. */
gpr_status gpri_filter_form_of(gpri_filter_form *out, const gpr_params *params) GPRI_MUST_CHECK;
/* Whether it is eq. 1 in some basis: one undirected matrix, one gamma for all columns. */
bool gpri_filter_is_single(const gpr_params *params);
/* The same, over all edges of the graph. */
bool gpri_filter_is_whole(const gpr_params *params);

/* Relations that the filter has, and the name of one; "" where it has one. */

int gpri_filter_relations(const gpr_params *params);
const char *gpri_filter_relation(char name[GPRI_RELATION_NAME + 1], const gpr_params *params, int relation);
const char *gpri_side_name(int side);
/* Their graphs, of a graph that has them: graphs[0] .. graphs[count - 1]; where there is one, the whole. */
int gpri_filter_graphs(const gpri_graph *graphs[GPRI_MOST_RELATIONS], const gpr_params *params,
                       const gpri_graph *graph);

/* Before a training: `relations` and `direction` become what the data has, so that a model can be read without its
   data. Where the caller names some of its relations, ",..." follows them: data for a prediction may have others.
   Relations without directions are undirected. */
gpr_status gpri_filter_settle(gpr_params *params, const gpri_graph *graph) GPRI_MUST_CHECK;
/* Whether a graph has directions that a filter can go along. */
bool gpri_filter_has_directions(const gpri_graph *graph);

/* The directed arcs that the filter goes over, of a graph with the relations that the options name: else the message
   names what is missing or too much. *out is NULL where it needs none. */
gpr_status gpri_filter_sides(gpr_ctx *ctx, gpri_sides **out, const gpr_params *params,
                             const gpri_graph *graph) GPRI_MUST_CHECK;
/* Fills in the graphs of the terms. sides: as the above made them. */
gpr_status gpri_filter_find(gpri_filter_form *form, const gpr_params *params, const gpri_graph *graph,
                            const gpri_sides *sides) GPRI_MUST_CHECK;

#endif
