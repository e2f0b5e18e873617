/* Which nodes train, validate and test. */
#ifndef GPRI_SPLIT_H
#define GPRI_SPLIT_H

#include <string.h>

#include "data/dataset.h"

struct gpr_split {
    gpr_ctx *ctx;
    _Atomic int64_t others; /* users beside one: gpri_split_share */
    int64_t nodes, classes;
    uint8_t *part;   /* (nodes) gpr_part */
    int32_t *order;  /* (nodes) the numbers that the data's nodes have for the user; NULL: as they come */
    int64_t *counts; /* (4 x classes) nodes of each part and class */
};

/* "unused", "train", "val" or "test", as files and messages say it. */
const char *gpri_part_word(int part);

/* ---- Random rules: "sparse", "dense", "60/20/20", "planetoid:20/500/1000" ---- */

#define GPRI_BY_TIME "time:" /* before shares: of the nodes in the order of their times */
static inline bool gpri_split_is_by_time(const char *spec) {
    return strncmp(spec, GPRI_BY_TIME, sizeof GPRI_BY_TIME - 1) == 0;
}

typedef enum gpri_split_kind {
    GPRI_SPLIT_PER_CLASS, /* sparse, dense: the same number of every class */
    GPRI_SPLIT_SHARES,    /* TRAIN/VAL/TEST of every class */
    GPRI_SPLIT_COUNTS     /* planetoid: numbers of nodes */
} gpri_split_kind;

typedef struct gpri_split_rule {
    gpri_split_kind kind;
    double share[4];  /* SHARES, PER_CLASS: by gpr_part; share[GPR_UNUSED] is what the others leave */
    int64_t count[4]; /* COUNTS: training nodes per class, validation and test nodes in all */
} gpri_split_rule;

/* Does the text look like one of these rules, right or wrong? Else it may be a path. */
bool gpri_split_names_rule(const char *spec);
/* Fails where the rule is wrong. */
gpr_status gpri_split_parse(gpri_split_rule *rule, const char *spec) GPRI_MUST_CHECK;

/* ---- Making a split: begin, fill in `part` (by gpri_split_draw or from a file), finish ---- */

/* All nodes are GPR_UNUSED. Free it with gpr_split_free. */
gpr_status gpri_split_begin(gpr_ctx *ctx, gpr_split **out, const gpr_dataset *data) GPRI_MUST_CHECK;
/* spec: for messages. */
gpr_status gpri_split_draw(gpr_ctx *ctx, gpr_split *split, const gpr_dataset *data, const gpri_split_rule *rule,
                           const char *spec, uint64_t seed) GPRI_MUST_CHECK;
/* The same by the times of the data: the oldest train, the newest test. Nodes of one time are in one part: a cut is at
   the nearest place between two times. kind: SHARES. warn: of nodes without a time. */
gpr_status gpri_split_by_time(gpr_ctx *ctx, gpr_split *split, const gpr_dataset *data, const gpri_split_rule *rule,
                              const char *spec, bool warn) GPRI_MUST_CHECK;
/* How careful to be; a sum. */
enum {
    GPRI_SPLIT_WARN = 1,  /* log what a user should know about the split */
    GPRI_SPLIT_COVER = 2, /* fail if validation or test lacks a class of three nodes or more */
    GPRI_SPLIT_ASKED = 4, /* the user named this split: quiet callers need not hear what it leaves out */
};
/* Takes out nodes without a label, and counts the others. Fails if none is left for training. care: as above. */
gpr_status gpri_split_finish(gpr_split *split, const gpr_dataset *data, const char *spec,
                             unsigned care) GPRI_MUST_CHECK;

/* For one more user, who frees it too. */
gpr_split *gpri_split_share(gpr_split *split);

/* What gpr_split_from_parts does. warn: log what a user should know about the split. */
gpr_status gpri_split_of_parts(gpr_ctx *ctx, gpr_split **out, const gpr_dataset *data, const uint8_t *parts,
                               int64_t count, bool warn) GPRI_MUST_CHECK;

/* Of the parts of all nodes (FNV-1a). */
uint64_t gpri_split_hash(const gpr_split *split);
uint64_t gpri_parts_hash(const uint8_t *parts, int64_t nodes);

#endif
