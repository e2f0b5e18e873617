/* Memory, or a mapped file without a name. */
#include "large_block.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common.h"

/* A file that is gone with the program. -1, with errno, on failure. */
static int open_nameless(const char *path) {
    static const char name[] = ".gprgnn-XXXXXX";
    const char *slash = strrchr(path, '/');
    const size_t length = slash ? (size_t)(slash - path) + 1 : 0;
    char *own = malloc(length + sizeof name);
    if (!own) return -1;
    memcpy(own, path, length);
    memcpy(own + length, name, sizeof name);
    const int fd = mkstemp(own);
    if (fd >= 0) unlink(own);
    free(own);
    return fd;
}

int take_block(large_block *block, size_t size, const char *path, const char *what) {
    const size_t most = (size_t)256 << 20;
    *block = (large_block){.size = size, .in_file = size > most};
    if (!block->in_file) {
        block->at = malloc(size ? size : 1);
        return block->at ? EXIT_OK : failed("out of memory");
    }
    const int fd = open_nameless(path);
    int code =
        fd < 0 ? errno : posix_fallocate(fd, 0, (off_t)size); /* now: a mapping that finds no room later is fatal */
    if (code == 0) {
        block->at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (block->at == MAP_FAILED) code = errno;
    }
    if (fd >= 0) close(fd);
    if (code == 0) return EXIT_OK;
    block->at = NULL;
    return failed("%s take %.1f GB in a temporary file beside %s: %s; set TMPDIR to a folder on another disk", what,
                  (double)size / 1e9, path, strerror(code));
}

void free_block(large_block *block) {
    if (block->in_file && block->at) munmap(block->at, block->size);
    else free(block->at);
    *block = (large_block){.at = NULL};
}
