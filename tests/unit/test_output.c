/* file/output.c, file/temporary.c, file/rights.c: whatever happens to a writer, its files are not left, and the file
 * that it replaces keeps what it had. This program has its own open, linkat, rename and fsync, which fail or end the
 * process when a test asks for it. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "file/file.h"
#include "file/temporary.h"
#include "support.h"

static struct {
    bool no_tmpfile;  /* the file system has no files without a name */
    int link_error;   /* what linkat says */
    bool die_at_move; /* the process is killed before a rename */
    int folder_error; /* what fsync says of a folder */
} fault;

int open(const char *path, int flags, ...) {
    va_list args;
    va_start(args, flags);
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? (mode_t)va_arg(args, int) : 0;
    va_end(args);
    if (fault.no_tmpfile && (flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
    if (!fault.link_error) return (int)syscall(SYS_linkat, from_folder, from, to_folder, to, flags);
    errno = fault.link_error;
    return -1;
}

int rename(const char *from, const char *to) {
    if (fault.die_at_move) _exit(9);
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int fsync(int fd) {
    struct stat info;
    if (!fault.folder_error || fstat(fd, &info) != 0 || !S_ISDIR(info.st_mode)) return (int)syscall(SYS_fsync, fd);
    errno = fault.folder_error;
    return -1;
}

static char folder[256], path[300];

static int setup(void **state) {
    (void)state;
    memset(&fault, 0, sizeof fault);
    snprintf(folder, sizeof folder, "%s/output-XXXXXX", TEST_BINARY_DIR);
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/result.txt", folder);
    return 0;
}

/* How many files the folder holds; removes them if asked. */
static int files_here(bool remove_them) {
    int count = 0;
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    for (struct dirent *entry; (entry = readdir(entries));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        count++;
        if (remove_them) unlinkat(dirfd(entries), entry->d_name, 0);
    }
    closedir(entries);
    return count;
}

static int teardown(void **state) {
    (void)state;
    memset(&fault, 0, sizeof fault);
    assert_int_equal(chmod(folder, 0777), 0);
    files_here(true);
    assert_int_equal(rmdir(folder), 0);
    return 0;
}

static const char *in(const char *name) {
    static char joined[2][600];
    static int turn;
    turn = !turn;
    snprintf(joined[turn], sizeof joined[turn], "%s/%s", folder, name);
    return joined[turn];
}

static void assert_file(const char *file, const char *text) {
    char bytes[100] = "";
    FILE *stream = fopen(file, "r");
    assert_non_null(stream);
    const size_t size = fread(bytes, 1, sizeof bytes - 1, stream);
    fclose(stream);
    assert_int_equal(size, strlen(text));
    assert_string_equal(bytes, text);
}

static void put(const char *file, const char *text) { assert_ok(gpr_write_file(file, text, strlen(text))); }

/* Writes in a process that ends without cleaning up, before or (with die_at_move) within the commit. */
static void killed_writer(const char *file, const char *text) {
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        gpri_output out;
        if (gpri_output_open(&out, file) != GPR_OK || gpri_output_write(&out, text, strlen(text)) != GPR_OK) _exit(1);
        if (fault.die_at_move) (void)!gpri_output_commit(&out);
        _exit(9);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 9);
}

/* Where the file system keeps files without a name, a killed writer leaves nothing. */
static void has_no_name(void **state) {
    (void)state;
    gpri_output out;
    assert_ok(gpri_output_open(&out, path));
    const bool nameless = out.temporary[0] == 0;
    gpri_output_abandon(&out);
    if (!nameless) skip_because("this file system has no files without a name");
    killed_writer(path, "half");
    assert_int_equal(files_here(false), 0);
}

/* Elsewhere, and between the two names of a file, it leaves one, and the next writer of the same file removes it. */
static void sweeps_what_was_left(void **state) {
    (void)state;
    fault.no_tmpfile = true;
    for (int i = 0; i < 3; i++) killed_writer(path, "half"); /* each removes that of the one before */
    assert_int_equal(files_here(false), 1);
    put(in("other.txt"), "x"); /* another file: what is left is not its business */
    assert_int_equal(files_here(false), 2);
    put(path, "whole");
    assert_int_equal(files_here(false), 2);
    assert_file(path, "whole");
    fault.no_tmpfile = false;
    fault.die_at_move = true;
    killed_writer(path, "newer");
    fault.die_at_move = false;
    assert_int_equal(files_here(false), 3);
    assert_file(path, "whole");
    gpri_output out;
    assert_ok(gpri_output_open(&out, path)); /* at once: what was left may fill the disk */
    gpri_output_abandon(&out);
    assert_int_equal(files_here(false), 2);
    fault.no_tmpfile = true;
    killed_writer(in("probe"), "");
    assert_int_equal(files_here(false), 3);
    assert_ok(gpr_check_output_dir(folder));
    assert_int_equal(files_here(false), 2);
    gpri_scratch scratch;
    killed_writer(path, "half");
    assert_ok(gpri_scratch_open(&scratch, path));
    gpri_scratch_close(&scratch);
    assert_int_equal(files_here(false), 2);
}

static void touch(const char *file) {
    int fd = open(file, O_WRONLY | O_CREAT | O_EXCL, 0666);
    assert_true(fd >= 0);
    close(fd);
}

/* Files of living writers, and files that only look alike, stay. */
static void sweeps_nothing_else(void **state) {
    (void)state;
    gpri_output slow;
    fault.no_tmpfile = true;
    touch(in(".result.txt.12345678.gprgnn-tmp.old"));
    touch(in(".result.txt.1234567.gprgnn-tmp"));
    touch(in(".result.txt.1234567x.gprgnn-tmp"));
    touch(in("result.txt.12345678.gprgnn-tmp"));
    touch(in(".result.txt2.12345678.gprgnn-tmp"));
    assert_int_equal(mkfifo(in(".result.txt.12345679.gprgnn-tmp"), 0666), 0);
    assert_int_equal(symlink("result.txt", in(".result.txt.1234567a.gprgnn-tmp")), 0);
    assert_ok(gpri_output_open(&slow, path));
    assert_ok(gpri_output_write(&slow, "slow", 4));
    assert_int_equal(files_here(false), 8);
    alarm(20); /* a pipe must not block */
    put(path, "fast");
    alarm(0);
    assert_file(path, "fast");
    assert_int_equal(files_here(false), 9);
    assert_ok(gpri_output_commit(&slow));
    assert_file(path, "slow");
    assert_int_equal(files_here(false), 8);
    touch(in(".result.txt.1234567b.gprgnn-tmp")); /* this one is left over */
    put(path, "x");
    assert_int_equal(files_here(false), 8);
}

/* A name may have 255 bytes. Its temporary name must not have more. */
static void writes_long_names(void **state) {
    (void)state;
    char name[256];
    memset(name, 'n', 255);
    name[255] = 0;
    for (int i = 0; i < 2; i++) {
        fault.no_tmpfile = i == 1;
        put(in(name), "one");
        put(in(name), "two");
        assert_file(in(name), "two");
        killed_writer(in(name), "x");
        put(in(name), "three");
        assert_int_equal(files_here(false), 1);
    }
}

/* File systems that keep files without a name, but cannot give them one. */
static void copies_where_links_fail(void **state) {
    (void)state;
    enum { SIZE = 200000 };
    char *bytes = malloc(SIZE), *back = malloc(SIZE + 1);
    assert_true(bytes && back);
    for (int i = 0; i < SIZE; i++) bytes[i] = (char)(i * 7 + i / 256);
    const int errors[] = {EPERM, EOPNOTSUPP, ENOENT};
    for (int i = 0; i < 3; i++) {
        fault.link_error = errors[i];
        assert_ok(gpr_write_file(path, bytes, SIZE - (size_t)i));
        int fd = open(path, O_RDONLY);
        assert_int_equal(read(fd, back, SIZE + 1), SIZE - i);
        close(fd);
        assert_memory_equal(back, bytes, SIZE - i);
        assert_int_equal(files_here(false), 1);
    }
    free(bytes);
    free(back);
}

static mode_t mode_of(const char *file) {
    struct stat info;
    assert_int_equal(stat(file, &info), 0);
    return info.st_mode & 07777;
}

static void keeps_the_mode(void **state) {
    (void)state;
    const mode_t modes[] = {0600, 0640, 0444, 0777, 0660};
    mode_t mask = umask(022);
    put(path, "first");
    assert_int_equal(mode_of(path), 0644);
    for (int i = 0; i < 15; i++) {
        fault.no_tmpfile = i / 5 == 1;
        fault.link_error = i / 5 == 2 ? EPERM : 0;
        assert_int_equal(chmod(path, modes[i % 5]), 0);
        gpri_output out;
        assert_ok(gpri_output_open(&out, path));
        struct stat info;
        assert_int_equal(fstat(out.fd, &info), 0);
        assert_int_equal(info.st_mode & 0777, modes[i % 5]); /* at every moment */
        assert_ok(gpri_output_commit(&out));
        assert_int_equal(mode_of(path), modes[i % 5]);
    }
    assert_int_equal(remove(path), 0);
    fault.link_error = EPERM;
    put(path, "new");
    assert_int_equal(mode_of(path), 0644);
    umask(mask);
}

/* Only root can give files away, and so make one that belongs to another. */
static void keeps_owner_and_group(void **state) {
    (void)state;
    struct stat info;
    if (geteuid() != 0) skip_because("only root can give files away");
    put(path, "one");
    assert_int_equal(chown(path, 1234, 4321), 0);
    assert_int_equal(chmod(path, 0640), 0);
    put(path, "two");
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_uid, 1234);
    assert_int_equal(info.st_gid, 4321);
    assert_int_equal(info.st_mode & 07777, 0640);
    /* Someone else may not keep group 4321; their own group must not get its rights. */
    assert_int_equal(chmod(folder, 0777), 0);
    assert_int_equal(seteuid(1235), 0);
    gpr_status status = gpr_write_file(path, "three", 5);
    assert_int_equal(seteuid(0), 0);
    if (status != GPR_OK) skip_because("a folder above %s is closed to other users", folder);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_uid, 1235);
    assert_int_not_equal(info.st_gid, 4321);
    assert_int_equal(info.st_mode & 07777, 0600);
}

/* user::rw-, user:1234:r--, group::---, mask::r--, other::--- as the kernel stores it (little-endian). */
static const unsigned char acl[] = {2, 0,   0,   0,   1,   0,   6,  0, 255, 255, 255, 255, 2,   0,  4,
                                    0, 210, 4,   0,   0,   4,   0,  0, 0,   255, 255, 255, 255, 16, 0,
                                    4, 0,   255, 255, 255, 255, 32, 0, 0,   0,   255, 255, 255, 255};

static void keeps_the_acl(void **state) {
    (void)state;
    unsigned char back[100];
    const char *const name = "system.posix_acl_access";
    put(path, "one");
    if (setxattr(path, name, acl, sizeof acl, 0) != 0) skip_because("this file system has no lists of rights");
    for (int i = 0; i < 3; i++) {
        fault.no_tmpfile = i == 1;
        fault.link_error = i == 2 ? EPERM : 0;
        put(path, "two");
        assert_int_equal(getxattr(path, name, back, sizeof back), sizeof acl);
        assert_memory_equal(back, acl, sizeof acl);
        assert_int_equal(mode_of(path), 0640);
    }
}

static void follows_links(void **state) {
    (void)state;
    struct stat info;
    char target[100] = "";
    put(in("real"), "old");
    assert_int_equal(symlink("real", path), 0); /* relative to the folder of the link */
    put(path, "new");
    assert_file(in("real"), "new");
    assert_int_equal(readlink(path, target, sizeof target - 1), 4);
    assert_int_equal(remove(in("real")), 0);
    put(path, "again"); /* it leads nowhere: its target is made */
    assert_file(in("real"), "again");
    assert_int_equal(lstat(path, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(symlink(path, in("second")), 0); /* a link to a link, absolute */
    put(in("second"), "far");
    assert_file(in("real"), "far");
    assert_int_equal(files_here(false), 3);
    assert_int_equal(symlink("b", in("a")), 0);
    assert_int_equal(symlink("a", in("b")), 0);
    assert_fails(gpr_write_file(in("a"), "x", 1), GPR_ERROR_IO, strerror(ELOOP));
    assert_int_equal(symlink("none/file", in("c")), 0);
    assert_fails(gpr_write_file(in("c"), "x", 1), GPR_ERROR_IO, "none/file");
    assert_fails(gpr_write_file("/dev/fd/1", "x", 1), GPR_ERROR_IO, "/dev/fd/1");
    assert_int_equal(files_here(false), 6);
}

/* Other names of the old file keep the old content. */
static void leaves_hard_links(void **state) {
    (void)state;
    put(path, "old");
    assert_int_equal(link(path, in("other")), 0);
    put(path, "new");
    assert_file(path, "new");
    assert_file(in("other"), "old");
}

/* A failed fsync of the folder is an error, unless it says that there is nothing to sync. */
static void syncs_the_folder(void **state) {
    (void)state;
    fault.folder_error = EIO;
    assert_fails(gpr_write_file(path, "x", 1), GPR_ERROR_IO, "power failure");
    assert_fails(gpri_sync_folder_of(path), GPR_ERROR_IO, strerror(EIO));
    char inner[400];
    snprintf(inner, sizeof inner, "%s/inner", folder);
    assert_fails(gpr_check_output_dir(inner), GPR_ERROR_IO, "power failure");
    assert_int_equal(rmdir(inner), 0);
    const int harmless[] = {EINVAL, EROFS, ENOTSUP};
    for (int i = 0; i < 3; i++) {
        fault.folder_error = harmless[i];
        put(path, "y");
    }
}

/* A writable file in a folder that takes no new ones. */
static void says_that_the_folder_is_closed(void **state) {
    (void)state;
    put(path, "old");
    assert_int_equal(chmod(path, 0666), 0);
    assert_int_equal(chmod(folder, 0555), 0);
    const bool root = geteuid() == 0;
    if (root) assert_int_equal(seteuid(1235), 0);
    const bool reachable = access(path, F_OK) == 0 && eaccess(path, W_OK) == 0;
    gpr_status status = gpr_write_file(path, "new", 3);
    if (root) assert_int_equal(seteuid(0), 0);
    if (!reachable) skip_because("a folder above %s is closed to other users", folder);
    assert_fails(status, GPR_ERROR_IO, "its folder permits no new files");
    assert_file(path, "old");
}

static void wants_a_name(void **state) {
    (void)state;
    assert_fails(gpr_write_file("", "x", 1), GPR_ERROR_IO, "name");
    assert_fails(gpr_write_file(in("none/"), "x", 1), GPR_ERROR_IO, "name");
    char name[300];
    memset(name, 'n', 256);
    name[256] = 0;
    gpri_output out; /* before anything is computed and written */
    assert_fails(gpri_output_open(&out, in(name)), GPR_ERROR_IO, strerror(ENAMETOOLONG));
    assert_int_equal(files_here(false), 0);
}

/* The public handle: whole after the commit, and without it nothing. */
static void in_pieces(void **state) {
    (void)state;
    gpr_ctx *ctx = new_ctx(1);
    gpr_file *file;
    put(path, "old");
    for (int committed = 0; committed < 2; committed++) {
        assert_ok(gpr_file_new(ctx, &file, path));
        assert_ok(gpr_file_write(file, "one ", 4));
        assert_ok(gpr_file_write(file, NULL, 0));
        assert_ok(gpr_file_write(file, "two", 3));
        assert_file(path, "old");
        if (committed) {
            assert_ok(gpr_file_commit(file));
            assert_fails(gpr_file_write(file, "x", 1), GPR_ERROR_ARGUMENT, "committed");
            assert_fails(gpr_file_commit(file), GPR_ERROR_ARGUMENT, "committed");
        }
        gpr_file_free(file);
        assert_file(path, committed ? "one two" : "old");
        assert_int_equal(files_here(false), 1);
    }
    assert_fails(gpr_file_new(ctx, &file, in("none/file")), GPR_ERROR_IO, "none/file");
    assert_null(file);
    gpr_ctx_free(ctx);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(has_no_name),
        TEST(sweeps_what_was_left),
        TEST(sweeps_nothing_else),
        TEST(writes_long_names),
        TEST(copies_where_links_fail),
        TEST(keeps_the_mode),
        TEST(keeps_owner_and_group),
        TEST(keeps_the_acl),
        TEST(follows_links),
        TEST(leaves_hard_links),
        TEST(syncs_the_folder),
        TEST(says_that_the_folder_is_closed),
        TEST(wants_a_name),
        TEST(in_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
