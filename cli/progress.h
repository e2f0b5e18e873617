/* How far the work is, on standard error: over all runs of a training, or over other work. On a terminal it is a bar;
 * else it is a whole line every 5 seconds, so that a log shows that the work goes on. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "gprgnn.h"

#define PROGRESS_SLOTS 64

/* A run in progress, as its reports describe it; a candidate of a choice and a refit are runs of their own. */
typedef struct progress_slot {
    int64_t run, epoch, last_report;
} progress_slot;

typedef struct progress_bar {
    bool enabled, visible;
    bool on_terminal; /* a bar; else lines */
    int slot_count; /* runs that can be in progress at once */
    int used;
    progress_slot slots[PROGRESS_SLOTS];
    int64_t reports;
    int64_t finished, finished_epochs; /* finished runs, and the epochs of all of them */
    int64_t candidates;                /* of the choice that came before */
    int64_t before;                    /* runs that earlier calls finished */
    double begun;                      /* share that was done before the first report */
    double started, drawn;             /* seconds */
    double first_share;                /* share that was done before the clock started */
    double stage_share;                /* of the file that is being read, or of the embedding */
} progress_bar;

/* Of a clock that never goes backwards. */
double seconds_now(void);

void init_progress(progress_bar *bar, bool wanted);
void start_progress(progress_bar *bar, int threads); /* starts the clock of the ETA */
void show_progress(progress_bar *bar, const gpr_progress *report);
/* A report of what comes before training: reading, an embedding. false: it is about training. */
bool show_stage(progress_bar *bar, const gpr_progress *report);
/* Other work, of which a share of 0 to 1 is done: starts the clock with that share; shows the bar between two texts.
   A share below 0 is not known. */
void start_share(progress_bar *bar, double share);
void show_share(progress_bar *bar, const char *head, double share, const char *tail);
void wipe_progress(progress_bar *bar);

#endif
