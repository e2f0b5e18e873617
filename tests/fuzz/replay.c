/* Runs a fuzz target on stored inputs: each argument is a file, or a folder of files. Needs no libFuzzer, so that every
 * input that a fuzzer found is an ordinary test of every build. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static int replay_file(const char *path, size_t size) {
    uint8_t *bytes = malloc(size ? size : 1); /* exactly as large as the input: a sanitizer reports every overrun */
    FILE *file = fopen(path, "rb");
    int ok = bytes && file && fread(bytes, 1, size, file) == size;
    if (ok) LLVMFuzzerTestOneInput(bytes, size);
    else perror(path);
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
