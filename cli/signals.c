/* Notes Ctrl-C, SIGTERM and SIGHUP in a flag that the progress callbacks look at, and ends the program where nobody
 * looks at it in time. Every file is written whole or not at all, and the next opening of a run folder completes what
 * was begun there: so the end may come at any moment. */
#include "signals.h"

#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "common.h"

enum { LONGEST_WORDS = 8192 };

static const double usual_seconds = 1.5; /* seconds; what is left of two is for the end itself */

static atomic_int arrived = 0; /* written by the handler, read by any thread */
static struct itimerval time_left;
static bool terminal;                                                  /* standard error may show a progress bar */
static bool silent;                                                    /* another process tells */
/* One is told, the other is written meanwhile. */
static char words[2][LONGEST_WORDS] = {"no file is left half written"};
static atomic_int told = 0;                                            /* which of the two */

static void say(const char *text) { (void)!write(STDERR_FILENO, text, strlen(text)); }

/* The time is over. Calls only what is safe in a handler, and ends the threads with the program: in a group of
   processes the launcher sees it, and ends the others. */
static void end_now(int number) {
    (void)number;
    if (!silent) {
        say(terminal ? "\ngprgnn: interrupted: " : "gprgnn: interrupted: ");
        say(words[atomic_load(&told)]);
        say("\n");
    }
    _exit(EXIT_FAILED);
}

static void note(int number) {
    (void)number;
    if (atomic_exchange(&arrived, 1)) return;
    struct sigaction action = {.sa_handler = end_now};
    sigset_t signals;
    sigfillset(&action.sa_mask);
    sigaction(SIGALRM, &action, NULL);
    sigemptyset(&signals);
    sigaddset(&signals, SIGALRM); /* who started the program may have blocked it */
    pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
    setitimer(ITIMER_REAL, &time_left, NULL); /* a mere system call: safe here */
}

static void read_seconds(void) {
    const char *text = getenv("GPRGNN_STOP_SECONDS");
    char *end = NULL;
    double seconds = text ? strtod(text, &end) : usual_seconds;
    if (text && (end == text || *end || !(seconds > 0 && seconds < 1e6))) seconds = usual_seconds;
    time_left.it_value.tv_sec = (time_t)seconds;
    time_left.it_value.tv_usec = (suseconds_t)((seconds - (double)time_left.it_value.tv_sec) * 1e6) + 1;
    if (time_left.it_value.tv_usec > 999999) time_left.it_value.tv_usec = 999999;
}

void catch_interrupts(void) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    static bool done = false; /* a second call would also catch the second signal */
    struct sigaction action = {.sa_handler = note}, before;
    if (done) return;
    done = true;
    terminal = isatty(STDERR_FILENO);
    read_seconds();
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART | (int)SA_RESETHAND; /* reset: a second signal has its usual effect */
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        /* Who started the program may have it ignore them: nohup, or a script with '&'. */
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler == SIG_IGN) continue;
        sigaction(signals[i], &action, NULL);
    }
}

bool interrupted(void) { return atomic_load(&arrived) != 0; }

void say_if_ended(const char *format, ...) {
    const int next = 1 - atomic_load(&told);
    char *text = NULL, line[LONGEST_WORDS];
    size_t size = 0;
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    FILE *out = open_memstream(&text, &size); /* as all messages: control characters are spelled out */
    if (!out) return;
    put_text(out, line);
    if (fclose(out) == 0) {
        snprintf(words[next], sizeof words[next], "%s", text);
        atomic_store(&told, next);
    }
    free(text);
}

void say_nothing_if_ended(void) { silent = true; }
