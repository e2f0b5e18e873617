/* A progress bar, over all runs of a training or of any other work, on standard error, only if that is a terminal. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "gprgnn.h"

#define PROGRESS_SLOTS 64

/* A run that is under way, as far as its reports tell. */
typedef struct progress_slot {
    int64_t run, epoch, last_report;
} progress_slot;

typedef struct progress_bar {
    bool enabled, visible;
    int slot_count; /* runs that can be under way at once */
    int used;
    progress_slot slots[PROGRESS_SLOTS];
    int64_t reports;
    int64_t finished, finished_epochs; /* runs that are over, and how many epochs they took together */
    double started, drawn;             /* seconds */
    double first_share;                /* done before the clock started */
} progress_bar;

void init_progress(progress_bar *bar, bool wanted);
void start_progress(progress_bar *bar, int threads); /* the clock of the ETA runs from here */
void show_progress(progress_bar *bar, const gpr_progress *report);
/* Work of which a share is done, 0 to 1: the clock starts, with so much already done; and the bar between two texts. */
void start_share(progress_bar *bar, double share);
void show_share(progress_bar *bar, const char *head, double share, const char *tail);
void wipe_progress(progress_bar *bar);

#endif
