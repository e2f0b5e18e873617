/* The networks of a stack (model/model.h), which are trained before its trees. The training nodes are cut into folds,
 * by the seed and class by class. For each fold a network learns from the others, and scores the nodes of the fold:
 * what the trees see of a training node comes from a network that did not see its label. The last network learns from
 * all training nodes: it scores the other nodes, and the model keeps it. */
#ifndef GPRI_STACKING_H
#define GPRI_STACKING_H

#include "train/epochs.h"
#include "train/preparation/preparation.h"

enum { GPRI_STACK_FOLDS = 4, GPRI_STACK_NETWORKS = GPRI_STACK_FOLDS + 1 };

typedef struct gpri_stacking {
    gpr_ctx *ctx;
    const gpri_preparation *from; /* of the network; borrowed, as what follows */
    const gpr_result *result;     /* of the training: for states */
    const gpr_params *params;     /* of the stack */
    const gpr_split *split;       /* of its trees */
    const gpri_epoch_hooks *hooks;
    int threads;
    uint64_t seed;
    bool refits;                       /* each network has as many epochs as `best` says; else validation nodes tell */
    int64_t best[GPRI_STACK_NETWORKS]; /* epochs of each network that is finished; 0: there was nothing to train */
    int64_t done;                      /* networks that are finished */
    gpri_real *scores;                 /* (2 x nodes x columns) out of fold; those of the last network */
    gpr_model *network;                /* the last one; NULL: not yet, or it was restored */
    /* the one that is trained: */
    gpr_params *own;
    gpr_split *part;
    gpri_trainer *trainer;
    gpri_run run;
    const char *saved; /* (saved_size) its state; NULL: it begins */
    int64_t saved_size;
} gpri_stacking;

/* All up to `refits` is filled in, and of a refit `best`. bytes: (size) of gpri_stacking_bytes, which must outlive it;
   NULL: a new one. Free it in any case. */
gpr_status gpri_stacking_begin(gpri_stacking *stack, const char *bytes, int64_t size) GPRI_MUST_CHECK;
/* Trains the networks that are not finished. *halted: a hook has stopped one; after that only gpri_stacking_bytes may
   be called. */
gpr_status gpri_stacking_train(gpri_stacking *stack, bool *halted) GPRI_MUST_CHECK;
void gpri_stacking_free(gpri_stacking *stack);

/* All that is known of it, also between two epochs of a network. Free with gpri_free. */
gpr_status gpri_stacking_bytes(const gpri_stacking *stack, char **bytes, int64_t *size) GPRI_MUST_CHECK;
/* `best` of such bytes. Errors: GPR_ERROR_FORMAT. */
gpr_status gpri_stacking_epochs(int64_t best[GPRI_STACK_NETWORKS], const char *bytes, int64_t size) GPRI_MUST_CHECK;

#endif
