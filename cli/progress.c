/* Progress: estimates from the reports of several runs how much work is done; draws the bar or prints lines. */
#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "names.h"
#include "terminal.h"

/* Seconds between two pictures of the bar, which would only flicker if there were more; and between two lines. Work
   that takes less than that has no line. */
static const double bar_interval = 0.1, line_interval = 5;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

void init_progress(progress_bar *bar, bool wanted) {
    *bar = (progress_bar){.enabled = wanted, .on_terminal = isatty(STDERR_FILENO), .drawn = now()};
}

static void start_clock(progress_bar *bar) {
    bar->started = now();
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

/* No report says that a run is over. But there are never more runs at once than threads: when a new one begins, the one
   that reported least recently is over. */
static progress_slot *slot_for(progress_bar *bar, int64_t run) {
    int silent = 0;
    for (int i = 0; i < bar->used; i++) {
        if (bar->slots[i].run == run) return &bar->slots[i];
        if (bar->slots[i].last_report < bar->slots[silent].last_report) silent = i;
    }
    if (bar->used < bar->slot_count) return &bar->slots[bar->used++];
    bar->finished++;
    bar->finished_epochs += bar->slots[silent].epoch;
    return &bar->slots[silent];
}

/* Share of all work that is done. Early stopping shortens runs; the finished runs show by how much. */
static double share_done(const progress_bar *bar, const gpr_progress *report) {
    double expected = (double)report->epochs, runs = (double)bar->finished;
    if (bar->finished > 0) expected = (double)bar->finished_epochs / (double)bar->finished;
    for (int i = 0; i < bar->used; i++) {
        double part = expected > 0 ? (double)bar->slots[i].epoch / expected : 1;
        runs += part < 1 ? part : 1;
    }
    double share = report->runs > 0 ? runs / (double)report->runs : 1;
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

static void draw(progress_bar *bar, const gpr_progress *report, double time) {
    char left[32], head[96], tail[96];
    double share = share_done(bar, report), elapsed = time - bar->started;
    snprintf(left, sizeof left, "?");
    if (share > 0) format_duration(left, sizeof left, elapsed * (1 - share) / share);
    head[0] = 0;
    if (report->runs > 1)
        snprintf(head, sizeof head, "run %lld/%lld ", (long long)report->run + 1, (long long)report->runs);
    snprintf(tail, sizeof tail, " %3.0f %%  epoch %lld/%lld  val %.1f %%  ETA %s", share * 100,
             (long long)report->epoch, (long long)report->epochs, report->val_accuracy, left);
    draw_or_print(bar, head, share, tail);
}

void show_progress(progress_bar *bar, const gpr_progress *report) {
    if (!bar->enabled) return;
    if (bar->reports == 0) bar->started = now(); /* the time before the first epoch says nothing about epochs */
    progress_slot *slot = slot_for(bar, report->run);
    *slot = (progress_slot){report->run, report->epoch, ++bar->reports};
    double time = now();
    if (is_time(bar, time)) draw(bar, report, time);
}

void start_share(progress_bar *bar, double share) {
    start_clock(bar);
    bar->first_share = share;
}

void show_share(progress_bar *bar, const char *head, double share, const char *tail) {
    char left[32], text[128];
    double time = now(), done = share - bar->first_share;
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
