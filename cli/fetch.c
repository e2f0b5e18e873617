/* gprgnn fetch: downloads public datasets, and lists them. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "common.h"
#include "signals.h"

static const cli_flag flags[] = {
    {"list", 'l', NULL, "fetch nothing; verify what is here, and print the datasets, or for each NAME its files"},
    {"mirror", 0, "URL", "take every file from URL/PATH, where PATH is its path in the folder"},
    {"data-dir", 0, "DIR", "the folder for the files; default: the user's cache folder"},
    {"retries", 0, "N", "how often to try again when a server fails or a transfer breaks off; default 3"},
    {"timeout", 0, "N", "seconds without a connection, or with hardly any data, until it fails; default 30"},
    {"max-time", 0, "N", "seconds for one dataset, with all attempts; default: 600, and 1 more for each 10 kB"},
    {"force", 'f', NULL, "fetch files again that exist and are correct"},
    {"accept", 0, NULL, "take computers and photo also if they are not the graphs of the paper; a warning says so"},
    {"json", 0, "FILE", "write what was done, or the list, as JSON; - is standard output, instead of the text"},
    {"quiet", 'q', NULL, "print only warnings and errors"},
    {"verbose", 'v', NULL, "print more messages on standard error"},
    {0},
};

/* The result for one dataset. */
typedef struct outcome {
    bool wanted;
    const char *state; /* "fetched", "present", "failed", "stopped"; NULL: not tried */
    gpr_fetch_result result;
    char *error; /* of "failed" */
    /* Of a list: */
    int64_t present, other, damaged; /* files that are here: correct, not the expected dataset, damaged */
    gpr_fetch_state *states;         /* (files) */
} outcome;

typedef struct fetching {
    const cli_arguments *args;
    cli_session session;
    gpr_fetch_options options;
    char folder[4096];
    outcome *outcomes; /* (gpr_fetch_count()) */
    bool named;        /* datasets were named, not "all" */
    bool accept;
    int64_t file;      /* the one that the bar shows; -1: none yet */
} fetching;

/* ---- Text and JSON ---- */

static void format_size(char out[32], int64_t bytes) {
    if (bytes <= 0) snprintf(out, 32, "?");
    else if (bytes < 1000000) snprintf(out, 32, "%.1f kB", (double)bytes / 1e3);
    else snprintf(out, 32, "%.1f MB", (double)bytes / 1e6);
}

/* Are all files here, as they should be or as the user accepts them? */
static bool all_present(const fetching *f, const gpr_fetch_info *info, const outcome *came) {
    return came->present + (f->accept ? came->other : 0) == info->files;
}

static void print_row(FILE *out, const gpr_fetch_info *info, const outcome *came) {
    char size[32], there[32];
    format_size(size, info->bytes);
    if (came->damaged > 0) snprintf(there, sizeof there, "damaged");
    else if (came->other > 0) snprintf(there, sizeof there, "other");
    else if (came->present == info->files) snprintf(there, sizeof there, "yes");
    else if (came->present == 0) snprintf(there, sizeof there, "no");
    else snprintf(there, sizeof there, "%lld of %lld", (long long)came->present, (long long)info->files);
    fprintf(out, "%-18s %5lld  %9s  %-7s  %-11s  %s\n", info->name, (long long)info->files, size, there, info->licence,
            info->source);
}

static void print_files(FILE *out, int index, const gpr_fetch_info *info) {
    gpr_fetch_file_info file = {.struct_size = sizeof file};
    if (*info->note) fprintf(out, "  (%s)\n", info->note);
    for (int i = 0; i < info->files && gpr_fetch_file(index, i, &file) >= 0; i++) {
        fprintf(out, "  %s\n    from %s\n", file.path, file.url);
        if (file.sha256) fprintf(out, "    %lld bytes, SHA-256 %s\n", (long long)file.bytes, file.sha256);
        else fprintf(out, "    a dataset with the fingerprint %s\n", file.fingerprint);
    }
}

static void put_size(FILE *out, int64_t bytes) {
    if (bytes > 0) fprintf(out, "%lld", (long long)bytes);
    else fputs("null", out);
}

static void put_text_or_null(FILE *out, const char *text) {
    if (text) put_json_text(out, text);
    else fputs("null", out);
}

static void put_files(FILE *out, int index, const gpr_fetch_info *info, const outcome *came) {
    static const char *const states[] = {"missing", "correct", "other", "damaged"};
    gpr_fetch_file_info file = {.struct_size = sizeof file};
    for (int i = 0; i < info->files && gpr_fetch_file(index, i, &file) >= 0; i++) {
        fprintf(out, "%s\n        {\"path\": \"%s\", \"url\": \"%s\", \"sha256\": ", i ? "," : "", file.path, file.url);
        put_text_or_null(out, file.sha256);
        fprintf(out, ", \"fingerprint\": ");
        put_text_or_null(out, file.fingerprint);
        fprintf(out, ", \"bytes\": ");
        put_size(out, file.bytes);
        fprintf(out, ", \"state\": \"%s\"}", states[came->states[i]]);
    }
}

static void put_listed(FILE *out, const fetching *f, int index, const gpr_fetch_info *info) {
    fprintf(out,
            "    {\n      \"name\": \"%s\",\n      \"source\": \"%s\",\n      \"licence\": \"%s\",\n      \"note\": ",
            info->name, info->source, info->licence);
    put_json_text(out, info->note);
    fprintf(out, ",\n      \"bytes\": ");
    put_size(out, info->bytes);
    fprintf(out, ",\n      \"present\": %s,\n      \"files\": [",
            all_present(f, info, &f->outcomes[index]) ? "true" : "false");
    put_files(out, index, info, &f->outcomes[index]);
    fprintf(out, "\n      ]\n    }");
}

static void put_done(FILE *out, const char *name, const outcome *came) {
    fprintf(out, "    {\"name\": \"%s\", \"state\": \"%s\", \"files\": %lld, \"loaded\": %lld, \"bytes\": %lld, ", name,
            came->state ? came->state : "not tried", (long long)came->result.files, (long long)came->result.loaded,
            (long long)came->result.bytes);
    fprintf(out, "\"error\": ");
    put_text_or_null(out, came->error);
    fputc('}', out);
}

/* The JSON of a list or of a fetch: the wanted datasets in the same frame. */
static int write_json(fetching *f, const char *path, bool list) {
    cli_target target;
    const char *between = "\n";
    int code = open_target(&target, path);
    if (code != EXIT_OK) return code;
    fprintf(target.stream, "{\n  \"folder\": ");
    put_json_text(target.stream, f->folder);
    fprintf(target.stream, ",\n  \"datasets\": [");
    for (int i = 0; code == EXIT_OK && i < gpr_fetch_count(); i++) {
        gpr_fetch_info info = {.struct_size = sizeof info};
        if (!f->outcomes[i].wanted) continue;
        gpr_status status = gpr_fetch_describe(i, &info);
        if (status < 0) code = failed_with(f->args, status);
        fputs(between, target.stream);
        between = ",\n";
        if (list) put_listed(target.stream, f, i, &info);
        else put_done(target.stream, info.name, &f->outcomes[i]);
    }
    fprintf(target.stream, "\n  ]\n}\n");
    if (code == EXIT_OK) return close_target(&target);
    drop_target(&target);
    return code;
}

/* ---- The list ---- */

/* Verifies one file. EXIT_FAILED after a message: it is here, and not as it should be. */
static int verify_file(fetching *f, int index, const char *name, int number) {
    outcome *came = &f->outcomes[index];
    gpr_fetch_file_info file = {.struct_size = sizeof file};
    gpr_fetch_state *state = &came->states[number];
    char why[512];
    gpr_status status = gpr_fetch_file(index, number, &file);
    if (status >= 0) status = gpr_fetch_verify(f->session.ctx, index, number, f->folder, state, why, sizeof why);
    if (status < 0) return failed_with(f->args, status);
    came->present += *state == GPR_FETCH_CORRECT;
    came->other += *state == GPR_FETCH_OTHER;
    came->damaged += *state == GPR_FETCH_DAMAGED;
    if (*state == GPR_FETCH_DAMAGED)
        return failed("%s/%s is damaged: %s; 'gprgnn fetch %s' loads it again", f->folder, file.path, why, name);
    if (*state == GPR_FETCH_OTHER && !f->accept)
        return failed("%s/%s is a dataset, but not the expected one: %s; 'gprgnn fetch --force %s' replaces it, "
                      "--accept keeps it",
                      f->folder, file.path, why, name);
    return EXIT_OK;
}

static int verify_all(fetching *f) {
    int code = EXIT_OK;
    for (int i = 0; i < gpr_fetch_count(); i++) {
        gpr_fetch_info info = {.struct_size = sizeof info};
        if (!f->outcomes[i].wanted) continue;
        gpr_status status = gpr_fetch_describe(i, &info);
        if (status < 0) return failed_with(f->args, status);
        f->outcomes[i].states = calloc((size_t)info.files, sizeof *f->outcomes[i].states);
        if (!f->outcomes[i].states) return failed("out of memory");
        for (int k = 0; k < info.files; k++)
            if (verify_file(f, i, info.name, k) != EXIT_OK) code = EXIT_FAILED;
    }
    return code;
}

static int print_list(fetching *f) {
    printf("%-18s %5s  %9s  %-7s  %-11s  %s\n", "name", "files", "size", "here", "licence", "source");
    for (int i = 0; i < gpr_fetch_count(); i++) {
        gpr_fetch_info info = {.struct_size = sizeof info};
        if (!f->outcomes[i].wanted) continue;
        gpr_status status = gpr_fetch_describe(i, &info);
        if (status < 0) return failed_with(f->args, status);
        print_row(stdout, &info, &f->outcomes[i]);
        if (f->named) print_files(stdout, i, &info);
    }
    fputs("folder: ", stdout);
    put_text(stdout, f->folder);
    putchar('\n');
    return EXIT_OK;
}

/* The list as text and as JSON; its status says whether all that is here is as it should be. */
static int list_all(fetching *f, const char *json) {
    const int found = verify_all(f);
    int code = EXIT_OK;
    for (int i = 0; i < gpr_fetch_count(); i++)
        if (f->outcomes[i].wanted && !f->outcomes[i].states) return found; /* it did not get so far */
    if (!json || !is_stdout(json)) code = print_list(f);
    if (code == EXIT_OK && json) code = write_json(f, json, true);
    return code == EXIT_OK ? found : code;
}

/* ---- Fetching ---- */

static int on_progress(void *user, const gpr_fetch_progress *p) {
    fetching *f = user;
    char head[96], tail[80], size[32], total[32];
    const double share = p->total > 0 ? (double)p->bytes / (double)p->total : 0;
    if (p->file != f->file) start_share(&f->session.bar, share);
    f->file = p->file;
    format_size(size, p->bytes);
    format_size(total, p->total);
    snprintf(head, sizeof head, "%s %lld/%lld ", p->dataset, (long long)p->file + 1, (long long)p->files);
    snprintf(tail, sizeof tail, "%s of %s", p->bytes > 0 ? size : "0", total);
    show_share(&f->session.bar, head, share, tail);
    return interrupted();
}

static void print_outcome(const fetching *f, const char *name, const gpr_fetch_result *result) {
    char size[32];
    if (f->session.quiet) return;
    if (result->loaded == 0) {
        printf("%s: already in ", name);
        put_text(stdout, f->folder);
        putchar('\n');
        return;
    }
    format_size(size, result->bytes);
    printf("%s: ", name);
    if (result->loaded < result->files) printf("%lld of ", (long long)result->loaded);
    printf("%lld file%s, %s, fetched to ", (long long)result->files, result->files == 1 ? "" : "s",
           result->bytes > 0 ? size : "nothing new");
    put_text(stdout, f->folder);
    putchar('\n');
    fflush(stdout); /* the next one may take long */
}

/* Fetches one; *go_on: whether to try the others. */
static int fetch_one(fetching *f, int index, bool print, bool *go_on) {
    gpr_fetch_info info = {.struct_size = sizeof info};
    outcome *came = &f->outcomes[index];
    came->result.struct_size = sizeof came->result;
    f->file = -1;
    gpr_status status = gpr_fetch_describe(index, &info);
    if (status >= 0) status = gpr_fetch(f->session.ctx, &came->result, info.name, &f->options);
    wipe_progress(&f->session.bar);
    *go_on = status == GPR_OK || status == GPR_ERROR_NOT_FOUND || status == GPR_ERROR_FORMAT;
    if (status == GPR_ERROR_STOPPED) {
        came->state = "stopped";
        return failed("interrupted; the partial files of %s are kept, and the next fetch continues them", info.name);
    }
    if (status < 0) {
        came->state = "failed";
        came->error = program_words(gpr_last_error());
        if (status == GPR_ERROR_NOT_FOUND || status == GPR_ERROR_NETWORK) /* not a wrong call: a server's 404 */
            return failed("%s; 'gprgnn fetch --list %s' names them", gpr_last_error(), info.name);
        return failed_with(f->args, status);
    }
    came->state = came->result.loaded ? "fetched" : "present";
    if (print) print_outcome(f, info.name, &came->result);
    return EXIT_OK;
}

static int fetch_all(fetching *f, const char *json) {
    int code = EXIT_OK;
    bool go_on = true;
    catch_interrupts();
    say_if_ended("the partial files are kept, and the next fetch continues them");
    for (int i = 0; go_on && i < gpr_fetch_count(); i++) {
        if (!f->outcomes[i].wanted) continue;
        int own = fetch_one(f, i, !json || !is_stdout(json), &go_on);
        if (own != EXIT_OK) code = own;
    }
    return code;
}

/* ---- The call ---- */

/* The library checks the bounds, which are inside those of int. */
static int read_bounded(const cli_arguments *args, const char *name, int *out) {
    int64_t value = *out;
    int code = read_integer(args, name, &value);
    *out = value < -1 ? -1 : value > INT_MAX ? INT_MAX : (int)value;
    return code;
}

static int read_options(fetching *f) {
    const cli_arguments *args = f->args;
    gpr_fetch_options_init(&f->options, sizeof f->options);
    int code = read_bounded(args, "retries", &f->options.retries);
    if (code == EXIT_OK) code = read_bounded(args, "timeout", &f->options.timeout);
    if (code == EXIT_OK) code = read_bounded(args, "max-time", &f->options.max_time);
    if (code != EXIT_OK) return code;
    f->options.mirror = flag_value(args, "mirror");
    f->options.data_dir = f->folder;
    f->options.force = flag_given(args, "force");
    f->options.accept = f->accept = flag_given(args, "accept");
    f->options.progress = on_progress;
    f->options.user = f;
    return EXIT_OK;
}

/* Marks what is wanted: the datasets named, or all. */
static int read_names(fetching *f) {
    const cli_arguments *args = f->args;
    bool all = args->operand_count == 0 && flag_given(args, "list");
    if (args->operand_count == 0 && !all)
        return wrong_call("fetch", "no dataset given: name some, or 'all'; 'gprgnn fetch --list' prints the names");
    for (int i = 0; i < args->operand_count; i++) {
        int index;
        if (strcmp(args->operands[i], "all") == 0) {
            all = true;
            continue;
        }
        gpr_status status = gpr_fetch_find(args->operands[i], &index);
        if (status < 0) return failed_with(args, status);
        f->outcomes[index].wanted = f->named = true;
    }
    for (int i = 0; all && i < gpr_fetch_count(); i++) f->outcomes[i].wanted = true;
    return EXIT_OK;
}

static int run(const cli_arguments *args) {
    const char *json = flag_value(args, "json");
    const bool list = flag_given(args, "list");
    const int count = gpr_fetch_count();
    fetching f = {.args = args, .file = -1};
    f.outcomes = calloc((size_t)count, sizeof *f.outcomes);
    int code = f.outcomes ? read_names(&f) : failed("out of memory");
    if (code == EXIT_OK) code = read_options(&f);
    if (code == EXIT_OK && json) code = check_target(json);
    if (code == EXIT_OK) code = open_session(&f.session, args, NULL);
    if (code == EXIT_OK) {
        gpr_status status = gpr_fetch_folder(f.session.ctx, f.folder, sizeof f.folder, flag_value(args, "data-dir"));
        if (status < 0) code = failed_with(args, status);
        else if (list) code = list_all(&f, json);
        else code = fetch_all(&f, json);
        if (status >= 0 && !list && json && code != EXIT_WRONG_CALL) {
            int own = write_json(&f, json, false);
            if (own != EXIT_OK) code = own;
        }
        close_session(&f.session);
    }
    for (int i = 0; f.outcomes && i < count; i++) {
        free(f.outcomes[i].error);
        free(f.outcomes[i].states);
    }
    free(f.outcomes);
    return code;
}

static const char *dataset_word(int index) {
    gpr_fetch_info info = {.struct_size = sizeof info};
    if (index < gpr_fetch_count() && gpr_fetch_describe(index, &info) == GPR_OK) return info.name;
    return index == gpr_fetch_count() ? "all" : NULL;
}

const cli_command fetch_command = {
    .name = "fetch",
    .operands = "NAME...",
    .more_operands = true,
    .operand_word = dataset_word,
    .about = "download public datasets; --list prints them",
    .details = "Downloads datasets by name ('all' for all) into the cache folder, where the other commands\n"
               "find them by name. Every file is verified before it appears. Files that exist and are correct\n"
               "are not fetched again, and an interrupted fetch is continued.",
    .flags = flags,
    .run = run,
};
