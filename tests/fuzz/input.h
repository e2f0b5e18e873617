/* The fuzzer's bytes as a file in memory, for readers that need a path. */
#ifndef FUZZ_INPUT_H
#define FUZZ_INPUT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct {
    int fd;
    char path[64];
} input_file;

static inline input_file input_open(const uint8_t *bytes, size_t size) {
    input_file input = {.fd = memfd_create("input", 0)};
    if (input.fd < 0 || write(input.fd, bytes, size) != (ssize_t)size) abort();
    snprintf(input.path, sizeof input.path, "/proc/self/fd/%d", input.fd);
    return input;
}

#endif
