/* file/path.c, head.c: names from paths, and the first bytes of a file. */
#include <sys/stat.h>

#include "file/head.h"
#include "file/path.h"
#include "text_files.h"

static void test_names(void **state) {
    text_fixture *f = *state;
    static const char *const cases[][3] = {{"data/web.edges.gz", "web.edges.gz", "web"},
                                           {"web.csv", "web.csv", "web"},
                                           {"data/texas//", "texas", "texas"},
                                           {"a.b/c", "c", "c"},
                                           {".hidden", ".hidden", ".hidden"},
                                           {"v1.2.npz", "v1.2.npz", "v1.2"},
                                           {"/", "", ""},
                                           {"", "", ""}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char *name, *stem;
        assert_ok(gpri_path_name(f->ctx, &name, cases[k][0]));
        assert_ok(gpri_path_stem(f->ctx, &stem, cases[k][0]));
        assert_string_equal(name, cases[k][1]);
        assert_string_equal(stem, cases[k][2]);
        gpri_free(f->ctx, name);
        gpri_free(f->ctx, stem);
    }
    assert_true(gpri_name_ends("x.svm.gz", ".svm") && gpri_name_ends("x.svm", ".svm"));
    assert_false(gpri_name_ends(".svm", ".svm") || gpri_name_ends("x.svm.bz2", ".svm"));
}

/* What data in tables is called. */
static void test_data_names(void **state) {
    text_fixture *f = *state;
    static const char *const cases[][3] = {{"payments.csv", "accounts.csv.gz", "accounts"},
                                           {"payments.csv", "nodes.csv", "payments"},
                                           {"payments.csv", NULL, "payments"},
                                           {"x/musae_edges.csv", "x/musae_nodes.csv", "musae"},
                                           {"e", "Nodes-PTBR.tsv", "PTBR"},
                                           {"edge_list_2.csv", NULL, "list_2"},
                                           {"gone/edges.csv", "gone/nodes.csv", "edges"}, /* there is no such folder */
                                           {"edges_2.csv", NULL, "edges"},
                                           {NULL, NULL, "edges"}};
    char *name, *wanted, *folder, *edges;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_ok(gpri_path_data_name(f->ctx, &name, cases[k][0], cases[k][1], false));
        assert_string_equal(name, cases[k][2]);
        gpri_free(f->ctx, name);
    }
    folder = strdup(f->path);
    *strrchr(folder, '/') = 0;
    assert_true(asprintf(&edges, "%s/edges.csv", folder) > 0);
    fclose(fopen(edges, "w"));
    assert_ok(gpri_path_name(f->ctx, &wanted, folder));
    assert_ok(gpri_path_data_name(f->ctx, &name, "elsewhere/links.csv", edges, false)); /* that of the nodes */
    assert_string_equal(name, wanted);
    gpri_free(f->ctx, name);
    write_text(f, "0,1\n");
    assert_ok(gpri_path_data_name(f->ctx, &name, f->path, NULL, true)); /* one of several: that of their folder */
    assert_string_equal(name, wanted);
    gpri_free(f->ctx, name);
    assert_ok(gpri_path_data_name(f->ctx, &name, f->path, "accounts.csv", true));
    assert_string_equal(name, "accounts");
    assert_int_equal(unlink(edges), 0);
    free(folder);
    free(edges);
    gpri_free(f->ctx, name);
    gpri_free(f->ctx, wanted);
}

static void test_head(void **state) {
    text_fixture *f = *state;
    gpri_head head;
    write_text(f, "0,1\n1,2\n");
    gpri_head_init(&head, f->path);
    assert_int_equal(head.kind, GPRI_HEAD_FILE);
    assert_true(gpri_head_begins(&head, "0,1\n", 4));
    assert_false(gpri_head_begins(&head, "0,2", 3));
    assert_false(gpri_head_begins(&head, "0,1\n1,2\n3", 9)); /* longer than the file */
    write_text(f, "other");
    assert_true(gpri_head_begins(&head, "0,1\n", 4)); /* it was read once */
    assert_int_equal(unlink(f->path), 0);
    gpri_head_init(&head, f->path);
    assert_int_equal(head.kind, GPRI_HEAD_NOTHING);
    assert_false(gpri_head_begins(&head, "", 1));
    assert_int_equal(mkfifo(f->path, 0600), 0);
    gpri_head_init(&head, f->path);
    assert_int_equal(head.kind, GPRI_HEAD_PIPE);
    assert_false(gpri_head_begins(&head, "0", 1)); /* and it does not wait for a writer */
    gpri_head_init(&head, "/");
    assert_int_equal(head.kind, GPRI_HEAD_FOLDER);
    gpri_head_init(&head, "/dev/null");
    assert_int_equal(head.kind, GPRI_HEAD_OTHER);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEXT_TEST(test_names), TEXT_TEST(test_data_names), TEXT_TEST(test_head)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
