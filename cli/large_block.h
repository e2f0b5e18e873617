/* Memory that may be too large for the machine: then it is a mapped file without a name. */
#ifndef CLI_LARGE_BLOCK_H
#define CLI_LARGE_BLOCK_H

#include <stdbool.h>
#include <stddef.h>

typedef struct large_block {
    void *at;
    size_t size;
    bool in_file;
} large_block;

/* size bytes; more than 256 MB lie in a file in the folder of `path`. EXIT_OK, or the exit status after an error
   message that calls them `what`. */
int take_block(large_block *block, size_t size, const char *path, const char *what);
void free_block(large_block *block); /* a zeroed one is fine */

#endif
