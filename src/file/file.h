/* Files that appear whole or not at all, and whole files read into memory. */
#ifndef GPRI_FILE_H
#define GPRI_FILE_H

#include "base/context.h"

#define GPRI_LONGEST_PATH 4096 /* bytes with the NUL; Linux opens no longer one */

/* A file that gets its name `path` when it is complete. Until then it has no name, or a temporary one beside `path`
   (file/temporary.h). */
typedef struct gpri_output {
    char path[GPRI_LONGEST_PATH];      /* where symbolic links lead to: the link stays, its target is replaced */
    char temporary[GPRI_LONGEST_PATH]; /* empty: it has no name */
    int fd;                            /* -1 when closed */
    bool open;                         /* there is something to commit or to abandon */
} gpri_output;

/* Creates the file, and removes what killed writers of `path` have left; on failure nothing is left behind. A file that
   is there already must be regular. */
gpr_status gpri_output_open(gpri_output *out, const char *path) GPRI_MUST_CHECK;
gpr_status gpri_output_write(gpri_output *out, const void *bytes, size_t size) GPRI_MUST_CHECK;
/* Writes at an offset. The next gpri_output_write continues where the last one ended. */
gpr_status gpri_output_write_at(gpri_output *out, const void *bytes, size_t size, int64_t offset) GPRI_MUST_CHECK;
/* Reads what was written. All of it must be there. */
gpr_status gpri_output_read(const gpri_output *out, void *bytes, int64_t size, int64_t offset) GPRI_MUST_CHECK;
/* fsync, name it `path`, fsync the folder. An old file is replaced in one step, and its permissions are kept. Closes
   the file, also on failure; then nothing is left behind, and an old file at `path` is untouched. There is one
   exception: if the folder cannot be synced, the new file is in its place already. */
gpr_status gpri_output_commit(gpri_output *out) GPRI_MUST_CHECK;
/* Closes and removes the file. Safe on a zeroed, failed or committed output. */
void gpri_output_abandon(gpri_output *out);

/* Makes what was created, renamed or removed in the folder of `path` durable. Does nothing where the file system
   cannot; if it can and fails, that is an error. */
gpr_status gpri_sync_folder_of(const char *path) GPRI_MUST_CHECK;
/* The same for an open folder; fd < 0: it could not be opened, as errno says. path: what was written there. */
gpr_status gpri_sync_folder(int fd, const char *path) GPRI_MUST_CHECK;
/* Makes a folder and its parents, each durable in its parent; those that are there are fine. *made: the last one was
   made here; may be NULL. */
gpr_status gpri_make_folders(const char *dir, bool *made) GPRI_MUST_CHECK;

/* open, write, commit. */
gpr_status gpri_write_whole(const char *path, const void *bytes, size_t size) GPRI_MUST_CHECK;

/* A file without a name beside `path`, for data that does not fit into memory. It is gone when it is closed or when the
   program ends. */
typedef struct gpri_scratch {
    int fd; /* -1 when closed */
    const char *path;
} gpri_scratch;

/* path: borrowed, must outlive it. */
gpr_status gpri_scratch_open(gpri_scratch *out, const char *path) GPRI_MUST_CHECK;
/* Takes the room on the disk before the work. what: "the hops of the features", for the message. */
gpr_status gpri_scratch_reserve(gpri_scratch *scratch, int64_t bytes, const char *what) GPRI_MUST_CHECK;
gpr_status gpri_scratch_write(gpri_scratch *scratch, const void *bytes, int64_t size, int64_t offset) GPRI_MUST_CHECK;
/* All of it must be there. */
gpr_status gpri_scratch_read(const gpri_scratch *scratch, void *bytes, int64_t size, int64_t offset) GPRI_MUST_CHECK;
void gpri_scratch_close(gpri_scratch *scratch); /* safe on one that could not be opened, and safe to call twice */

/* Opens a regular file to read, and gives its size. Refuses folders, pipes and so on; it never waits for the writer of
   a pipe. expected: what it should be, such as "an .npz file", for the message. *fd is -1 on failure. */
gpr_status gpri_open_regular(int *fd, int64_t *size, const char *path, const char *expected) GPRI_MUST_CHECK;

/* The whole file in memory, a NUL after its end; free with gpri_free. Refuses folders and files over `limit`. */
gpr_status gpri_read_whole(gpr_ctx *ctx, char **out, int64_t *size, const char *path, int64_t limit) GPRI_MUST_CHECK;

#endif
