/* The first bytes of a file, read once. */
#include "file/head.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/temporary.h"

bool gpri_is_stdin(const char *path) { return strcmp(path, "-") == 0; }
const char *gpri_shown_path(const char *path) { return path && gpri_is_stdin(path) ? "standard input" : path; }

void gpri_head_init(gpri_head *head, const char *path) {
    struct stat info;
    head->path = path;
    head->was_read = false;
    head->size = 0;
    if (gpri_is_stdin(path)) head->kind = GPRI_HEAD_PIPE;
    else if (stat(path, &info) != 0) head->kind = GPRI_HEAD_NOTHING;
    else if (S_ISREG(info.st_mode)) head->kind = GPRI_HEAD_FILE;
    else if (S_ISDIR(info.st_mode)) head->kind = GPRI_HEAD_FOLDER;
    else head->kind = S_ISFIFO(info.st_mode) ? GPRI_HEAD_PIPE : GPRI_HEAD_OTHER;
}

void gpri_head_read(gpri_head *head) {
    if (head->was_read || head->kind != GPRI_HEAD_FILE) return;
    head->was_read = true;
    const int fd = open(head->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return;
    const int64_t got = gpri_read_some(fd, head->bytes, GPRI_HEAD_BYTES, 0);
    if (got > 0) head->size = got;
    close(fd);
}

bool gpri_head_begins(gpri_head *head, const char *bytes, size_t size) {
    gpri_head_read(head);
    return head->size >= (int64_t)size && memcmp(head->bytes, bytes, size) == 0;
}
