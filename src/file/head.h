/* The head of a file: what lies at a path, and its first bytes. They are read when they are first asked for, and once:
 * those who tell formats apart share them. A pipe is never looked into, as its bytes would be gone. */
#ifndef GPRI_HEAD_H
#define GPRI_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GPRI_HEAD_BYTES (1 << 14)

typedef enum gpri_head_kind {
    GPRI_HEAD_NOTHING,
    GPRI_HEAD_FILE,
    GPRI_HEAD_FOLDER,
    GPRI_HEAD_PIPE,
    GPRI_HEAD_OTHER
} gpri_head_kind;

typedef struct gpri_head {
    const char *path; /* borrowed; must outlive it */
    gpri_head_kind kind;
    bool was_read;
    int64_t size; /* of bytes; 0 for what is no regular file, or cannot be read */
    char bytes[GPRI_HEAD_BYTES];
} gpri_head;

/* "-": standard input. A file of that name is "./-". */
bool gpri_is_stdin(const char *path);
/* The path as messages name it: "standard input" for "-". */
const char *gpri_shown_path(const char *path);
/* Finds out what lies there, without opening it. */
void gpri_head_init(gpri_head *head, const char *path);
/* Reads the first bytes, if that was not done before. */
void gpri_head_read(gpri_head *head);
/* Does the file begin with these bytes? */
bool gpri_head_begins(gpri_head *head, const char *bytes, size_t size);

#endif
