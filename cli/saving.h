/* The run folder of `gprgnn train`: states that are saved from time to time, and a training that goes on. */
#ifndef CLI_SAVING_H
#define CLI_SAVING_H

#include "common.h"

typedef struct cli_saving {
    const char *dir; /* of --out or --resume; NULL: nothing is saved */
    double every;    /* seconds between two states */
    bool resumes;    /* --resume */
    gpr_run_folder *folder;
    const gpr_state *states; /* (count) of the training that goes on */
    int64_t count;
    const cli_arguments *args; /* of the training */
    bool noted;                /* they are in the folder */
    bool fresh;                /* the folder had no states */
    bool replaces;             /* --overwrite: its states go when the first new one comes */
    bool saved;                /* a state was saved by this call */
    bool told;                 /* that a training goes on */
} cli_saving;

/* Reads --out, --resume and --save-every. EXIT_OK, or the exit status after an error message. */
int read_saving(cli_saving *saving, const cli_arguments *args);

/* The arguments of the training in the folder, and after them those of this call, which win. */
typedef struct cli_recalled {
    cli_arguments args;
    char *text, **words; /* what args points into */
} cli_recalled;

/* EXIT_OK, or the exit status after an error message. out->text is NULL if the training is finished, which is said.
   Free it, whatever happens. */
int recall_arguments(cli_recalled *out, const cli_saving *saving, const cli_arguments *now);
void free_recalled(cli_recalled *recalled);

/* Opens and locks the folder, and takes the states in it: a training that is not finished goes on, also with --out.
   *done: it is finished, and nothing is left to do. args: those of the training, for the next --resume. EXIT_OK, or the
   exit status after an error message. */
int open_folder(cli_saving *saving, gpr_ctx *ctx, const cli_arguments *args, bool *done);
void close_folder(cli_saving *saving);

/* Writes the results of the finished training in the folder where --json says. EXIT_OK, or the exit status after an
   error message. */
int write_finished(const cli_saving *saving, const cli_arguments *args);

/* Removes the states: the training came to nothing, and would again. */
void forget_states(cli_saving *saving);

/* A gpr_save_fn; its user is a cli_saving. */
int save_state(void *user, const gpr_save_info *info);
/* After the first epoch: says that a training of an earlier call goes on. */
void tell_going_on(cli_saving *saving);
/* After a training failed with this status: the exit status. Says what can be done about states that do not fit. */
int failed_to_resume(const cli_saving *saving, gpr_status status);

#endif
