/* A polynomial in a matrix S of the graph (walk/operator.h), applied to a matrix, and its gradients:
 *
 *     Z = sum_k theta_k P_k(S) H        dH = sum_k theta_k B_k,   dtheta_k = <H, B_k>,   B_k = P_k(S') dZ
 *
 * S' is the transpose; of an undirected graph S itself. No P_k(S) H is stored: two or three buffers are enough,
 * whatever the degree. walk/recurrence.c has the sums; walk/way.h says how columns go, and the files of the ways where
 * their numbers lie meanwhile.
 *
 * theta_k is one number, or one for each column (`each`). Several polynomials, in several matrices, may make one Z: the
 * first sets it, and the others add to it. */
#ifndef GPRI_POLYNOMIAL_H
#define GPRI_POLYNOMIAL_H

#include "walk/basis.h"
#include "walk/hop.h"
#include "walk/operator.h"
#include "walk/way.h"

/* Columns of all nodes, where these are dealt out to processes (walk/columns.c). */
typedef struct gpri_turned {
    int64_t width;        /* of the widest panel */
    gpri_real *x, *h;     /* (nodes x width) what comes in; h: of the backward pass alone */
    gpri_real *z, *back;  /* (nodes x width) what goes out, and scratch */
    char *parcel;         /* (own rows x width, for each process) what goes to panels, or comes from them */
    gpri_parcel *parcels; /* (2 x size) */
} gpri_turned;

typedef struct gpri_polynomial {
    /* set by the caller, before planning */
    gpri_walker *walker;
    const gpri_operator *s;  /* as both must */
    const gpri_basis *basis; /* must outlive it */
    int64_t degree;
    const gpri_real *theta; /* (degree + 1) in the device's memory; `each`: (degree + 1 x width) */
    gpri_real *dtheta;      /* the same; NULL: theta is not learned, S is symmetric, and dH is the polynomial of dZ */
    bool each;              /* theta has a number for each column */
    bool adds;              /* to Z, and to dH, from degree 1 on: theta_0 is that of the first */
    bool apart;             /* Z and dZ are needed by others: their memory is no scratch */
    gpri_real *scratch;     /* of the hops; NULL: it is planned, and others that are `apart` may have it too */
    gpri_way way;
    int64_t width, streams; /* padded columns of a stream of Z, and how many there are */
    bool trains;            /* there are backward passes */
    bool idle;              /* the backward pass is given a matrix whose numbers nobody needs */

    gpri_filter steps;  /* forward, with theta S h; last: with theta h */
    gpri_step *forward; /* (degree + 1; of monomials: 2) those from u_{k+1} to u_k, */
    gpri_step *back;    /* and from B_{k-1} to B_k: what a device records must stay as it is */
    int64_t buffers;    /* of a panel that are its own */
    double *dots;     /* (degree + 1 x panels x chunks) shares of dtheta_k; one panel: (chunks), for one k at a time */
    double *all_dots; /* the same of all processes; NULL: there are no others */
    gpri_real *column_dots; /* `each`: (chunks x width) */
    gpri_turned turned;
} gpri_polynomial;

/* All its memory, which is the walker's. */
gpr_status gpri_polynomial_plan(gpri_polynomial *p) GPRI_MUST_CHECK;
/* Z from H; either both streams side by side, or one. idle: a matrix whose numbers nobody needs; Z, if H is not written
   over. */
void gpri_polynomial_apply(const gpri_polynomial *p, gpri_matrix z, gpri_matrix h, gpri_matrix idle);
/* dH, which may lie over dZ, and dtheta. Z's memory, where dZ may lie, is scratch. */
void gpri_polynomial_learn(const gpri_polynomial *p, gpri_matrix dh, gpri_matrix dz, gpri_matrix h, gpri_matrix z,
                           gpri_matrix idle);

/* ---- for the ways ---- */

/* The steps of both passes (walk/recurrence.c). */
gpr_status gpri_recurrence_plan(gpri_polynomial *p) GPRI_MUST_CHECK;

/* Columns that go through all hops together. */
typedef struct gpri_strip {
    const gpri_polynomial *polynomial;
    bool all_nodes;         /* as of gpri_hop */
    int64_t column;         /* the first of a stream that it has */
    gpri_matrix buffers[2]; /* scratch of the strip's shape; forward the first may be Z, backward the second dZ */
    double *dots;           /* those of theta_k begin at dots + k * apart; 0: each dtheta_k is added up at once */
    int64_t apart;
} gpri_strip;

void gpri_strip_apply(const gpri_strip *strip, gpri_matrix z, gpri_matrix h);
void gpri_strip_learn(const gpri_strip *strip, gpri_matrix dh, gpri_matrix dz, gpri_matrix h);

/* walk/pairs.c: numbers of `back` for each node. */
int64_t gpri_pairs_columns(const gpri_polynomial *p);
void gpri_pairs_apply(const gpri_polynomial *p, gpri_matrix z, gpri_matrix h);
void gpri_pairs_learn(const gpri_polynomial *p, gpri_matrix dh, gpri_matrix dz, gpri_matrix h);

/* walk/columns.c: Z, H, dH, dZ have the rows of this process. */
gpr_status gpri_columns_plan(gpri_polynomial *p) GPRI_MUST_CHECK;
void gpri_columns_apply(const gpri_polynomial *p, gpri_matrix z, gpri_matrix h);
void gpri_columns_learn(const gpri_polynomial *p, gpri_matrix dh, gpri_matrix dz, gpri_matrix h);

#endif
