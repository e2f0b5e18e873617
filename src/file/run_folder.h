/* The mechanics of a run folder: it is locked while in use, its results are replaced as one, and a kill at any moment
 * leaves the old results or the new ones.
 *
 * How results are replaced. The new files are written into DIR/.run-writing. When all are on the disk, it is renamed to
 * .run-finished (or .run-stopped): from now on the new results count. Then the old files are removed, and it is renamed
 * to .run-moving; then the new files are moved to their places. At no moment DIR has files of two trainings. Whoever
 * opens the folder after a kill removes .run-writing, and goes on with any of the others where it stands. */
#ifndef GPRI_RUN_FOLDER_H
#define GPRI_RUN_FOLDER_H

#include "file/file.h"

#define GPRI_RUN_MANIFEST "run.sha256"
#define GPRI_RUN_GAMMA_HISTORY "gamma_history.csv" /* only where a filter is learned */
#define GPRI_RUN_METRICS "metrics.csv"             /* folders of earlier versions have neither */
#define GPRI_RUN_CLASS_METRICS "class_metrics.csv"
#define GPRI_RUN_STATES "state" /* the subfolder with the state of each run: */
#define GPRI_RUN_STATE "run-%lld.safetensors"
#define GPRI_RUN_COMMAND "command" /* and the arguments of the training */

/* The results, and the manifest, which says that all are there. NULL ends the list. Not every run has all: */
extern const char *const gpri_run_files[];
/* Whether a run may be without the file. */
bool gpri_run_file_may_lack(const char *name);
/* The subfolders that say that new results count but are not all at their places. NULL ends the list. */
extern const char *const gpri_run_marks[];

typedef struct gpri_locked_folder {
    char path[GPRI_LONGEST_PATH];
    int fd;    /* of the folder, locked; -1: closed */
    bool made; /* by gpri_locked_folder_open */
} gpri_locked_folder;

/* Makes the folder if it is missing, locks it, and completes what a kill left. On failure there is nothing to close. */
gpr_status gpri_locked_folder_open(gpri_locked_folder *out, const char *dir) GPRI_MUST_CHECK;
/* Removes the folder if it was made by open and is empty. Safe on a closed one. */
void gpri_locked_folder_close(gpri_locked_folder *folder);

/* That the folder at the path is still the locked one. */
gpr_status gpri_locked_folder_check(const gpri_locked_folder *folder) GPRI_MUST_CHECK;

/* Is this the name of a run's state? */
bool gpri_is_state_name(const char *name, int64_t *run);

/* Whether a part of the run is a symbolic link, which may lead anywhere: then its path is in `out`, of
   GPRI_LONGEST_PATH bytes. results: of all files; else of the states alone, as results are replaced and never written
   through a link. */
bool gpri_run_finds_link(char *out, const char *dir, bool results);
/* What is wrong with it. */
#define GPRI_RUN_LINK_TEXT "it is a link, and no link in a run folder is followed: put the file itself there"

/* dir/name into `out` of GPRI_LONGEST_PATH bytes. */
gpr_status gpri_path_in(char *out, const char *dir, const char *name) GPRI_MUST_CHECK;

/* Makes one folder, durable in its parent; one that is there is fine. */
gpr_status gpri_make_folder(const char *path) GPRI_MUST_CHECK;

/* Begins to replace the results: staged, of GPRI_LONGEST_PATH bytes, is the path of an empty folder for the files. */
gpr_status gpri_run_stage(const gpri_locked_folder *folder, char *staged) GPRI_MUST_CHECK;
/* Replaces the results by the staged files. finished: the states are removed too. */
gpr_status gpri_run_commit(const gpri_locked_folder *folder, bool finished) GPRI_MUST_CHECK;
/* Removes what was staged. */
void gpri_run_abandon(const gpri_locked_folder *folder);
/* Removes the states. */
gpr_status gpri_run_forget(const gpri_locked_folder *folder) GPRI_MUST_CHECK;

/* For readers: completes what a kill left in dir, if there is something; waits a moment for a process that is just
   writing. A folder that cannot be changed stays as it is. */
gpr_status gpri_run_repair(const char *dir) GPRI_MUST_CHECK;
/* Whether new results count but are not all at their places. */
bool gpri_run_unfinished(const char *dir);
/* Changes nothing: waits a moment for a living process that is just replacing the results. */
void gpri_run_settle(const char *dir);
/* Whether there is a file or folder of this name in dir. */
bool gpri_run_has(const char *dir, const char *name);
/* Whether there are results or states of a training in dir, or a part of them. */
bool gpri_is_run_folder(const char *dir);

#endif
