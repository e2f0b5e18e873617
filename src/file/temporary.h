/* Temporary files beside a file that is to be written, for the other files of this folder.
 *
 * Where the file system can, such a file has no name until it is complete: it is gone with its process, however that
 * ends. Elsewhere its name is .NAME.XXXXXXXX.gprgnn-tmp. The writer holds a lock (flock) on it, so a later writer of
 * NAME can tell what a killed one has left, and removes it. */
#ifndef GPRI_TEMPORARY_H
#define GPRI_TEMPORARY_H

#include <stddef.h>
#include <sys/types.h>

#include "base/status.h"

/* Opens a file to read and write, and locks it. name (GPRI_LONGEST_PATH bytes) becomes empty where the file has none.
   mode: as for open, before the umask. -1, with errno, on failure. */
int gpri_temporary_open(char *name, const char *path, mode_t mode);
int gpri_temporary_create(char *name, const char *path, mode_t mode); /* the same, with a name */
/* Gives a file without a name this one. -1, with errno, on failure: EEXIST if there is a file. */
int gpri_temporary_link(int fd, const char *name);
/* Gives a file without a name a temporary one, and writes it to `name`. -1, with errno, on failure. */
int gpri_temporary_name(int fd, char *name, const char *path);
/* Removes the temporary files of `path` that no living process writes. */
void gpri_temporary_sweep(const char *path);

/* Gives the file the permissions, owner, group and ACL of the regular file at `path`, as far as the system lets it, and
   never more rights than that one has. Does nothing if there is none. */
void gpri_keep_rights(int fd, const char *path);

/* path: the file that is to be written, for messages. */
gpr_status gpri_write_at(int fd, const char *path, const void *bytes, size_t size, int64_t offset) GPRI_MUST_CHECK;
/* Reads up to the end of the file: bytes that were read; -1, with errno. */
int64_t gpri_read_some(int fd, void *bytes, int64_t size, int64_t offset);
/* All of it must be there. */
gpr_status gpri_read_at(int fd, const char *path, void *bytes, int64_t size, int64_t offset) GPRI_MUST_CHECK;
/* Takes the room on the disk now: too little is known before the work, and a mapped file that finds none later ends the
   program. what, where, remedy: for the message: "the hops of the features", "in", "give a file on another disk". */
gpr_status gpri_reserve(int fd, const char *path, int64_t bytes, const char *what, const char *where,
                        const char *remedy) GPRI_MUST_CHECK;
/* Says what errno says of a file or folder that should be changed: GPR_ERROR_IO, or GPR_ERROR_MEMORY. */
gpr_status gpri_cannot(const char *action, const char *path);
static inline gpr_status gpri_write_failed(const char *path) { return gpri_cannot("write", path); }

#endif
