/* The fuzzer's bytes as several files in a folder, for readers that need more than one. The folder is made once and
 * holds links to files in memory. */
#ifndef FUZZ_FOLDER_H
#define FUZZ_FOLDER_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_PARTS = 8 };

static char folder[64];
static char links[MOST_PARTS][128];
static int parts[MOST_PARTS], part_count;

static void folder_remove(void) {
    for (int i = 0; i < part_count; i++) unlink(links[i]);
    rmdir(folder);
}

static inline void folder_open(const char *const *names, int count) {
    if (part_count) return;
    snprintf(folder, sizeof folder, "/dev/shm/gprgnn_fuzz_XXXXXX");
    if (!mkdtemp(folder)) abort();
    for (; part_count < count; part_count++) {
        char target[64];
        parts[part_count] = memfd_create("part", 0);
        snprintf(target, sizeof target, "/proc/self/fd/%d", parts[part_count]);
        snprintf(links[part_count], sizeof links[part_count], "%s/%s", folder, names[part_count]);
        if (parts[part_count] < 0 || symlink(target, links[part_count]) != 0) abort();
    }
    atexit(folder_remove);
}

static inline void folder_write(int part, const uint8_t *bytes, size_t size) {
    if (ftruncate(parts[part], 0) != 0 || pwrite(parts[part], bytes, size, 0) != (ssize_t)size) abort();
}

#endif
