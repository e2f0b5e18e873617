/* An allocator that gives a number of blocks and then fails. */
#ifndef TEST_FEW_BLOCKS_H
#define TEST_FEW_BLOCKS_H

#include <stdlib.h>

static int blocks_left = 1 << 30;

static void *few_resize(void *user, void *block, size_t size) {
    (void)user;
    return blocks_left-- > 0 ? realloc(block, size) : NULL;
}

static void few_release(void *user, void *block) {
    (void)user;
    free(block);
}

#endif
