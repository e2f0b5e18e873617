/* What all commands share: exit status and error messages, the library's context, files and streams to write to. */
#ifndef CLI_COMMON_H
#define CLI_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "args.h"
#include "gprgnn.h"
#include "names.h"
#include "progress.h"

#if defined(__GNUC__)
#define CLI_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define CLI_PRINTF(fmt, args)
#endif

enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_WRONG_CALL = 2 };

/* A message of the library in the words of the program: an option `word` is --word, and `fetch cora` is 'gprgnn fetch
   cora'. The caller frees it; NULL without memory. The functions below, and the log, do it themselves. */
char *program_words(const char *message);
/* Each prints one line, "gprgnn: ...", with control characters spelled out, to standard error and gives the exit
 * status. */
int failed(const char *format, ...) CLI_PRINTF(1, 2);
int wrong_call(const char *command, const char *format, ...) CLI_PRINTF(2, 3); /* adds where to find help */
int failed_with(const cli_arguments *args, gpr_status status);                 /* the library's last error */

/* Of several processes that do the same, one tells what is wrong. So process 0 prints its messages at once, and the
   others hold theirs (the first one) until leave_processes knows whose is told. */
void hold_messages(void);
bool holds_messages(void);   /* and has not joined the others, which would settle it */
void tell_held(void);        /* prints what it holds, with the number of this process */
void release_messages(void); /* this process works for itself: it says what it held, and prints from now on */

/* The flag's value as a whole number, if it was given. EXIT_OK, or the exit status after an error message. */
int read_integer(const cli_arguments *args, const char *name, int64_t *out);

/* The library's context and options, with the flags that commands share: --quiet, --verbose, --cpu, --threads,
   --device. */
typedef struct cli_session {
    gpr_ctx *ctx;
    gpr_params *params; /* holds the options given as flags */
    bool quiet, verbose;
    bool joined;     /* the command is done by all processes that mpirun has started */
    char device[32]; /* that the context was told to use */
    progress_bar bar;
} cli_session;

/* EXIT_OK, or the exit status after an error message. `progress` gets the session as its user; NULL: one that
   shows how far reading is. */
int open_session(cli_session *session, const cli_arguments *args, gpr_progress_fn progress);
/* The model that the call names first: a file, or the run folder that holds it. EXIT_OK, or the exit status after an
   error message. */
int open_model(const cli_arguments *args, const cli_session *session, gpr_model **model, bool *is_run);
/* Sets the threads and the device of the context from the options; call it again when a file or a preset may have
   changed them. */
gpr_status use_hardware(cli_session *session);
/* Whether this process is one of several, and not the one that prints and writes. */
bool is_helper(const cli_session *session);
/* All processes go on only if all are well so far, and none has anything but `code` EXIT_OK; else EXIT_FAILED, or the
   code. Every process must come here. */
int agree(const cli_session *session, int code);
/* The end of the work, before close_session: waits for the other processes, and tells the message of the first that
   failed. Gives the exit status, not EXIT_OK in any process if one failed. */
int leave_processes(cli_session *session, int code);
void close_session(cli_session *session);

/* Where text goes: "-" is standard output, anything else a file that is written whole or not at all. */
typedef struct cli_target {
    const char *path;
    FILE *stream; /* to print to */
    char *bytes;  /* the content of the file that is not written yet */
    size_t size;
    gpr_file *file; /* where some of it is written already: the file, which has no name yet, ... */
    FILE *special;  /* ... or the device or pipe */
} cli_target;

bool is_stdout(const char *path);
/* Checks, before long work, that the file can be written. EXIT_OK, or the exit status after an error message. */
int check_target(const char *path);
int open_target(cli_target *target, const char *path);
/* Writes what was printed so far, so that it takes no memory; for texts that may be large. A file gets its name when it
   is closed. EXIT_OK, or the exit status after an error message. */
int flush_target(cli_target *target, gpr_ctx *ctx);
/* Writes it; EXIT_OK, or the exit status after an error message. */
int close_target(cli_target *target);
/* Writes all of a text: opens, prints, closes. */
int write_target(const char *path, const char *text);
void drop_target(cli_target *target); /* writes nothing; safe after open failed and after close */

/* A path in whose folder large temporary files go: $TMPDIR, else the folder of the first of `paths` (NULL at the end)
   that is a file, else /var/tmp, which is on a disk where /tmp may be memory. The caller frees it; NULL: out of memory.
 */
char *scratch_path(const char *const *paths);

/* Flushes standard output; a failure (full disk, closed pipe) turns success into a failed job. */
int finish_stdout(int code);

/* JSON pieces. */
void put_json_real(FILE *out, double value); /* null if not finite */
/* A list of `count` names of the data; null if they are numbers. */
void put_json_names(FILE *out, const gpr_dataset *data, const char *(*name_of)(const gpr_dataset *, int64_t),
                    int64_t count);

#endif
