/* gpr_verify of a run folder: every file against the manifest, and the states of a training that is not finished. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "file/path.h"
#include "file/run_folder.h"
#include "file/sha256.h"
#include "verify/verify.h"

enum { MOST_FILES = 16, DIGITS = 64, LONGEST_MANIFEST = 1 << 16 };

/* Position in gpri_run_files; -1: it is none of them. */
static int run_file(const char *name) {
    for (int i = 0; gpri_run_files[i]; i++)
        if (strcmp(gpri_run_files[i], name) == 0) return i;
    return -1;
}

/* ---- the manifest ---- */

typedef struct manifest {
    bool there, right;                /* there is one; all of its lines are right */
    bool older;                       /* the run is of a version that wrote none */
    char hex[MOST_FILES][DIGITS + 1]; /* of each of gpri_run_files; empty: not listed */
} manifest;

/* One line: 64 hexadecimal digits, two blanks, one of our names. Anything else is refused, such as a path. */
static gpr_status read_line(manifest *out, const char *line, size_t size, int number) {
    char name[64] = "";
    if (size > DIGITS + 2 && size - DIGITS - 2 < sizeof name && memcmp(line + DIGITS, "  ", 2) == 0 &&
        strspn(line, "0123456789abcdef") == DIGITS)
        memcpy(name, line + DIGITS + 2, size - DIGITS - 2);
    if (!*name) return gpri_fail(GPR_ERROR_FORMAT, "line %d is not 64 hex digits, two blanks and a name", number);
    const int file = run_file(name);
    if (file < 0 || strcmp(name, GPRI_RUN_MANIFEST) == 0)
        return gpri_fail(GPR_ERROR_FORMAT, "line %d: '%s' is no file of a run", number, name);
    if (out->hex[file][0]) return gpri_fail(GPR_ERROR_FORMAT, "line %d: %s is listed twice", number, name);
    memcpy(out->hex[file], line, DIGITS);
    return GPR_OK;
}

static gpr_status read_lines(manifest *out, const char *text, int64_t size) {
    int number = 1;
    for (const char *line = text, *end; line < text + size; line = end + 1, number++) {
        end = memchr(line, '\n', (size_t)(text + size - line));
        if (!end) return gpri_fail(GPR_ERROR_FORMAT, "line %d has no end", number);
        NEED(read_line(out, line, (size_t)(end - line), number));
    }
    for (int i = 0; gpri_run_files[i]; i++) {
        if (out->hex[i][0] || strcmp(gpri_run_files[i], GPRI_RUN_MANIFEST) == 0) continue;
        if (strcmp(gpri_run_files[i], "predictions.csv") == 0) continue; /* by the option `predictions` */
        if (!gpri_run_file_may_lack(gpri_run_files[i]))
            return gpri_fail(GPR_ERROR_FORMAT, "it does not list %s", gpri_run_files[i]);
    }
    return GPR_OK;
}

static gpr_status read_manifest(gpri_verifier *v, manifest *out, const char *dir) {
    char path[GPRI_LONGEST_PATH], *text = NULL;
    int64_t size;
    gpr_status status = GPR_OK;
    TRY(gpri_path_in(path, dir, GPRI_RUN_MANIFEST));
    status = gpri_read_whole(v->ctx, &text, &size, path, LONGEST_MANIFEST);
    *out = (manifest){.there = status != GPR_ERROR_NOT_FOUND};
    if (!out->there) LEAVE(GPR_OK);
    if (status == GPR_OK) status = read_lines(out, text, size);
    if (status == GPR_ERROR_MEMORY) goto done;
    out->right = status == GPR_OK;
    status = out->right ? gpri_verify_say(v, GPR_VERDICT_OK, path, "manifest", "it lists the files of the run")
                        : gpri_verify_say(v, GPR_VERDICT_DAMAGED, path, "manifest", "%s", gpr_last_error());
done:
    gpri_free(v->ctx, text);
    return status;
}

/* ---- the files ---- */

static gpr_status compare(gpri_verifier *v, const char *path, const char *expected) {
    char hex[DIGITS + 1];
    gpri_finding found;
    const gpr_status status = gpri_sha256_path(hex, path);
    if (status == GPR_ERROR_MEMORY) return status;
    if (status != GPR_OK) return gpri_verify_say(v, GPR_VERDICT_DAMAGED, path, "file", "%s", gpr_last_error());
    if (strcmp(hex, expected) != 0)
        return gpri_verify_say(v, GPR_VERDICT_DAMAGED, path, "file", "its SHA-256 is %s; the manifest says %s", hex,
                               expected);
    if (!gpri_name_ends(path, ".safetensors"))
        return gpri_verify_say(v, GPR_VERDICT_OK, path, "file", "its SHA-256 matches the manifest");
    NEED(gpri_verify_open(v, &found, path));
    if (found.verdict != GPR_VERDICT_OK)
        return gpri_verify_say(v, found.verdict, path, found.kind, "%s; its SHA-256 matches the manifest",
                               found.detail);
    const int name = (int)strcspn(found.detail, ","); /* of the model */
    return gpri_verify_say(v, GPR_VERDICT_OK, path, found.kind, "%.*s, its SHA-256 matches the manifest", name,
                           found.detail);
}

/* A table without a checksum: that it was not cut off in a row is all that can be said. */
static gpr_status open_csv(gpri_verifier *v, gpri_finding *out, const char *path) {
    char *text = NULL;
    int64_t size;
    *out = (gpri_finding){.verdict = GPR_VERDICT_OK, .kind = "csv"};
    gpr_status status = gpri_read_whole(v->ctx, &text, &size, path, INT64_MAX / 4);
    if (status == GPR_OK && (size == 0 || text[size - 1] != '\n'))
        status = gpri_fail(GPR_ERROR_FORMAT, "its last line has no end");
    if (status != GPR_OK) out->verdict = GPR_VERDICT_DAMAGED;
    memcpy(out->detail, "it has no checksum", sizeof "it has no checksum");
    if (status != GPR_OK) {
        strncpy(out->detail, gpr_last_error(), sizeof out->detail - 1);
        out->detail[sizeof out->detail - 1] = 0;
    }
    gpri_free(v->ctx, text);
    return status == GPR_ERROR_MEMORY ? status : GPR_OK;
}

static gpr_status check_file(gpri_verifier *v, const manifest *from, const char *dir, int number) {
    char path[GPRI_LONGEST_PATH];
    const char *name = gpri_run_files[number], *expected = from->hex[number];
    gpri_finding found;
    NEED(gpri_path_in(path, dir, name));
    if (!gpri_is_file(path)) {
        const bool never = gpri_run_file_may_lack(name) || (from->older && strcmp(name, "report.html") == 0);
        if (from->right ? !*expected : never) return GPR_OK;
        return gpri_verify_say(v, GPR_VERDICT_MISSING, path, "file", "a file of the run");
    }
    if (from->right && *expected) return compare(v, path, expected);
    if (from->right) return gpri_verify_say(v, GPR_VERDICT_DAMAGED, path, "file", "the manifest does not list it");
    NEED(gpri_name_ends(path, ".csv") ? open_csv(v, &found, path) : gpri_verify_open(v, &found, path));
    return gpri_verify_say(
        v, found.verdict, path, found.kind, "%s%s", found.detail,
        found.verdict == GPR_VERDICT_OK && from->older ? " (written by an older version: no manifest)" : "");
}

static bool any_result(const char *dir) {
    for (int i = 0; gpri_run_files[i]; i++)
        if (gpri_run_has(dir, gpri_run_files[i])) return true;
    return false;
}

/* gprgnn 0.1 wrote no manifest. A result of a later version without one has lost it. */
static gpr_status find_older(gpri_verifier *v, bool *older, const char *dir) {
    char path[GPRI_LONGEST_PATH], *text = NULL;
    int64_t size;
    gpr_status status = gpri_path_in(path, dir, "result.json");
    *older = false;
    if (status == GPR_OK) status = gpri_read_whole(v->ctx, &text, &size, path, INT64_MAX / 4);
    if (status != GPR_OK) return status == GPR_ERROR_MEMORY ? status : GPR_OK;
    json_t *tree = json_loadb(text, (size_t)size, 0, NULL);
    const char *version = json_string_value(json_object_get(tree, "version"));
    *older = version && strncmp(version, "0.1.", 4) == 0;
    json_decref(tree);
    gpri_free(v->ctx, text);
    return GPR_OK;
}

/* ---- other things in the folder ---- */

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* The names in a folder but "." and "..", sorted; free them with free_names. */
static gpr_status read_names(gpri_verifier *v, char ***out, int64_t *count, const char *dir) {
    gpr_status status = GPR_OK;
    int64_t room = 0;
    *out = NULL;
    *count = 0;
    DIR *entries = opendir(dir);
    if (!entries) return gpri_fail_errno("read the folder", dir);
    for (const struct dirent *entry; (entry = readdir(entries));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        TRY(gpri_grow(v->ctx, out, &room, *count + 1, sizeof **out, "names of files"));
        TRY(gpri_strdup(v->ctx, &(*out)[*count], entry->d_name));
        ++*count;
    }
    if (*count) qsort(*out, (size_t)*count, sizeof **out, by_name);
done:
    closedir(entries);
    return status;
}

static void free_names(gpri_verifier *v, char **names, int64_t count) {
    for (int64_t i = 0; i < count; i++) gpri_free(v->ctx, names[i]);
    gpri_free(v->ctx, names);
}

/* What is in the folder and is not part of the run, or says that a program was killed. */
static gpr_status check_others(gpri_verifier *v, const char *dir) {
    gpr_status status = GPR_OK;
    char path[GPRI_LONGEST_PATH], **names;
    int64_t count;
    TRY(read_names(v, &names, &count, dir));
    for (int64_t i = 0; i < count; i++) {
        if (run_file(names[i]) >= 0 || strcmp(names[i], GPRI_RUN_STATES) == 0) continue;
        TRY(gpri_path_in(path, dir, names[i]));
        bool half = false;
        for (int k = 0; gpri_run_marks[k]; k++) half |= strcmp(gpri_run_marks[k], names[i]) == 0;
        if (half)
            TRY(gpri_verify_say(
                v, GPR_VERDICT_DAMAGED, path, "run",
                "a program was killed while it replaced the results; they are complete, in part in this "
                "subfolder, and the next training or prediction with this folder moves them"));
        else if (strcmp(names[i], ".run-writing") == 0)
            TRY(gpri_verify_say(v, GPR_VERDICT_UNKNOWN, path, "run",
                                "results that are being written, or were when a program was killed"));
        else TRY(gpri_verify_say(v, GPR_VERDICT_UNKNOWN, path, "file", "it is not part of the run"));
    }
done:
    free_names(v, names, count);
    return status;
}

static gpr_status check_states(gpri_verifier *v, const char *dir) {
    gpr_status status = GPR_OK;
    char folder[GPRI_LONGEST_PATH], path[GPRI_LONGEST_PATH], **names = NULL;
    int64_t count = 0, run;
    TRY(gpri_path_in(folder, dir, GPRI_RUN_STATES));
    if (!gpri_is_folder(folder)) return GPR_OK;
    TRY(read_names(v, &names, &count, folder));
    for (int64_t i = 0; i < count; i++) {
        TRY(gpri_path_in(path, folder, names[i]));
        if (gpri_is_state_name(names[i], &run)) TRY(gpri_verify_file(v, path));
        else if (strcmp(names[i], GPRI_RUN_COMMAND) == 0)
            TRY(gpri_verify_say(v, GPR_VERDICT_OK, path, "command",
                                "the arguments of the training; it has no checksum"));
        else TRY(gpri_verify_say(v, GPR_VERDICT_UNKNOWN, path, "file", "it is not part of the run"));
    }
done:
    free_names(v, names, count);
    return status;
}

gpr_status gpri_verify_run(gpri_verifier *v, const char *dir) {
    char path[GPRI_LONGEST_PATH];
    manifest listed;
    gpri_run_settle(dir);
    if (gpri_run_finds_link(path, dir, true))
        return gpri_verify_say(v, GPR_VERDICT_DAMAGED, path, "link", GPRI_RUN_LINK_TEXT);
    if (!gpri_run_unfinished(dir) && any_result(dir)) { /* else the files are at two places, or there are none yet */
        NEED(read_manifest(v, &listed, dir));
        if (!listed.there) NEED(find_older(v, &listed.older, dir));
        if (!listed.there && !listed.older) {
            NEED(gpri_path_in(path, dir, GPRI_RUN_MANIFEST));
            NEED(gpri_verify_say(v, GPR_VERDICT_MISSING, path, "manifest", "the list of the files of the run"));
        }
        for (int i = 0; gpri_run_files[i]; i++)
            if (strcmp(gpri_run_files[i], GPRI_RUN_MANIFEST) != 0) NEED(check_file(v, &listed, dir, i));
    }
    NEED(check_states(v, dir));
    return check_others(v, dir);
}
