/* Progress: estimates from the reports of several runs how much work is done; draws the bar or prints lines. */
#include "progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "names.h"
#include "terminal.h"

/* Seconds between two pictures of the bar, which would only flicker if there were more; and between two lines. Work
   that takes less than that has no line. */
static const double bar_interval = 0.1, line_interval = 5;

double seconds_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

void init_progress(progress_bar *bar, bool wanted) {
    *bar = (progress_bar){.enabled = wanted, .on_terminal = isatty(STDERR_FILENO), .drawn = seconds_now()};
}

static void start_clock(progress_bar *bar) {
    bar->started = seconds_now();
    if (bar->on_terminal) bar->drawn = bar->started; /* lines have one clock for all stages */
}

void start_progress(progress_bar *bar, int threads) {
    bar->slot_count = threads < 1 ? 1 : threads > PROGRESS_SLOTS ? PROGRESS_SLOTS : threads;
    start_clock(bar);
}

void wipe_progress(progress_bar *bar) {
    if (!bar->visible) return;
    fprintf(stderr, "\r%*s\r", terminal_width(STDERR_FILENO) - 1, "");
    fflush(stderr);
    bar->visible = false;
}

/* Candidates come one after the other, then the runs, then a refit. The first run with the chosen candidate is that
   candidate, and is not trained again. */
static int64_t number_of(const progress_bar *bar, const gpr_progress *report) {
    if (report->candidates > 0) return report->candidate_index;
    const int64_t first = bar->candidates > 0 ? bar->candidates - 1 : 0;
    return first + (strcmp(report->stage, "refit") == 0 ? report->runs : report->run);
}

/* Of all calls, with the refit. */
static double runs_of(const progress_bar *bar, const gpr_progress *report) {
    const bool refit = strcmp(report->stage, "refit") == 0 || report->refits > 0;
    return (double)(report->runs + (bar->candidates > 0 ? bar->candidates - 1 : 0) + refit);
}

static void finish_slots(progress_bar *bar) {
    for (int i = 0; i < bar->used; i++) bar->finished_epochs += bar->slots[i].epoch;
    bar->finished += bar->used;
    bar->used = 0;
}

/* No report says that a run is over. But there are never more runs at once than threads: when a new one begins, the one
   that reported least recently is over. Candidates and a refit are alone. */
static progress_slot *slot_for(progress_bar *bar, int64_t run, bool alone) {
    int silent = 0;
    for (int i = 0; i < bar->used; i++) {
        if (bar->slots[i].run == run) return &bar->slots[i];
        if (bar->slots[i].last_report < bar->slots[silent].last_report) silent = i;
    }
    if (alone) finish_slots(bar);
    if (bar->used < bar->slot_count) return &bar->slots[bar->used++];
    bar->finished++;
    bar->finished_epochs += bar->slots[silent].epoch;
    return &bar->slots[silent];
}

/* Share of all work that is done. Early stopping shortens runs; the finished runs show by how much. */
static double share_done(const progress_bar *bar, const gpr_progress *report) {
    double expected = (double)report->epochs, runs = (double)(bar->finished + bar->before);
    if (bar->finished > 0 && strcmp(report->stage, "refit") != 0)
        expected = (double)bar->finished_epochs / (double)bar->finished;
    for (int i = 0; i < bar->used; i++) {
        double part = expected > 0 ? (double)bar->slots[i].epoch / expected : 1;
        runs += part < 1 ? part : 1;
    }
    const double all = runs_of(bar, report), share = all > 0 ? runs / all : 1;
    return share < 1 ? share : 1;
}

static void format_duration(char *out, size_t size, double seconds) {
    long whole = (long)(seconds + 0.5);
    if (seconds > 359999) snprintf(out, size, "days");
    else if (whole >= 3600) snprintf(out, size, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
    else snprintf(out, size, "%ld:%02ld", whole / 60, whole % 60);
}

static void print_line(const char *head, const char *tail) {
    fprintf(stderr, "gprgnn: ");
    put_text(stderr, head);
    put_text(stderr, tail + strspn(tail, " "));
    fputc('\n', stderr);
    fflush(stderr);
}

/* Fills `share` of the bar, between head and tail. */
static void draw_bar(progress_bar *bar, const char *head, double share, const char *tail) {
    char line[512], cells[64];
    int width = terminal_width(STDERR_FILENO) - 1;
    int room = width - name_width(head) - name_width(tail) - 2;
    if (room > (int)sizeof cells - 1) room = (int)sizeof cells - 1;
    if (room < 0) room = 0;
    for (int i = 0; i < room; i++) cells[i] = i < (int)(share * room + 0.5) ? '#' : '.';
    cells[room] = 0;
    snprintf(line, sizeof line, "%s[%s]%s", head, cells, tail);
    fputc('\r', stderr);
    print_name(stderr, line, -width, terminal_is_utf8());
    fflush(stderr);
    bar->visible = true;
}

static void draw_or_print(progress_bar *bar, const char *head, double share, const char *tail) {
    if (bar->on_terminal) draw_bar(bar, head, share, tail);
    else print_line(head, tail);
}

static bool is_time(progress_bar *bar, double time) {
    if (time - bar->drawn < (bar->on_terminal ? bar_interval : line_interval)) return false;
    bar->drawn = time;
    return true;
}

/* "candidate 2 of 3: label-input no, label-counts yes ", with as many of its settings as there is room for. */
static void name_candidate(char *out, size_t size, const gpr_progress *report, int room) {
    char name[128];
    snprintf(name, sizeof name, ": %s", report->candidate);
    for (;;) {
        char *cut = strrchr(name, ',');
        if (!cut) cut = name;
        snprintf(out, size, "candidate %lld of %lld%s ", (long long)report->candidate_index + 1,
                 (long long)report->candidates, name);
        if (!*name || name_width(out) <= room) return;
        *cut = 0;
    }
}

static void draw(progress_bar *bar, const gpr_progress *report, double time) {
    char left[32], head[256] = "", tail[128], val[32] = "";
    const bool refit = strcmp(report->stage, "refit") == 0;
    const double share = share_done(bar, report), elapsed = time - bar->started, done = share - bar->begun;
    snprintf(left, sizeof left, "?");
    if (done > 0) format_duration(left, sizeof left, elapsed * (1 - share) / done);
    if (isfinite(report->val_accuracy)) snprintf(val, sizeof val, "  val %.1f %%", report->val_accuracy);
    snprintf(tail, sizeof tail, " %3.0f %%  epoch %lld/%lld%s  ETA %s%s", share * 100, (long long)report->epoch,
             (long long)report->epochs, val, left,
             report->may_end_early && bar->finished == 0 && done > 0 ? " at most" : "");
    if (report->candidates > 0)
        name_candidate(head, sizeof head, report,
                       bar->on_terminal ? terminal_width(STDERR_FILENO) - 13 - name_width(tail) : (int)sizeof head);
    else if (refit) snprintf(head, sizeof head, "refit on all labels ");
    else if (strcmp(report->stage, "networks") == 0) snprintf(head, sizeof head, "networks of the stack ");
    else if (report->runs > 1)
        snprintf(head, sizeof head, "run %lld/%lld ", (long long)report->run + 1, (long long)report->runs);
    draw_or_print(bar, head, share, tail);
}

void show_progress(progress_bar *bar, const gpr_progress *report) {
    if (!bar->enabled) return;
    const bool alone = report->candidates > 0 || strcmp(report->stage, "refit") == 0;
    if (report->candidates > 0) bar->candidates = report->candidates;
    const int64_t number = number_of(bar, report);
    if (bar->reports == 0 && alone) bar->before = number; /* the training goes on: an earlier call did these */
    const bool chosen = bar->used > 0 && bar->slots[0].run < bar->candidates && number >= bar->candidates;
    progress_slot *slot = slot_for(bar, number, alone || chosen);
    *slot = (progress_slot){number, report->epoch, ++bar->reports};
    double time = seconds_now();
    if (bar->reports == 1) { /* the time before the first epoch says nothing about epochs */
        bar->started = time;
        slot->epoch--;
        bar->begun = share_done(bar, report);
        slot->epoch++;
    }
    if (is_time(bar, time)) draw(bar, report, time);
}

void start_share(progress_bar *bar, double share) {
    start_clock(bar);
    bar->first_share = share;
}

void show_share(progress_bar *bar, const char *head, double share, const char *tail) {
    char left[32], text[256];
    double time = seconds_now(), done = share - bar->first_share;
    if (!bar->enabled || !is_time(bar, time)) return;
    snprintf(left, sizeof left, "?");
    if (done > 0) format_duration(left, sizeof left, (time - bar->started) * (1 - share) / done);
    snprintf(text, sizeof text, " %3.0f %%  %s%sETA %s", share * 100, tail, *tail ? "  " : "", left);
    draw_or_print(bar, head, share < 0 ? 0 : share, share < 0 ? " (of unknown size)" : text);
}

static void show_reading(progress_bar *bar, const gpr_progress *report) {
    char head[96];
    const char *slash = strrchr(report->file, '/'), *name = slash ? slash + 1 : report->file;
    size_t size = strlen(name);
    if (size > 40) size = 40;
    while (((unsigned char)name[size] & 0xc0) == 0x80) size--; /* not within a letter */
    snprintf(head, sizeof head, "reading %.*s ", (int)size, name);
    show_share(bar, head, report->share, "");
}

bool show_stage(progress_bar *bar, const gpr_progress *report) {
    const bool reading = strcmp(report->stage, "reading") == 0;
    const bool hops = strcmp(report->stage, "hops") == 0, rows = strcmp(report->stage, "predicting") == 0;
    if (!reading && !hops && !rows && strcmp(report->stage, "embedding") != 0)
        return false;                                              /* a training, or a refit */
    if (bar->stage_share == 0 || report->share < bar->stage_share) /* another file, another stage */
        start_share(bar, report->share < 0 ? 0 : report->share);
    bar->stage_share = report->share;
    if (reading) show_reading(bar, report);
    else if (hops) show_share(bar, "hops of the features ", report->share, "");
    else if (rows) show_share(bar, "predicting ", report->share, "");
    else show_share(bar, "embedding ", report->share, "before training");
    return true;
}
