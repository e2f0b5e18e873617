/* The file of kept runs: lines are added and never changed. A program that is killed leaves at most one line that is
 * cut; the next one removes it. */
#ifndef GPRI_KEPT_FILE_H
#define GPRI_KEPT_FILE_H

#include "search/kept_run.h"

typedef struct gpri_kept_file {
    gpr_ctx *ctx;
    char path[GPRI_LONGEST_PATH]; /* "" for none: nothing is kept */
    int fd;                       /* -1: not open to add lines */
    gpri_kept_run *runs;          /* (count) */
    int64_t count, capacity;
    int64_t sorted; /* the first so many are ordered by key and seed */
    char **names;   /* (files) that were read, for messages */
    int64_t files, name_capacity;
} gpri_kept_file;

/* Reads what is there; then lines can be added. GPR_ERROR_IO if another process adds lines. path NULL: no file. */
gpr_status gpri_kept_file_open(gpr_ctx *ctx, gpri_kept_file *out, const char *path) GPRI_MUST_CHECK;
/* Also takes the runs of another file, plain or gzip, which stays as it is. */
gpr_status gpri_kept_file_include(gpri_kept_file *file, const char *path) GPRI_MUST_CHECK;
/* The first with these measures; NULL: it is not kept. Valid until the next run is added, or the next sort. */
const gpri_kept_run *gpri_kept_file_find(const gpri_kept_file *file, const char *key, uint64_t seed, int measures);
/* That runs of this key have this content: GPR_ERROR_FORMAT names the line that was changed. */
gpr_status gpri_kept_file_check(const gpri_kept_file *file, const char *key, uint64_t content) GPRI_MUST_CHECK;
/* Makes it quick to find the runs that were added. */
void gpri_kept_file_sort(gpri_kept_file *file);
/* Writes the line and waits until it is on the disk. Takes over what the run holds, also on failure. */
gpr_status gpri_kept_file_add(gpri_kept_file *file, gpri_kept_run *run, const gpri_run_origin *origin) GPRI_MUST_CHECK;
/* The same of a line, with its newline, that another process has made. */
gpr_status gpri_kept_file_add_line(gpri_kept_file *file, const char *line, int64_t size) GPRI_MUST_CHECK;
/* Keeps a run in memory alone, at its place. Takes over what it holds, also on failure. */
gpr_status gpri_kept_file_take(gpri_kept_file *file, gpri_kept_run *run) GPRI_MUST_CHECK;
/* Forgets the runs from place `first` on. */
void gpri_kept_file_forget(gpri_kept_file *file, int64_t first);
void gpri_kept_file_close(gpri_kept_file *file); /* safe on a zeroed one */

#endif
