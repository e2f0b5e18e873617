/* Temporary files beside a file that is to be written, for the other files of this folder. */
#ifndef GPRI_TEMPORARY_H
#define GPRI_TEMPORARY_H

#include <stddef.h>

#include "base/status.h"

int gpri_temporary_create(char *name, size_t size, const char *path);

/* path: the file that is to be written, for messages. */
gpr_status gpri_write_at(int fd, const char *path, const void *bytes, size_t size, int64_t offset) GPRI_MUST_CHECK;
/* All of it must be there. */
gpr_status gpri_read_at(int fd, const char *path, void *bytes, int64_t size, int64_t offset) GPRI_MUST_CHECK;
/* Says what errno says of a file that could not be written: GPR_ERROR_IO, or GPR_ERROR_MEMORY. */
gpr_status gpri_write_failed(const char *path);

#endif
