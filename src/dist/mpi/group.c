/* The group of processes that an MPI launcher has started: dist/group.h by MPI. The only code that calls it.
 *
 * Failures are MPI's business: its usual handler ends all processes with a message that names the rank. Three
 * communicators keep apart what may be under way at the same time: the training, notes for process 0, and the end. */
#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dist/plugin.h"

#ifndef GPRI_VERSION
#define GPRI_VERSION "0.0.0"
#endif

enum {
    PIECE = 1 << 30,   /* bytes of a message at most: counts are of type int */
    PATIENCE_MS = 3000 /* that a process which failed waits for the others */
};

typedef struct {
    gpri_group group; /* first */
    MPI_Comm work, notes, end;
    MPI_Request *requests;
    int under_way, room;
    int *counts, *begins; /* (size) of a gather */
    int note_from;        /* the process whose note was looked at last */
    bool alone;           /* the others did not come to the end */
} mpi_group;

static mpi_group *of(gpri_group *group) { return (mpi_group *)group->state; }

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* ---- together ---- */

/* Sums of blocks are a few megabytes; what is larger goes from process to process. */
static void gather(gpri_group *group, void *at, const int64_t *begin) {
    mpi_group *mpi = of(group);
    const int size = (int)group->size;
    if (begin[size] - begin[0] < PIECE) {
        for (int p = 0; p < size; p++) {
            mpi->counts[p] = (int)(begin[p + 1] - begin[p]);
            mpi->begins[p] = (int)(begin[p] - begin[0]);
        }
        MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, (char *)at + begin[0], mpi->counts, mpi->begins, MPI_BYTE,
                       mpi->work);
        return;
    }
    for (int p = 0; p < size; p++)
        for (int64_t first = begin[p]; first < begin[p + 1]; first += PIECE)
            MPI_Bcast((char *)at + first, (int)least(PIECE, begin[p + 1] - first), MPI_BYTE, p, mpi->work);
}

static int64_t most(gpri_group *group, int64_t value) {
    long long own = value, all = value;
    MPI_Allreduce(&own, &all, 1, MPI_LONG_LONG, MPI_MAX, of(group)->work);
    return all;
}

static void broadcast(gpri_group *group, void *at, int64_t bytes, int64_t from) {
    for (int64_t first = 0; first < bytes; first += PIECE)
        MPI_Bcast((char *)at + first, (int)least(PIECE, bytes - first), MPI_BYTE, (int)from, of(group)->work);
}

/* ---- from one to another ---- */

static void send(gpri_group *group, const void *at, int64_t bytes, int64_t to) {
    for (int64_t first = 0; first < bytes; first += PIECE)
        MPI_Send((const char *)at + first, (int)least(PIECE, bytes - first), MPI_BYTE, (int)to, 1, of(group)->work);
    group->sent += bytes;
}

static void receive(gpri_group *group, void *at, int64_t bytes, int64_t from) {
    for (int64_t first = 0; first < bytes; first += PIECE)
        MPI_Recv((char *)at + first, (int)least(PIECE, bytes - first), MPI_BYTE, (int)from, 1, of(group)->work,
                 MPI_STATUS_IGNORE);
}

/* Where the next request goes. */
static MPI_Request *next_request(mpi_group *mpi) {
    if (mpi->under_way == mpi->room) { /* grows in the first exchange, and then no more */
        const int room = 2 * mpi->room + 16;
        MPI_Request *more = realloc(mpi->requests, (size_t)room * sizeof *more);
        if (!more) {
            fprintf(stderr, "gprgnn: process %lld: out of memory: messages\n", (long long)mpi->group.rank);
            MPI_Abort(MPI_COMM_WORLD, 1);
            abort(); /* not reached */
        }
        mpi->requests = more;
        mpi->room = room;
    }
    return &mpi->requests[mpi->under_way++];
}

static void exchange_begin(gpri_group *group, const gpri_parcel *out, int64_t outs, const gpri_parcel *in,
                           int64_t ins) {
    mpi_group *mpi = of(group);
    for (int64_t i = 0; i < ins; i++)
        for (int64_t first = 0; first < in[i].bytes; first += PIECE)
            MPI_Irecv((char *)in[i].at + first, (int)least(PIECE, in[i].bytes - first), MPI_BYTE, (int)in[i].process, 2,
                      mpi->work, next_request(mpi));
    for (int64_t i = 0; i < outs; i++) {
        for (int64_t first = 0; first < out[i].bytes; first += PIECE)
            MPI_Isend((char *)out[i].at + first, (int)least(PIECE, out[i].bytes - first), MPI_BYTE, (int)out[i].process,
                      2, mpi->work, next_request(mpi));
        group->sent += out[i].bytes;
    }
}

static void exchange_poke(gpri_group *group) {
    mpi_group *mpi = of(group);
    int done;
    if (mpi->under_way > 0) MPI_Testall(mpi->under_way, mpi->requests, &done, MPI_STATUSES_IGNORE);
}

static void exchange_end(gpri_group *group) {
    mpi_group *mpi = of(group);
    MPI_Waitall(mpi->under_way, mpi->requests, MPI_STATUSES_IGNORE);
    mpi->under_way = 0;
}

/* ---- notes for process 0: their size, then their bytes ---- */

static void post(gpri_group *group, const void *bytes, int64_t size) {
    long long own = size;
    MPI_Send(&own, 1, MPI_LONG_LONG, 0, 3, of(group)->notes);
    for (int64_t first = 0; first < size; first += PIECE)
        MPI_Send((const char *)bytes + first, (int)least(PIECE, size - first), MPI_BYTE, 0, 4, of(group)->notes);
}

static bool look(gpri_group *group, int64_t *size) {
    mpi_group *mpi = of(group);
    MPI_Status status;
    long long bytes;
    int there = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, 3, mpi->notes, &there, &status);
    if (!there) return false;
    mpi->note_from = status.MPI_SOURCE;
    MPI_Recv(&bytes, 1, MPI_LONG_LONG, mpi->note_from, 3, mpi->notes, MPI_STATUS_IGNORE);
    *size = bytes;
    return true;
}

static void read_note(gpri_group *group, void *bytes, int64_t size) {
    const mpi_group *mpi = of(group);
    for (int64_t first = 0; first < size; first += PIECE)
        MPI_Recv((char *)bytes + first, (int)least(PIECE, size - first), MPI_BYTE, mpi->note_from, 4, mpi->notes,
                 MPI_STATUS_IGNORE);
}

/* A message that is too long for the room of its receiver is an error, and gone: errors of this communicator are
   returned. */
static void abandon(gpri_group *group, int64_t size) {
    const mpi_group *mpi = of(group);
    for (int64_t first = 0; first < size; first += PIECE)
        (void)!MPI_Recv(NULL, 0, MPI_BYTE, mpi->note_from, 4, mpi->notes, MPI_STATUS_IGNORE);
}

/* ---- the end ---- */

static void rest(long milliseconds) {
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    while (nanosleep(&time, &time) != 0 && errno == EINTR) continue;
}

static int64_t part(gpri_group *group, bool failed) {
    mpi_group *mpi = of(group);
    const int own = failed ? (int)(group->size - group->rank) : 0;
    int first = 0, done = 0;
    MPI_Request all;
    MPI_Iallreduce(&own, &first, 1, MPI_INT, MPI_MAX, mpi->end, &all);
    for (int waited = 0; !done && (!failed || waited < PATIENCE_MS); waited += 2) {
        MPI_Test(&all, &done, MPI_STATUS_IGNORE);
        if (!done) rest(2);
    }
    mpi->alone = !done;
    if (!done) return group->rank;
    return first > 0 ? group->size - first : -1;
}

static void close_group(gpri_group *group) {
    mpi_group *mpi = of(group);
    if (mpi->alone) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Barrier(mpi->end); /* a launcher ends all when one has failed: not before the message is told */
    MPI_Comm_free(&mpi->end);
    MPI_Comm_free(&mpi->notes);
    MPI_Comm_free(&mpi->work);
    MPI_Finalize();
    free(mpi->requests);
    free(mpi->counts);
    free(mpi);
}

/* ---- the beginning ---- */

static gpri_group *say(char *message, size_t size, const char *text) {
    snprintf(message, size, "%s", text);
    return NULL;
}

__attribute__((visibility("default"))) gpri_mpi_open_fn gpri_mpi_open;

gpri_group *gpri_mpi_open(const gpri_mpi_host *host, char *message, size_t size) {
    int before = 0, after = 0, threads = 0, rank = 0, count = 0;
    if (strcmp(host->version, GPRI_VERSION) != 0 || host->interface != GPRI_MPI_INTERFACE ||
        host->group_size != sizeof(gpri_group)) {
        snprintf(message, size,
                 "%s is of version %s and does not fit the program, of version %s: install both from one build",
                 GPRI_MPI_LIBRARY, GPRI_VERSION, host->version);
        return NULL;
    }
    MPI_Finalized(&after);
    if (after) return say(message, size, "this process has left its group before, and can join none again");
    MPI_Initialized(&before);
    if (before) MPI_Query_thread(&threads);
    else MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &threads);
    if (threads < MPI_THREAD_SERIALIZED)
        return say(message, size, "the MPI library does not allow calls from several threads (MPI_THREAD_SERIALIZED)");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    mpi_group *mpi = calloc(1, sizeof *mpi);
    if (mpi) mpi->counts = calloc(2 * (size_t)count, sizeof *mpi->counts);
    if (!mpi || !mpi->counts) {
        free(mpi);
        return say(message, size, "out of memory: processes");
    }
    mpi->begins = mpi->counts + count;
    MPI_Comm_dup(MPI_COMM_WORLD, &mpi->work);
    MPI_Comm_dup(MPI_COMM_WORLD, &mpi->notes);
    MPI_Comm_set_errhandler(mpi->notes, MPI_ERRORS_RETURN);
    MPI_Comm_dup(MPI_COMM_WORLD, &mpi->end);
    mpi->group = (gpri_group){.rank = rank,
                              .size = count,
                              .state = mpi,
                              .gather = gather,
                              .most = most,
                              .broadcast = broadcast,
                              .send = send,
                              .receive = receive,
                              .exchange_begin = exchange_begin,
                              .exchange_poke = exchange_poke,
                              .exchange_end = exchange_end,
                              .post = post,
                              .look = look,
                              .read = read_note,
                              .abandon = abandon,
                              .part = part,
                              .close = close_group};
    return &mpi->group;
}
