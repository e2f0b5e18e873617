/* The option `smooth`: which steps of walk/spread.h, and how, by the validation nodes. */
#ifndef GPRI_SMOOTH_CHOICE_H
#define GPRI_SMOOTH_CHOICE_H

#include "train/trainer.h"

/* Whether labels of other nodes can be used, and may be without being asked for: published data have results to compare
   with, and what goes by rows has no graph in its steps. */
bool gpri_labels_may_help(const gpr_dataset *data, const gpr_params *params);
/* Whether the options ask for it on this data. */
bool gpri_smooth_asked(const gpr_params *params, const gpr_dataset *data);

/* After gpri_train_epochs, whose last forward pass was with the weights that are kept. split: the trainer's, which may
   have the nodes in another order than out->split. Fills in out->smoothing and, if there is one, the validation loss
   and the accuracies of validation and test nodes in out->info. Known are the labels of the training nodes; what is
   chosen depends on these, the scores and the labels of the validation nodes. *scores: (nodes x ld) logarithms of the
   probabilities after it, to be freed; NULL: there is no smoothing. */
gpr_status gpri_smooth_choose(gpri_run *out, gpri_real **scores, const gpri_trainer *trainer, const gpr_split *split,
                              const gpr_params *params, int threads) GPRI_MUST_CHECK;

#endif
