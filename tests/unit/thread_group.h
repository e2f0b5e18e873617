/* A group of processes (dist/group.h) whose processes are threads: so that one of them can run out of memory, and what
 * it leaves behind is seen. A process that does not come to the end in time, because it waits for one that has failed,
 * is ended as mpirun would end it: its thread ends where it waits, and its memory is the test's to free. */
#ifndef TEST_THREAD_GROUP_H
#define TEST_THREAD_GROUP_H

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dist/group.h"
#include "support.h"

enum { MOST_MEMBERS = 4, NOTE = 3, LETTER = 1, PARCEL = 2, PATIENCE_MS = 15 };

/* What is under way from one to another. */
typedef struct letter {
    struct letter *next;
    int64_t from, to, kind, size;
    char bytes[];
} letter;

typedef struct world {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int64_t size, arrived, turn, parted, first_failed;
    const char *call[MOST_MEMBERS]; /* that each has come to; all must come to the same */
    void *at[MOST_MEMBERS];
    int64_t value[MOST_MEMBERS];
    letter *letters;    /* oldest first */
    bool ended;         /* by one that failed */
    const char *astray; /* a call to which not all came */
} world;

typedef struct member {
    gpri_group group; /* first */
    world *all;
    gpri_parcel in[MOST_MEMBERS];
    int64_t ins, note_from;
    bool alone, killed;
} member;

static inline member *member_of(gpri_group *group) { return group->state; }

/* Under the lock. */
static inline void wait_for_change(member *me) {
    if (!me->all->ended) pthread_cond_wait(&me->all->changed, &me->all->lock);
    if (!me->all->ended) return;
    me->killed = true;
    pthread_mutex_unlock(&me->all->lock);
    pthread_exit(NULL);
}

static inline void meet(member *me, const char *call) {
    world *all = me->all;
    pthread_mutex_lock(&all->lock);
    const int64_t turn = all->turn;
    all->call[me->group.rank] = call;
    if (++all->arrived == all->size) {
        for (int64_t p = 1; p < all->size; p++)
            if (strcmp(all->call[p], all->call[0]) != 0) all->astray = call;
        all->arrived = 0;
        all->turn++;
        pthread_cond_broadcast(&all->changed);
    }
    while (all->turn == turn) wait_for_change(me);
    pthread_mutex_unlock(&all->lock);
}

static inline void thread_gather(gpri_group *group, void *at, const int64_t *begin) {
    world *all = member_of(group)->all;
    all->at[group->rank] = at;
    meet(member_of(group), "gather");
    for (int64_t p = 0; p < group->size; p++)
        if (p != group->rank && begin[p + 1] > begin[p])
            memcpy((char *)at + begin[p], (char *)all->at[p] + begin[p], (size_t)(begin[p + 1] - begin[p]));
    meet(member_of(group), "gather");
}

static inline int64_t thread_most(gpri_group *group, int64_t value) {
    world *all = member_of(group)->all;
    int64_t most = value;
    all->value[group->rank] = value;
    meet(member_of(group), "most");
    for (int64_t p = 0; p < group->size; p++)
        if (all->value[p] > most) most = all->value[p];
    meet(member_of(group), "most");
    return most;
}

static inline void thread_broadcast(gpri_group *group, void *at, int64_t bytes, int64_t from) {
    world *all = member_of(group)->all;
    all->at[group->rank] = at;
    meet(member_of(group), "broadcast");
    if (group->rank != from && bytes > 0) memcpy(at, all->at[from], (size_t)bytes);
    meet(member_of(group), "broadcast");
}

/* ---- letters ---- */

static inline void put_letter(member *me, const void *at, int64_t size, int64_t to, int64_t kind) {
    letter *made = calloc(1, sizeof *made + (size_t)size);
    assert_non_null(made);
    *made = (letter){.from = me->group.rank, .to = to, .kind = kind, .size = size};
    if (size > 0) memcpy(made->bytes, at, (size_t)size);
    pthread_mutex_lock(&me->all->lock);
    letter **end = &me->all->letters;
    while (*end) end = &(*end)->next;
    *end = made;
    pthread_cond_broadcast(&me->all->changed);
    pthread_mutex_unlock(&me->all->lock);
}

/* Waits for it if `waits`, else NULL if there is none. from -1: anyone. */
static inline letter *take_letter(member *me, int64_t from, int64_t kind, bool waits) {
    letter *found = NULL;
    pthread_mutex_lock(&me->all->lock);
    while (!found) {
        for (letter **at = &me->all->letters; *at && !found; at = found ? at : &(*at)->next)
            if ((*at)->to == me->group.rank && (*at)->kind == kind && (from < 0 || (*at)->from == from)) {
                found = *at;
                *at = found->next;
            }
        if (found || !waits) break;
        wait_for_change(me);
    }
    pthread_mutex_unlock(&me->all->lock);
    return found;
}

static inline void open_letter(letter *one, void *at, int64_t size) {
    assert_int_equal(one->size, size);
    if (size > 0) memcpy(at, one->bytes, (size_t)size);
    free(one);
}

static inline void thread_send(gpri_group *group, const void *at, int64_t bytes, int64_t to) {
    put_letter(member_of(group), at, bytes, to, LETTER);
    group->sent += bytes;
}

static inline void thread_receive(gpri_group *group, void *at, int64_t bytes, int64_t from) {
    open_letter(take_letter(member_of(group), from, LETTER, true), at, bytes);
}

static inline void thread_begin(gpri_group *group, const gpri_parcel *out, int64_t outs, const gpri_parcel *in,
                                int64_t ins) {
    member *me = member_of(group);
    for (int64_t i = 0; i < outs; i++) {
        put_letter(me, out[i].at, out[i].bytes, out[i].process, PARCEL);
        group->sent += out[i].bytes;
    }
    for (int64_t i = 0; i < ins; i++) me->in[i] = in[i];
    me->ins = ins;
}

static inline void thread_poke(gpri_group *group) { (void)group; }

static inline void thread_end(gpri_group *group) {
    member *me = member_of(group);
    for (int64_t i = 0; i < me->ins; i++)
        open_letter(take_letter(me, me->in[i].process, PARCEL, true), me->in[i].at, me->in[i].bytes);
    me->ins = 0;
}

/* A note is two letters: its size, and its bytes. */
static inline void thread_post(gpri_group *group, const void *bytes, int64_t size) {
    put_letter(member_of(group), &size, sizeof size, 0, NOTE);
    put_letter(member_of(group), bytes, size, 0, NOTE + 1);
}

static inline void thread_read(gpri_group *group, void *bytes, int64_t size) {
    open_letter(take_letter(member_of(group), member_of(group)->note_from, NOTE + 1, true), bytes, size);
}

static inline void thread_abandon(gpri_group *group, int64_t size) {
    (void)size;
    free(take_letter(member_of(group), member_of(group)->note_from, NOTE + 1, true));
}

static inline bool thread_look(gpri_group *group, int64_t *size) {
    letter *head = take_letter(member_of(group), -1, NOTE, false);
    pthread_mutex_lock(&member_of(group)->all->lock);
    if (!head && member_of(group)->all->ended) wait_for_change(member_of(group)); /* who only looks ends too */
    pthread_mutex_unlock(&member_of(group)->all->lock);
    if (!head) return false;
    member_of(group)->note_from = head->from;
    open_letter(head, size, sizeof *size);
    if (*size == 0) thread_abandon(group, 0);
    return true;
}

/* ---- the end ---- */

static inline int64_t thread_part(gpri_group *group, bool failed) {
    member *me = member_of(group);
    world *all = me->all;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += PATIENCE_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    pthread_mutex_lock(&all->lock);
    all->parted++;
    if (failed && (all->first_failed < 0 || group->rank < all->first_failed)) all->first_failed = group->rank;
    pthread_cond_broadcast(&all->changed);
    int late = 0;
    while (all->parted < all->size && !late) {
        if (!failed) wait_for_change(me);
        else late = pthread_cond_timedwait(&all->changed, &all->lock, &until);
    }
    me->alone = all->parted < all->size;
    const int64_t first = me->alone ? group->rank : all->first_failed;
    pthread_mutex_unlock(&all->lock);
    return first;
}

static inline void thread_close(gpri_group *group) {
    member *me = member_of(group);
    if (!me->alone) {
        meet(me, "close");
        return;
    }
    pthread_mutex_lock(&me->all->lock);
    me->all->ended = true;
    pthread_cond_broadcast(&me->all->changed);
    pthread_mutex_unlock(&me->all->lock);
}

static inline void begin_world(world *all, int64_t size) {
    *all = (world){.size = size, .first_failed = -1};
    pthread_mutex_init(&all->lock, NULL);
    pthread_cond_init(&all->changed, NULL);
}

static inline void end_world(world *all) {
    for (letter *next; all->letters; all->letters = next) {
        next = all->letters->next;
        free(all->letters);
    }
    pthread_cond_destroy(&all->changed);
    pthread_mutex_destroy(&all->lock);
}

static inline void join_world(world *all, member *me, int64_t rank, gpri_spread wanted) {
    *me = (member){.all = all};
    me->group = (gpri_group){.rank = rank,
                             .size = all->size,
                             .wanted = wanted,
                             .state = me,
                             .gather = thread_gather,
                             .most = thread_most,
                             .broadcast = thread_broadcast,
                             .send = thread_send,
                             .receive = thread_receive,
                             .exchange_begin = thread_begin,
                             .exchange_poke = thread_poke,
                             .exchange_end = thread_end,
                             .post = thread_post,
                             .look = thread_look,
                             .read = thread_read,
                             .abandon = thread_abandon,
                             .part = thread_part,
                             .close = thread_close};
}

#endif
