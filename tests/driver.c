/* One program of many tests: `PROGRAM NAME` runs test_NAME.c, `PROGRAM --list` prints the names. The build gives the
 * main of each file the name main_of_NAME, and lists them in the file TESTS. */
#include <stdio.h>
#include <string.h>

#define TEST(name) int main_of_##name(void);
#include TESTS
#undef TEST

static const struct {
    const char *name;
    int (*run)(void);
} tests[] = {
#define TEST(name) {#name, main_of_##name},
#include TESTS
};

static void list(FILE *to) {
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) fprintf(to, "%s\n", tests[i].name);
}

int main(int count, char **words) {
    if (count == 2 && strcmp(words[1], "--list") == 0) return list(stdout), 0;
    for (size_t i = 0; count == 2 && i < sizeof tests / sizeof *tests; i++)
        if (strcmp(words[1], tests[i].name) == 0) return tests[i].run();
    fprintf(stderr, "usage: %s TEST, which is one of:\n", words[0]);
    list(stderr);
    return 2;
}
