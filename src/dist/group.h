/* Several processes that train together: a seam, as the device is one. It says what a group can do, never what carries
 * its messages. The walk over a graph speaks with it (walk/share.h); all others ask in the words of dist/all.h. The one
 * group that there is lives in libgprgnn_mpi.so (dist/mpi/), which is opened where mpirun or srun has started the
 * program (dist/open.c).
 *
 * All processes run the same program on the same data, and come to the same calls in the same order. All calls are made
 * by one thread at a time. A failure of the network ends all processes, with a message of the MPI library: so these
 * functions return nothing. */
#ifndef GPRI_GROUP_H
#define GPRI_GROUP_H

#include "dist/all.h"

/* Bytes for a process, or from one. */
typedef struct gpri_parcel {
    int64_t process;
    void *at;
    int64_t bytes;
} gpri_parcel;

typedef struct gpri_group gpri_group;

struct gpri_group {
    int64_t rank, size;
    gpri_spread wanted; /* by the caller */
    gpri_spread dealt;  /* in the present training; nothing between two */
    bool root_saves;    /* process 0 keeps the states of the present training */
    int64_t sent;       /* bytes that this process has sent in exchanges */
    void *state;        /* the group's own */

    /* In place: process p has bytes [begin[p], begin[p + 1]) of `at`; then all have all of them. begin: (size + 1). */
    void (*gather)(gpri_group *group, void *at, const int64_t *begin);
    /* The largest value of all processes. */
    int64_t (*most)(gpri_group *group, int64_t value);
    /* `at` of process `from` goes to all others. */
    void (*broadcast)(gpri_group *group, void *at, int64_t bytes, int64_t from);
    void (*send)(gpri_group *group, const void *at, int64_t bytes, int64_t to);
    void (*receive)(gpri_group *group, void *at, int64_t bytes, int64_t from);
    /* Parcels go out and come in until exchange_end, which waits for all; one exchange at a time. poke lets them go on
       meanwhile. What two processes have for each other must agree in number and sizes. */
    void (*exchange_begin)(gpri_group *group, const gpri_parcel *out, int64_t outs, const gpri_parcel *in, int64_t ins);
    void (*exchange_poke)(gpri_group *group);
    void (*exchange_end)(gpri_group *group);
    /* A note for process 0, which it reads when it looks. post returns when the bytes may be used again. look: a note
       that has come, size: of it, else false; read takes it, abandon throws it away. */
    void (*post)(gpri_group *group, const void *bytes, int64_t size);
    bool (*look)(gpri_group *group, int64_t *size);
    void (*read)(gpri_group *group, void *bytes, int64_t size);
    void (*abandon)(gpri_group *group, int64_t size);

    /* The end of this process's work, well or failed. Waits for the others: without limit after work that went well,
       some seconds after a failure. Returns the first process that failed, -1: none; its own number where the others
       did not come. */
    int64_t (*part)(gpri_group *group, bool failed);
    /* Before the program ends; where the others did not come, ends them. The group is no more. */
    void (*close)(gpri_group *group);
};

#endif
