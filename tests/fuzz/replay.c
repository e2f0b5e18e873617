/* Runs a fuzz target on stored inputs: each argument is a file, or a folder of files. Needs no libFuzzer, so that every
 * input that a fuzzer found is an ordinary test of every build. Where the target has a mutator, it is run on every
 * input a few times: the same seed must give the same bytes, no more than there is room for, and the target takes them.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "random.h"

enum { MUTANTS = 12, ROOM = 4096 }; /* of every input; bytes that it may grow by */

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t most);
__attribute__((weak)) size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed);
__attribute__((weak)) size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t size, const uint8_t *other,
                                                       size_t other_size, uint8_t *out, size_t most, unsigned seed);

static chance mutations; /* set before every mutant */

/* In place of libFuzzer's: a byte is changed, added or removed. */
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t most) {
    const size_t at = below(&mutations, size + 1);
    if (size > 1 && at < size && one_in(&mutations, 3)) {
        memmove(bytes + at, bytes + at + 1, size - at - 1);
        return size - 1;
    }
    if (size < most && (size == 0 || one_in(&mutations, 2))) {
        memmove(bytes + at + 1, bytes + at, size - at);
        size++;
    }
    bytes[at < size ? at : size - 1] = (uint8_t)draw(&mutations);
    return size;
}

/* In a block of just that size: a sanitizer reports every overrun. */
static size_t mutant(uint8_t **out, const uint8_t *bytes, size_t size, unsigned seed) {
    uint8_t *made = malloc(size + ROOM);
    if (!made) abort();
    if (size) memcpy(made, bytes, size);
    mutations.state = seed;
    const size_t count = LLVMFuzzerCustomMutator(made, size, size + ROOM, seed);
    if (count < 1 || count > size + ROOM) abort();
    *out = realloc(made, count);
    if (!*out) abort();
    return count;
}

/* An input and a mutant of it. */
static void run_crossing(const uint8_t *bytes, size_t size, const uint8_t *other, size_t other_size, unsigned seed) {
    const size_t most = size + ROOM;
    uint8_t *out = malloc(most), *exact;
    if (!out) abort();
    mutations.state = seed;
    const size_t count = LLVMFuzzerCustomCrossOver(bytes, size, other, other_size, out, most, seed);
    if (count > most) abort();
    exact = realloc(out, count ? count : 1);
    if (!exact) abort();
    LLVMFuzzerTestOneInput(exact, count);
    free(exact);
}

static void run_mutants(const uint8_t *bytes, size_t size) {
    for (unsigned seed = 1; LLVMFuzzerCustomMutator && seed <= MUTANTS; seed++) {
        uint8_t *one, *other;
        const size_t count = mutant(&one, bytes, size, seed);
        if (mutant(&other, bytes, size, seed) != count || memcmp(one, other, count) != 0) abort();
        LLVMFuzzerTestOneInput(one, count);
        if (LLVMFuzzerCustomCrossOver) run_crossing(bytes, size, one, count, seed);
        free(one);
        free(other);
    }
}

static int replay_file(const char *path, size_t size) {
    uint8_t *bytes = malloc(size ? size : 1); /* exactly as large as the input: a sanitizer reports every overrun */
    FILE *file = fopen(path, "rb");
    int ok = bytes && file && fread(bytes, 1, size, file) == size;
    if (ok) {
        LLVMFuzzerTestOneInput(bytes, size);
        run_mutants(bytes, size);
    } else {
        perror(path);
    }
    if (file) fclose(file);
    free(bytes);
    return ok;
}

/* The number of inputs run; -1 on failure. */
static long replay(const char *path) {
    struct stat info;
    if (stat(path, &info) != 0) {
        perror(path);
        return -1;
    }
    if (!S_ISDIR(info.st_mode)) return replay_file(path, (size_t)info.st_size) ? 1 : -1;
    long count = 0;
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && count >= 0 && (entry = readdir(folder));) {
        char name[4096];
        if (entry->d_name[0] == '.') continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        long more = replay(name);
        count = more < 0 ? -1 : count + more;
    }
    if (folder) closedir(folder);
    return count;
}

int main(int argc, char **argv) {
    long count = 0;
    uint8_t nothing = 0;
    LLVMFuzzerTestOneInput(&nothing, 0);
    for (int i = 1; i < argc; i++) {
        long more = replay(argv[i]);
        if (more < 0) return 1;
        count += more;
    }
    printf("%ld inputs\n", count);
    return count > 0 ? 0 : 1;
}
