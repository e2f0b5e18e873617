/* The graph filter's struct and steps, for the files that run it: gpr.c, gpr_hops.c, and
 * processes/filter_columns.c where several processes have its columns. */
#ifndef GPRI_GPR_LAYER_H
#define GPRI_GPR_LAYER_H

#include "layer/panels.h"
#include "layer/processes/share.h"

/* Columns of all nodes, where these are dealt out to processes (processes/filter_columns.c). */
typedef struct gpri_turned {
    int64_t width;        /* of the widest panel */
    gpri_real *x, *h;     /* (nodes x width) what comes in; h: of the backward pass alone */
    gpri_real *z, *back;  /* (nodes x width) what goes out, and scratch */
    char *parcel;         /* (own rows x width, for each process) what goes to panels, or comes from them */
    gpri_parcel *parcels; /* (2 x size) */
    int64_t panels;       /* of the pass */
    const gpri_panels *cut;
} gpri_turned;

typedef struct {
    gpri_layer base;
    gpri_weight *gamma;    /* (1 x all + 1) */
    const double *initial; /* (all + 1) */
    int64_t all, hops;     /* K; and without those that H already holds */
    gpri_filter filter;    /* inner: S^2 (A + I), + theta S h; last: S (A + I), + theta h; those gamma that are left */
    gpri_panels panels;
    bool half;        /* states of the hops are bfloat16 */
    bool pairs;       /* two classes, without padding */
    int64_t buffers;  /* of a panel's hops that are its own; a second one may lie where nothing of value is */
    gpri_real *back;  /* (nodes x ld of Z) scratch of the hops; with panels (buffers x nodes x
                         GPRI_PANEL), also of bfloat16; with pairs as gpri_gpr_pairs_columns says */
    double *dots;     /* (all + 1 x panels x chunks) shares of dgamma_k; one panel: (chunks), for one k at a time */
    double *all_dots; /* the same of all processes; NULL: there are no others */
    gpri_turned *turned; /* &turning where columns are dealt out to processes; else NULL */
    gpri_turned turning; /* not the device's memory, which must not be written to while a training is planned */
} gpri_gpr_layer;

/* Z = the filter of H by Horner's scheme, on the nodes that the process has, or on all of them where it has columns;
   buffers: scratch of the same shape, the first may be Z; of halves (tensor/half.h) if the layer has them. */
void gpri_gpr_horner(const gpri_gpr_layer *layer, gpri_net *net, gpri_matrix z, gpri_matrix h,
                     const gpri_matrix buffers[2]);
/* dH = sum_k gamma_k B_k, and what dgamma_k = <H, B_k> is the sum of: the dots of k begin at dots + k * apart. apart 0:
   each dgamma_k is added up at once. */
void gpri_gpr_learned_hops(const gpri_gpr_layer *layer, gpri_net *net, gpri_matrix dh, gpri_matrix dz, gpri_matrix h,
                           const gpri_matrix buffers[2], double *dots, int64_t apart);

/* A buffer of hops, without gaps. */
gpri_matrix gpri_gpr_buffer(const gpri_gpr_layer *layer, gpri_real *at, int64_t rows, int64_t width);

/* ---- two classes on a large graph: gpr_pairs.c ---- */

bool gpri_gpr_pairs(const gpri_net *net, const gpri_act *z);
/* Numbers of `back` for each node. */
int64_t gpri_gpr_pairs_columns(const gpri_net *net, const gpri_gpr_layer *layer);
/* Z = the filter of H, of one stream or both. Z's memory is scratch before. */
void gpri_gpr_pairs_apply(const gpri_gpr_layer *layer, gpri_net *net, gpri_matrix z, gpri_matrix h);
/* dH, and dgamma. */
void gpri_gpr_pairs_learn(const gpri_gpr_layer *layer, gpri_net *net, gpri_matrix dh, gpri_matrix dz, gpri_matrix h);

/* ---- columns that are dealt out: processes/filter_columns.c ---- */

gpr_status gpri_gpr_turn_plan(gpri_gpr_layer *layer, gpri_net *net) GPRI_MUST_CHECK;
/* Z, H, dH, dZ: the rows of this process. */
void gpri_gpr_turned_apply(const gpri_gpr_layer *layer, gpri_net *net, gpri_matrix z, gpri_matrix h);
void gpri_gpr_turned_learn(const gpri_gpr_layer *layer, gpri_net *net, gpri_matrix dh, gpri_matrix dz, gpri_matrix h);

#endif
