/* A system call of the traced program between its entry and its exit, and what it is about. */
#ifndef ATTACK_EXAMINE_H
#define ATTACK_EXAMINE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

#include "calls.h"

/* A call between its entry and its exit. */
typedef struct running_call {
    pid_t thread; /* 0: this place is free */
    const changing_call *call;
    long number;
    uint64_t args[6];
    char path[PATH_MAX], path2[PATH_MAX];
    bool existed;     /* an open: the file was there */
    uint64_t inode;   /* of the file, or of the first path; 0: none */
    int64_t position; /* of a write */
    int fail;         /* errno to return at the exit; 0: none */
    bool kill;        /* at the exit */
} running_call;

/* Fills in what the call is about, from thread, call and args. False: it changes nothing below the folder root. */
bool examine(running_call *c, const char *root);

/* Whether the call is the one of this name; whether it writes bytes. */
bool is(const running_call *c, const char *name);
bool has_bytes(const running_call *c);

/* 0: there is none. */
uint64_t inode_of(const char *path);
uint64_t inode_of_fd(pid_t thread, int fd);

#endif
