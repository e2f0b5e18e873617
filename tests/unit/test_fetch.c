/* Downloads from a server that also misbehaves: the files are correct, and nothing wrong is left behind. */
#include <pthread.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>

#include "failing_memory.h"
#include "raw_data.h"
#include "web_server.h"

#include "base/clock.h"
#include "data/describe.h"
#include "fetch/download.h"
#include "fetch/fetch.h"
#include "file/sha256.h"
#include "file/file.h"

enum { SIZE = 100000, SMALL = 3000 };

/* A folder to serve from, one to fetch to, and a set of two files. */
typedef struct world {
    raw_fixture raw;
    web_server server;
    char served[96], cache[96];
    unsigned char big[SIZE], small[SMALL];
    char hashes[3][GPRI_SHA256_HEX], urls[3][128];
    gpri_catalogue_file files[3];
    gpri_catalogue_entry set;   /* sub/big and small */
    gpri_catalogue_entry graph; /* graph.npz, without a hash */
    gpr_fetch_options options;
    gpr_fetch_result result;
    int64_t stop_at, reports; /* bytes at which the callback asks to stop; 0: never */
    int held;                 /* a file that somebody else has locked, until the first report; 0: none */
} world;

static world *the; /* the server runs for all tests */

static const char *in(const char *folder, const char *name) {
    static char path[256];
    assert_true(snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path);
    return path;
}

static int on_progress(void *user, const gpr_fetch_progress *progress) {
    world *w = user;
    assert_int_equal(progress->struct_size, sizeof *progress);
    assert_true(progress->bytes >= 0 && (progress->total == 0 || progress->bytes <= progress->total));
    assert_true(progress->file >= 0 && progress->file < progress->files);
    w->reports++;
    if (w->held > 0) { /* the other one gives up */
        unlink(in(w->cache, "sub/big.part"));
        close(w->held);
        w->held = 0;
    }
    return w->stop_at && progress->bytes >= w->stop_at;
}

static void hash_of(char hex[GPRI_SHA256_HEX], const void *bytes, size_t size) {
    gpri_sha256 hash;
    gpri_sha256_begin(&hash);
    gpri_sha256_add(&hash, bytes, size);
    gpri_sha256_end(&hash, hex);
}

/* How the server answers for the big file, the small one and the graph. */
static void serve(const char *big, const char *small) {
    snprintf(the->urls[0], sizeof the->urls[0], "http://127.0.0.1:%d/%s/big", the->server.port, big);
    snprintf(the->urls[1], sizeof the->urls[1], "http://127.0.0.1:%d/%s/small", the->server.port, small);
    snprintf(the->urls[2], sizeof the->urls[2], "http://127.0.0.1:%d/%s/graph.npz", the->server.port, big);
}

static int64_t size_of(const char *name) {
    struct stat info;
    return stat(in(the->cache, name), &info) == 0 ? (int64_t)info.st_size : -1;
}

static void assert_holds(const char *name, const void *bytes, size_t size) {
    char *found;
    int64_t count;
    assert_ok(gpri_read_whole(the->raw.ctx, &found, &count, in(the->cache, name), 1 << 20));
    assert_int_equal(count, size);
    assert_memory_equal(found, bytes, size);
    gpri_free(the->raw.ctx, found);
}

static void assert_all_there(void) {
    assert_holds("sub/big", the->big, SIZE);
    assert_holds("small", the->small, SMALL);
    assert_int_equal(folder_files(the->cache, false), 2); /* no part */
    assert_int_equal(folder_files(in(the->cache, "sub"), false), 1);
}

static void assert_nothing_there(void) {
    assert_int_equal(folder_files(the->cache, false), 1);
    assert_int_equal(folder_files(in(the->cache, "sub"), false), 0);
}

static void leave_part(const void *bytes, size_t size) {
    assert_ok(gpr_check_output_dir(in(the->cache, "sub")));
    write_bytes(in(the->cache, "sub/big.part"), bytes, size);
}

static gpr_status fetch(void) {
    return gpri_fetch_load(the->raw.ctx, &the->result, &the->set, the->cache, &the->options);
}

static void assert_requests(int expected, const char *last) {
    char line[128];
    int count = web_server_requests(&the->server, line);
    if (count != expected || (last && strcmp(line, last) != 0))
        fail_msg("%d requests, the last '%s'; expected %d, '%s'", count, line, expected, last ? last : "any");
}

/* ---- Before and after ---- */

static int prepare(void **state) {
    (void)state;
    the = calloc(1, sizeof *the);
    if (!the) return -1;
    setenv("no_proxy", "*", 1);
    folder_make(the->raw.folder);
    snprintf(the->served, sizeof the->served, "%s/served", the->raw.folder);
    assert_int_equal(mkdir(the->served, 0777), 0);
    for (int i = 0; i < SIZE; i++) the->big[i] = (unsigned char)((uint32_t)i * 2654435761u >> 24);
    for (int i = 0; i < SMALL; i++) the->small[i] = (unsigned char)(i * i >> 3);
    write_bytes(in(the->served, "big"), the->big, SIZE);
    write_bytes(in(the->served, "small"), the->small, SMALL);
    hash_of(the->hashes[0], the->big, SIZE);
    hash_of(the->hashes[1], the->small, SMALL);
    the->files[0] = (gpri_catalogue_file){"sub/big", the->urls[0], the->hashes[0], SIZE};
    the->files[1] = (gpri_catalogue_file){"small", the->urls[1], the->hashes[1], SMALL};
    the->files[2] = (gpri_catalogue_file){"graph.npz", the->urls[2], NULL, 0};
    the->set = (gpri_catalogue_entry){"two", "here", "none", "", NULL, the->files, 2};
    the->graph = (gpri_catalogue_entry){"graph", "here", "none", "", NULL, the->files + 2, 1};
    return 0;
}

static int clean_up(void **state) {
    (void)state;
    folder_files(the->raw.folder, true);
    free(the);
    return 0;
}

static int start(void **state) {
    char log[128];
    if (prepare(state) != 0) return -1;
    snprintf(log, sizeof log, "%s/log", the->raw.folder);
    return web_server_start(&the->server, the->served, log) ? 0 : -1;
}

static int end(void **state) {
    web_server_stop(&the->server);
    return clean_up(state);
}

static int set_up(void **state) {
    char line[128];
    (void)state;
    gpr_ctx_options options = {.struct_size = sizeof options, .threads = 1, .log = keep_warning, .user = &the->raw};
    assert_ok(gpr_ctx_new(&the->raw.ctx, &options));
    snprintf(the->cache, sizeof the->cache, "%s/cache", the->raw.folder);
    gpr_fetch_options_init(&the->options, sizeof the->options);
    the->options.pause = 0.01;
    the->options.timeout = 1;
    the->options.progress = on_progress;
    the->options.user = the;
    the->stop_at = the->reports = 0;
    the->raw.warnings[0] = 0;
    serve("ok", "ok");
    web_server_requests(&the->server, line);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    if (access(the->cache, F_OK) == 0) folder_files(the->cache, true);
    gpr_ctx_free(the->raw.ctx);
    return 0;
}

/* ---- Success ---- */

static void fetches_once(void **state) {
    (void)state;
    assert_ok(fetch());
    assert_all_there();
    assert_requests(2, "ok small -");
    assert_int_equal(the->result.files, 2);
    assert_int_equal(the->result.loaded, 2);
    assert_int_equal(the->result.bytes, SIZE + SMALL);
    assert_true(the->reports > 0);
    assert_ok(fetch()); /* all is there */
    assert_requests(0, NULL);
    assert_int_equal(the->result.loaded, 0);
    assert_int_equal(the->result.bytes, 0);
    write_text(in(the->cache, "small"), "spoilt"); /* one is not */
    assert_ok(fetch());
    assert_requests(1, "ok small -");
    assert_int_equal(the->result.loaded, 1);
    assert_all_there();
    assert_non_null(strstr(the->raw.warnings, "small is damaged: it has 6 bytes, not 3000; loading it again"));
    the->raw.warnings[0] = 0;
    the->options.force = 1;
    assert_ok(fetch());
    assert_requests(2, NULL);
    assert_all_there();
    assert_string_equal(the->raw.warnings, "");
}

static void mirror(void **state) {
    char address[128];
    (void)state;
    assert_int_equal(mkdir(in(the->served, "sub"), 0777), 0);
    write_bytes(in(the->served, "sub/big"), the->big, SIZE);
    snprintf(address, sizeof address, "http://127.0.0.1:%d/ok//", the->server.port);
    the->options.mirror = address;
    serve("404", "404");
    assert_ok(fetch());
    assert_requests(2, "ok small -");
    assert_all_there();
}

/* ---- Temporary failures ---- */

static void tries_again(void **state) {
    static const struct {
        const char *how, *second;
        const char *warning;
    } cases[] = {{"once-500", "once-500 big -", "HTTP 500; trying again in 0.01 s (1 of 3)"},
                 {"once-429", "once-429 big -", "HTTP 429; trying again"},
                 {"once-cut", "once-cut big bytes=50000-", "trying again"},
                 {"once-short", "once-short big bytes=50000-", "ends after 50000 of 100000 bytes; trying again"},
                 {"once-stall", "once-stall big bytes=40-", "it stalls"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        the->raw.warnings[0] = 0;
        serve(cases[i].how, "ok");
        the->set.file_count = 1;
        the->options.force = 1;
        assert_ok(fetch());
        the->set.file_count = 2;
        assert_holds("sub/big", the->big, SIZE);
        assert_int_equal(size_of("sub/big.part"), -1);
        assert_requests(2, cases[i].second);
        if (!strstr(the->raw.warnings, cases[i].warning)) fail_msg("%s: %s", cases[i].how, the->raw.warnings);
    }
    serve("once-reset", "ok"); /* it is not known how much came before the reset */
    assert_ok(fetch());
    assert_requests(3, NULL);
    assert_all_there();
}

static void gives_up_and_goes_on_later(void **state) {
    (void)state;
    the->options.retries = 2;
    serve("cut", "ok"); /* half of the rest each time */
    assert_fails(fetch(), GPR_ERROR_NETWORK, "two: cannot load http://127.0.0.1:");
    assert_non_null(strstr(gpr_last_error(), "`mirror` URL"));
    assert_non_null(strstr(gpr_last_error(), the->cache));
    assert_requests(3, "cut big bytes=75000-");
    assert_int_equal(size_of("sub/big.part"), 87500);
    assert_int_equal(size_of("sub/big"), -1);
    assert_int_equal(size_of("small"), -1);
    serve("ok", "500");
    assert_fails(fetch(), GPR_ERROR_NETWORK, "HTTP 500");
    assert_requests(4, "500 small -");
    assert_int_equal(size_of("sub/big.part"), SIZE); /* whole, but the dataset is not */
    assert_int_equal(size_of("sub/big"), -1);
    assert_int_equal(size_of("small.part"), -1);
    serve("404", "ok"); /* it is not requested again */
    assert_ok(fetch());
    assert_requests(1, "ok small -");
    assert_all_there();
}

static void stops_and_goes_on(void **state) {
    (void)state;
    serve("slow", "ok");
    the->stop_at = 4000;
    assert_fails(fetch(), GPR_ERROR_STOPPED, "stopped");
    const int64_t size = size_of("sub/big.part");
    assert_true(size >= 4000 && size < SIZE);
    assert_int_equal(size_of("small"), -1);
    assert_requests(1, "slow big -");
    the->stop_at = 0;
    serve("ok", "ok");
    assert_ok(fetch());
    assert_int_equal(the->result.bytes, SIZE - size + SMALL);
    assert_all_there();
    the->options.force = 1; /* while it waits to try again */
    the->options.pause = 60;
    serve("500", "ok");
    the->stop_at = -1;
    assert_fails(fetch(), GPR_ERROR_STOPPED, "stopped");
    assert_holds("sub/big", the->big, SIZE); /* the old one stays */
    assert_int_equal(size_of("sub/big.part"), -1);
}

/* ---- Parts ---- */

static void servers_without_parts(void **state) {
    static const char *const how[] = {"whole", "past", "shifted"};
    (void)state;
    for (int i = 0; i < 3; i++) {
        serve(how[i], "ok");
        leave_part(the->big, 1000);
        assert_ok(fetch());
        assert_all_there();
        assert_string_equal(the->raw.warnings, "");
        assert_requests(i == 0 ? 2 : 3, NULL);
        folder_files(the->cache, true);
    }
}

static void old_parts(void **state) {
    unsigned char *other = malloc(SIZE + 1);
    (void)state;
    assert_non_null(other);
    memset(other, 7, SIZE + 1);
    leave_part(other, 1000); /* of another file */
    assert_ok(fetch());
    assert_all_there();
    assert_non_null(strstr(the->raw.warnings, "its parts do not fit together; loading it again"));
    assert_requests(3, NULL);
    folder_files(the->cache, true);
    leave_part(other, SIZE); /* whole and wrong */
    assert_ok(fetch());
    assert_all_there();
    assert_requests(2, NULL);
    folder_files(the->cache, true);
    leave_part(other, SIZE + 1); /* too long */
    assert_ok(fetch());
    assert_all_there();
    assert_requests(2, NULL);
    folder_files(the->cache, true);
    leave_part(the->big, SIZE); /* whole and right */
    assert_ok(fetch());
    assert_all_there();
    assert_requests(1, NULL);
    folder_files(the->cache, true);
    leave_part(other, 10); /* wrong in any case */
    serve("wrong", "ok");
    assert_fails(fetch(), GPR_ERROR_FORMAT, "SHA-256");
    assert_requests(2, "wrong big -");
    assert_nothing_there();
    assert_ok(gpr_check_output_dir(in(the->cache, "sub/big.part"))); /* a folder in its way */
    assert_fails(fetch(), GPR_ERROR_IO, "big.part");
    free(other);
}

/* ---- Permanent failures ---- */

static void wrong_content(void **state) {
    (void)state;
    serve("wrong", "ok");
    assert_fails(fetch(), GPR_ERROR_FORMAT, "two: the file from http://127.0.0.1:");
    assert_non_null(strstr(gpr_last_error(), "is not the expected one"));
    assert_non_null(strstr(gpr_last_error(), the->hashes[0]));
    assert_requests(1, NULL); /* asking again would not help */
    assert_nothing_there();
    serve("page", "ok");
    assert_fails(fetch(), GPR_ERROR_FORMAT, "it has 25 bytes of text/html, not 100000");
    assert_requests(1, NULL);
    assert_nothing_there();
    serve("empty", "ok");
    assert_fails(fetch(), GPR_ERROR_FORMAT, "it has 0 bytes of text/plain, not 100000");
    assert_nothing_there();
    serve("endless", "ok");
    assert_fails(fetch(), GPR_ERROR_FORMAT, "more than 100000 bytes");
    assert_nothing_there();
    leave_part(the->big, 5000); /* a login page instead of the file, as in hotels, does not damage the partial file */
    serve("page", "ok");
    assert_fails(fetch(), GPR_ERROR_FORMAT, "text/html");
    assert_holds("sub/big.part", the->big, 5000);
}

static void refusals(void **state) {
    static const struct {
        const char *how, *part;
        gpr_status status;
        int requests;
    } cases[] = {{"404", "no such file (HTTP 404)", GPR_ERROR_NOT_FOUND, 1},
                 {"403", "HTTP 403", GPR_ERROR_NETWORK, 1},
                 {"204", "HTTP 204", GPR_ERROR_NETWORK, 1},
                 {"503", "HTTP 503", GPR_ERROR_NETWORK, 4},
                 {"416", "HTTP 416", GPR_ERROR_NETWORK, 1},
                 {"partial", "HTTP 206", GPR_ERROR_NETWORK, 1},
                 {"circle", "redirects", GPR_ERROR_NETWORK, 11},
                 {"moved-file", "file", GPR_ERROR_NETWORK, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        serve(cases[i].how, "ok");
        assert_fails(fetch(), cases[i].status, cases[i].part);
        assert_requests(cases[i].requests, NULL);
        assert_nothing_there();
    }
    serve("moved", "ok");
    assert_ok(fetch());
    assert_requests(3, NULL);
    assert_all_there();
}

static void no_server(void **state) {
    (void)state;
    the->options.mirror = "http://127.0.0.1:1/data"; /* nobody listens there */
    assert_fails(fetch(), GPR_ERROR_NETWORK, "two: cannot reach 127.0.0.1:1: ");
    assert_non_null(strstr(gpr_last_error(), "`mirror` URL"));
    assert_string_equal(the->raw.warnings, ""); /* it did not try again */
    assert_nothing_there();
}

static void no_place(void **state) {
    (void)state;
    write_text(the->cache, "a file");
    assert_fails(fetch(), GPR_ERROR_IO, "two: cannot");
    assert_requests(0, NULL);
    unlink(the->cache);
}

static void full_disk(void **state) {
    struct rlimit before, limited;
    (void)state;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limited = before;
    limited.rlim_cur = 40000;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limited), 0);
    gpr_status status = fetch();
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_fails(status, GPR_ERROR_IO, "big.part: File too large");
    assert_null(strstr(gpr_last_error(), "--mirror")); /* that would not help */
    assert_requests(1, NULL);
    assert_ok(fetch()); /* there is room again */
    assert_requests(2, NULL);
    assert_all_there();
}

/* ---- A file without checksum ---- */

static gpr_status fetch_graph(void) {
    return gpri_fetch_load(the->raw.ctx, &the->result, &the->graph, the->cache, &the->options);
}

/* Serves a small dataset as graph.npz. */
static void make_graph(char fingerprint[GPRI_FINGERPRINT_SIZE], uint64_t seed) {
    gpr_csbm_options csbm;
    gpr_dataset *data;
    gpr_csbm_options_init(&csbm, sizeof csbm);
    csbm.nodes = 50, csbm.features = 5, csbm.seed = seed;
    assert_ok(gpr_dataset_csbm(the->raw.ctx, &data, &csbm));
    assert_ok(gpr_dataset_save(the->raw.ctx, data, in(the->served, "graph.npz")));
    gpri_fingerprint(fingerprint, data);
    gpr_dataset_free(data);
}

static void compares_content(void **state) {
    char fingerprint[GPRI_FINGERPRINT_SIZE], other[GPRI_FINGERPRINT_SIZE];
    (void)state;
    make_graph(fingerprint, 1);
    the->graph.fingerprint = fingerprint;
    assert_ok(fetch_graph());
    assert_string_equal(the->raw.warnings, "");
    assert_requests(1, NULL);
    assert_ok(fetch_graph());
    assert_requests(0, NULL);
    the->options.force = 1;
    make_graph(other, 2); /* another dataset: an error, and the right one stays */
    assert_fails(fetch_graph(), GPR_ERROR_FORMAT, "/ok/graph.npz is a dataset, but not the expected one");
    assert_non_null(strstr(gpr_last_error(), fingerprint));
    assert_non_null(strstr(gpr_last_error(), other));
    assert_non_null(strstr(gpr_last_error(), "`accept`"));
    assert_requests(1, NULL);
    assert_int_equal(folder_files(the->cache, false), 1);
    the->options.force = 0;
    assert_ok(fetch_graph());
    assert_requests(0, NULL);
    the->options.force = 1;
    serve("wrong", "ok");
    assert_fails(fetch_graph(), GPR_ERROR_FORMAT, "/wrong/graph.npz is not the expected one: it is not a dataset");
    assert_requests(1, NULL);
    the->options.force = 0;
    write_text(in(the->cache, "graph.npz"), "no dataset"); /* damaged: it is loaded again */
    make_graph(fingerprint, 1);
    serve("ok", "ok");
    assert_ok(fetch_graph());
    assert_non_null(strstr(the->raw.warnings, "graph.npz is damaged: it is not a dataset"));
    assert_requests(1, NULL);
    assert_int_equal(unlink(in(the->cache, "graph.npz")), 0);
    write_bytes(in(the->cache, "graph.npz.part"), the->big, 300); /* a partial file of other content */
    the->raw.warnings[0] = 0;
    assert_ok(fetch_graph());
    assert_non_null(strstr(the->raw.warnings, "do not fit together"));
    assert_int_equal(folder_files(the->cache, false), 1);
    assert_requests(2, NULL);
}

static void accepts_other_content(void **state) {
    char expected[GPRI_FINGERPRINT_SIZE], other[GPRI_FINGERPRINT_SIZE];
    (void)state;
    make_graph(expected, 1);
    make_graph(other, 2);
    the->graph.fingerprint = expected;
    the->options.accept = 1;
    assert_ok(fetch_graph());
    assert_non_null(strstr(the->raw.warnings, "accepted the file from http://127.0.0.1:"));
    assert_non_null(strstr(the->raw.warnings, other));
    the->raw.warnings[0] = 0;
    assert_ok(fetch_graph()); /* it is there, and still not the expected one */
    assert_requests(1, NULL);
    assert_non_null(strstr(the->raw.warnings, "accepted "));
    assert_non_null(strstr(the->raw.warnings, other));
    the->options.accept = 0; /* it may be the user's own: it is not overwritten */
    make_graph(expected, 1);
    assert_fails(fetch_graph(), GPR_ERROR_FORMAT, "`force` replaces it, `accept` keeps it");
    assert_requests(0, NULL);
    the->options.force = 1;
    assert_ok(fetch_graph());
    the->options.force = 0;
    the->raw.warnings[0] = 0;
    assert_ok(fetch_graph());
    assert_requests(1, NULL);
    assert_string_equal(the->raw.warnings, "");
    the->options.accept = 1; /* a checksum that is known is not up for debate */
    serve("wrong", "ok");
    assert_fails(fetch(), GPR_ERROR_FORMAT, "SHA-256");
}

/* A file that was whole when the fetch was killed is not loaded again, though its size is not known. */
static void whole_part_of_unknown_size(void **state) {
    char fingerprint[GPRI_FINGERPRINT_SIZE], file[256];
    (void)state;
    make_graph(fingerprint, 1);
    the->graph.fingerprint = fingerprint;
    assert_ok(fetch_graph());
    snprintf(file, sizeof file, "%s", in(the->cache, "graph.npz"));
    assert_int_equal(rename(file, in(the->cache, "graph.npz.part")), 0);
    assert_requests(1, NULL);
    assert_ok(fetch_graph());
    assert_requests(1, NULL);
    assert_int_equal(the->result.bytes, 0);
    assert_int_equal(folder_files(the->cache, false), 1);
}

/* ---- Links, and what is left of earlier fetches ---- */

static void writes_through_no_link(void **state) {
    char precious[128], part[256];
    struct stat info;
    (void)state;
    snprintf(precious, sizeof precious, "%s/precious", the->raw.folder);
    write_text(precious, "precious");
    leave_part("", 0);
    snprintf(part, sizeof part, "%s", in(the->cache, "sub/big.part"));
    assert_int_equal(unlink(part), 0);
    assert_int_equal(link(precious, part), 0); /* a hard link: replaced */
    assert_ok(fetch());
    assert_non_null(strstr(the->raw.warnings, "has a second name"));
    assert_all_there();
    assert_requests(2, "ok small -");
    if (geteuid() == 0) { /* only root can give files away */
        assert_int_equal(unlink(in(the->cache, "sub/big")), 0);
        leave_part(the->big, 1000);
        assert_int_equal(chown(part, 12345, 12345), 0);
        assert_ok(fetch());
        assert_non_null(strstr(the->raw.warnings, "belongs to another user"));
        assert_int_equal(the->result.bytes, SIZE); /* nothing of it was used */
        assert_requests(1, "ok big -");
        assert_all_there();
    }
    assert_int_equal(unlink(in(the->cache, "sub/big")), 0);
    assert_int_equal(symlink(precious, part), 0);
    assert_fails(fetch(), GPR_ERROR_IO, "big.part: it is a symbolic link; remove it");
    assert_int_equal(unlink(part), 0);
    assert_int_equal(mkfifo(part, 0600), 0);
    assert_fails(fetch(), GPR_ERROR_IO, "big.part: it is not a regular file; remove it");
    assert_int_equal(unlink(part), 0);
    assert_int_equal(symlink(precious, in(the->cache, "sub/big")), 0); /* in the place of the file itself */
    assert_ok(fetch());
    assert_int_equal(lstat(in(the->cache, "sub/big"), &info), 0);
    assert_true(S_ISREG(info.st_mode));
    assert_all_there();
    assert_int_equal(stat(precious, &info), 0);
    assert_int_equal(info.st_size, 8);
    assert_int_equal(unlink(precious), 0);
}

static void folder_may_be_a_link(void **state) {
    char real[128];
    (void)state;
    snprintf(real, sizeof real, "%s/real", the->raw.folder);
    assert_int_equal(mkdir(real, 0777), 0);
    assert_int_equal(symlink(real, the->cache), 0);
    assert_ok(fetch());
    assert_all_there();
    assert_int_equal(unlink(the->cache), 0);
    folder_files(real, true);
}

static void sweeps_old_parts(void **state) {
    (void)state;
    assert_ok(fetch());
    leave_part(the->big, 500);
    assert_ok(fetch());
    assert_requests(2, NULL);
    assert_all_there();
    leave_part(the->big, 500); /* unless somebody has it */
    int fd = open(in(the->cache, "sub/big.part"), O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0 && flock(fd, LOCK_EX) == 0);
    assert_ok(fetch());
    assert_int_equal(size_of("sub/big.part"), 500);
    close(fd);
}

/* ---- Time ---- */

static void ends_in_time(void **state) {
    (void)state;
    serve("drip", "ok"); /* never slow enough for a stall */
    the->options.max_time = 2;
    double began = gpri_seconds_now();
    assert_fails(fetch(), GPR_ERROR_NETWORK, "the time is over after ");
    assert_non_null(strstr(gpr_last_error(), "`max-time`"));
    assert_true(gpri_seconds_now() - began < 10);
    assert_true(size_of("sub/big.part") > 0); /* to be continued */
    serve("500", "ok");
    the->options.pause = 10;
    assert_fails(fetch(), GPR_ERROR_NETWORK, "HTTP 500; no time is left to try again (`max-time`)");
    serve("later", "ok");
    assert_fails(fetch(), GPR_ERROR_NETWORK, "HTTP 503; it asks to wait 3000 s, which is too long");
    assert_true(gpri_seconds_now() - began < 15);
    int fd = open(in(the->cache, "sub/big.part"), O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0 && flock(fd, LOCK_EX) == 0);
    assert_fails(fetch(), GPR_ERROR_IO, "another fetch is still loading");
    close(fd);
}

/* ---- Files that change ---- */

static void changes_between_parts(void **state) {
    static const char *const how[] = {"changed", "changed-206", "changed-untold"};
    (void)state;
    for (int i = 0; i < 3; i++) {
        the->raw.warnings[0] = 0;
        serve(how[i], "ok");
        assert_ok(fetch());
        assert_all_there();
        assert_true((strstr(the->raw.warnings, "do not fit together") != NULL) == (i == 2));
        assert_requests(i == 0 ? 3 : 4, NULL);
        folder_files(the->cache, true);
    }
}

/* ---- Two at once ---- */

static void *fetch_beside(void *arg) {
    gpr_fetch_result result;
    gpr_fetch_options options;
    gpr_fetch_options_init(&options, sizeof options);
    gpr_ctx *ctx = NULL;
    gpr_status *status = arg;
    *status = gpr_ctx_new(&ctx, NULL);
    if (*status == GPR_OK) *status = gpri_fetch_load(ctx, &result, &the->set, the->cache, &options);
    gpr_ctx_free(ctx);
    return NULL;
}

static void two_at_once(void **state) {
    pthread_t threads[3];
    gpr_status status[3];
    (void)state;
    serve("slow", "slow");
    for (int i = 0; i < 3; i++) assert_int_equal(pthread_create(&threads[i], NULL, fetch_beside, &status[i]), 0);
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(status[i], GPR_OK);
    }
    assert_requests(2, NULL); /* one of them loaded, the others waited */
    assert_all_there();
}

static void waits_for_another(void **state) {
    (void)state;
    leave_part("", 0);
    int fd = open(in(the->cache, "sub/big.part"), O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0 && flock(fd, LOCK_EX) == 0);
    the->stop_at = -1;
    assert_fails(fetch(), GPR_ERROR_STOPPED, "stopped");
    assert_non_null(strstr(the->raw.warnings, "another fetch is loading"));
    assert_requests(0, NULL);
    assert_int_equal(size_of("sub/big.part"), 0); /* it belongs to another process and must stay */
    the->stop_at = 0; /* the other process gives up and removes the file while this one has it open */
    the->held = fd;
    assert_ok(fetch());
    assert_requests(2, NULL);
    assert_all_there();
}

/* ---- Memory ---- */

static gpr_status fetch_trial(gpr_ctx *ctx, void *arg) {
    gpr_fetch_result result;
    (void)arg;
    if (access(the->cache, F_OK) == 0) folder_files(the->cache, true);
    return gpri_fetch_load(ctx, &result, &the->set, the->cache, &the->options);
}

static void memory_fails(void **state) {
    (void)state;
    fail_every_allocation(fetch_trial, NULL);
    assert_all_there();
}

static void not_in_this_build(void **state) {
    (void)state;
    assert_fails(fetch(), GPR_ERROR_NETWORK, "this build has no downloads");
    assert_null(strstr(gpr_last_error(), "--mirror"));
    assert_nothing_there();
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest network[] = {TEST(fetches_once),
                                         TEST(mirror),
                                         TEST(tries_again),
                                         TEST(gives_up_and_goes_on_later),
                                         TEST(stops_and_goes_on),
                                         TEST(servers_without_parts),
                                         TEST(old_parts),
                                         TEST(wrong_content),
                                         TEST(refusals),
                                         TEST(no_server),
                                         TEST(no_place),
                                         TEST(full_disk),
                                         TEST(compares_content),
                                         TEST(accepts_other_content),
                                         TEST(whole_part_of_unknown_size),
                                         TEST(writes_through_no_link),
                                         TEST(folder_may_be_a_link),
                                         TEST(sweeps_old_parts),
                                         TEST(ends_in_time),
                                         TEST(changes_between_parts),
                                         TEST(two_at_once),
                                         TEST(waits_for_another),
                                         TEST(memory_fails)};
    const struct CMUnitTest absent[] = {TEST(not_in_this_build)};
    if (!gpri_can_download()) return cmocka_run_group_tests(absent, prepare, clean_up);
    if (system("command -v python3 >/dev/null") == 0) return cmocka_run_group_tests(network, start, end);
    print_message("skipped: the server needs python3\n");
    return 77;
}
