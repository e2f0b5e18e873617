/* What `gprgnn predict` knows of its predictions, and how it prints them. Predictions are asked for some nodes at a
 * time: those of a large graph do not fit the memory. */
#ifndef CLI_PREDICT_H
#define CLI_PREDICT_H

#include "common.h"
#include "large_block.h"

enum { PREDICT_ROWS = 1 << 16 }; /* nodes at a time */

/* The handles and results of one call. */
typedef struct prediction {
    gpr_ctx *ctx;
    gpr_model *model;
    gpr_dataset *data;
    gpr_dataset_info info;
    char *scratch; /* a path beside which temporary files go */
    gpr_predictor *predictor;
    int64_t columns;                       /* classes of the model; 1: it tells a number */
    bool number;                           /* it does: that is in the place of the probability */
    const float *targets;                  /* (nodes) numbers of the data; NULL: it has none */
    bool with_proba;                       /* probabilities are printed */
    bool adapted;                          /* to the base rates of this data */
    bool on_terminal;                      /* results go to the terminal, where the progress bar may be */
    int32_t *classes;                      /* (PREDICT_ROWS); NULL: it tells a number. Of the present nodes */
    float *proba;                          /* (PREDICT_ROWS x columns) */
    int32_t *labels;                       /* (nodes) labels of the data, as classes of the model */
    int32_t *inputs;                       /* (nodes) those of them that were an input; -1: not */
    uint8_t *learned;                      /* (nodes) 1: trained on; 0 in the data of the training itself */
    int64_t seen;                          /* labelled nodes that were so, and whose label was no input: not judged */
    int64_t labelled, given, known, right; /* given: as an input, which no count behind it has; known: their class is
                                              one of the model */
    int64_t judged;                        /* known ones so far, whose ... */
    large_block judged_proba;              /* (known x columns) ... probabilities ... */
    int32_t *judged_labels;                /* (2 x known) ... labels, and then predicted classes, are kept */
    gpr_metrics *metrics;                  /* of the known ones; NULL: there are none */
    gpr_split *split;                      /* of the training, or of a column of the data; NULL: not known */
    int64_t in_part[4];                    /* labelled nodes whose label was no input, by gpr_part */
    int64_t right_in[4];                   /* those of them that are right */
} prediction;

/* By gpr_part. */
extern const char *const predict_part_names[];

/* Predicts the next nodes, from `first` on, into made->classes and made->proba. count: how many; 0 after the last.
   EXIT_OK, or the exit status after an error message. */
int predict_rows(prediction *made, progress_bar *bar, int64_t first, int64_t *count);

/* Accuracy in percent over the labels that were no input; NaN without any. */
double predicted_accuracy(const prediction *made);
double share_in_percent(int64_t right, int64_t of);
/* 1: the model was trained on this data; 0: on other data; -1: its file is too old to say. */
int is_training_data(const prediction *made);
/* Labelled nodes that the accuracy is of. */
int64_t judged_nodes(const prediction *made);
/* The model has seen the labels that it would be judged by: it was trained once more, on all labelled nodes here. */
bool has_seen_all(const prediction *made);

void put_prediction_head(FILE *out, const prediction *made);
/* CSV rows of the present nodes, which begin at `first`. */
void put_prediction_rows(FILE *out, const prediction *made, int64_t first, int64_t count);
/* All of it, with another pass over the nodes for each list. EXIT_OK, or the exit status after an error message. */
int put_prediction_json(cli_target *target, prediction *made, progress_bar *bar);

#endif
