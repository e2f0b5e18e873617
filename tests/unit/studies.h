/* A folder for files of kept runs, whole files as text, and a small graph: for the tests of studies and searches. */
#ifndef TEST_STUDIES_H
#define TEST_STUDIES_H

#include <unistd.h>

#include "search/study.h"
#include "training.h"

static char folder[64];

static inline int make_folder(void **state) {
    (void)state;
    scratch_folder(folder);
    return 0;
}

static inline int remove_folder(void **state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

#define STUDY_TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

/* Valid until the second next call. */
static inline const char *in_folder(const char *name) {
    static char paths[2][128];
    static int turn;
    turn = 1 - turn;
    snprintf(paths[turn], sizeof paths[turn], "%s/%s", folder, name);
    return paths[turn];
}

static inline void put_file(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* With a NUL after its end; the caller frees it. */
static inline char *get_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *bytes = NULL;
    size_t count = 0, got = 1;
    while (got > 0) {
        bytes = realloc(bytes, count + 65537);
        assert_non_null(bytes);
        got = fread(bytes + count, 1, 65536, file);
        count += got;
    }
    bytes[count] = 0;
    fclose(file);
    if (size) *size = count;
    return bytes;
}

static inline int64_t count_lines(const char *path) {
    char *text = get_file(path, NULL);
    int64_t lines = 0;
    for (const char *at = text; (at = strchr(at, '\n')); at++) lines++;
    free(text);
    return lines;
}

static inline int compare_lines(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Overwrites the value of a member with blanks. */
static inline void blank_out(char *line, const char *member) {
    char *at = strstr(line, member);
    if (!at) return;
    for (at += strlen(member); *at && *at != ',' && *at != '}'; at++) *at = ' ';
}

/* The lines of a file of kept runs in order, without times and threads; the caller frees it. */
static inline char *sorted_runs(const char *path) {
    size_t size, count = 0;
    char *text = get_file(path, &size), *sorted = calloc(size + 1, 1), *rest, **lines = calloc(size + 1, sizeof *lines);
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char packed[4096];
        size_t length = 0;
        blank_out(line, "\"seconds\":");
        blank_out(line, "\"ms_per_epoch\":");
        blank_out(line, "\"threads\":");
        for (const char *at = line; *at && length < sizeof packed - 1; at++)
            if (*at != ' ') packed[length++] = *at;
        packed[length] = 0;
        strcpy(line, packed);
        lines[count++] = line;
    }
    qsort(lines, count, sizeof *lines, compare_lines);
    for (size_t i = 0, at = 0; i < count; i++) at += (size_t)sprintf(sorted + at, "%s\n", lines[i]);
    free(lines);
    free(text);
    return sorted;
}

static inline void assert_same_runs(const char *a, const char *b) {
    char *x = sorted_runs(a), *y = sorted_runs(b);
    assert_string_equal(x, y);
    free(x);
    free(y);
}

#endif
