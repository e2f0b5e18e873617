/* Runs a program, and strikes at one of the system calls with which it changes files:
 *
 *     attack_inject --root DIR [--log FILE] [--data FILE] [--at K --do WHAT] -- PROGRAM ARGUMENTS...
 *
 * Only calls on files below DIR count; the first is number 1. WHAT, at call K:
 *
 *     before, after   SIGKILL at this moment
 *     half            writes half of the bytes, then SIGKILL
 *     short           writes half of the bytes, and lets the program go on; --on: so does every later write
 *     fail=NUMBER     the call fails with this errno; --on: so does every later call that needs the same
 *     signal=NUMBER   this signal arrives during the call
 *
 * --log: one line of JSON per call; --data: the bytes that were written, which the log refers to.
 * Exit status: that of the program; 128 + the number of the signal that ended it; 77 where tracing is forbidden.
 *
 * Why ptrace, not a library that is preloaded: it also sees the calls that libc makes by itself (fopen, fclose, fwrite)
 * and those of every other library, and it needs no list of the names under which libc offers them. A seccomp filter
 * stops the program at these calls only. Containers permit tracing one's own children (Docker does since Linux 4.8). */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calls.h"
#include "examine.h"

enum { SKIPPED = 77, MOST_THREADS = 256 };

static struct {
    char root[PATH_MAX];
    FILE *log, *data;
    long at; /* 0: only look */
    enum { LOOK, BEFORE, AFTER, HALF, SHORT, FAIL, SIGNAL } act;
    int number; /* errno or signal */
    bool on;
} wanted;

static running_call running[MOST_THREADS];
static long calls; /* so far */
static pid_t program;
static long struck_number = -1; /* with --on: the kind of call that fails */

static _Noreturn void die(const char *format, ...) {
    va_list list;
    va_start(list, format);
    fprintf(stderr, "attack_inject: ");
    vfprintf(stderr, format, list);
    fprintf(stderr, "\n");
    va_end(list);
    exit(125);
}

/* ---- Registers -------------------------------------------------------------------------------------- */

#if defined __x86_64__
static void set_register(pid_t thread, size_t offset, uint64_t value) {
    if (ptrace(PTRACE_POKEUSER, thread, offset, value) != 0 && errno != ESRCH) die("cannot set a register");
}
static void set_count(pid_t thread, uint64_t count) {
    set_register(thread, offsetof(struct user_regs_struct, rdx), count);
}
static void set_result(pid_t thread, int64_t result) {
    set_register(thread, offsetof(struct user_regs_struct, rax), (uint64_t)result);
}
static void skip_call(pid_t thread) { set_register(thread, offsetof(struct user_regs_struct, orig_rax), (uint64_t)-1); }
#define MACHINE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#include <elf.h>
static void set_register(pid_t thread, int index, uint64_t value) {
    struct user_regs_struct all;
    struct iovec part = {&all, sizeof all};
    if (ptrace(PTRACE_GETREGSET, thread, NT_PRSTATUS, &part) != 0) return;
    all.regs[index] = value;
    ptrace(PTRACE_SETREGSET, thread, NT_PRSTATUS, &part);
}
static void set_count(pid_t thread, uint64_t count) { set_register(thread, 2, count); }
static void set_result(pid_t thread, int64_t result) { set_register(thread, 0, (uint64_t)result); }
static void skip_call(pid_t thread) {
    int none = -1;
    struct iovec part = {&none, sizeof none};
    ptrace(PTRACE_SETREGSET, thread, 0x404 /* NT_ARM_SYSTEM_CALL */, &part);
}
#define MACHINE AUDIT_ARCH_AARCH64
#else
static void set_count(pid_t thread, uint64_t count) { (void)thread, (void)count; }
static void set_result(pid_t thread, int64_t result) { (void)thread, (void)result; }
static void skip_call(pid_t thread) { (void)thread; }
#define MACHINE 0
#endif

/* ---- The log ---------------------------------------------------------------------------------------- */

static void log_text(const char *key, const char *text) {
    fprintf(wanted.log, ", \"%s\": \"", key);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') fputc('\\', wanted.log);
        if ((unsigned char)*text >= ' ') fputc(*text, wanted.log);
    }
    fputc('"', wanted.log);
}

/* The bytes come from the file, not from the program's memory: one way for all calls that write. */
static void log_bytes(const running_call *c, int64_t size) {
    static char bytes[1 << 16];
    char name[64];
    snprintf(name, sizeof name, "/proc/%d/fd/%d", (int)c->thread, (int)c->args[c->call->fd]);
    const int fd = open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0) die("cannot read back what was written to %s", c->path);
    fprintf(wanted.log, ", \"data\": %ld", ftell(wanted.data));
    for (int64_t at = 0; at < size;) {
        const int64_t left = size - at;
        const ssize_t got =
            pread(fd, bytes, left < (int64_t)sizeof bytes ? (size_t)left : sizeof bytes, c->position + at);
        if (got <= 0) die("cannot read back what was written to %s", c->path);
        fwrite(bytes, 1, (size_t)got, wanted.data);
        at += got;
    }
    close(fd);
}

static void log_call(const running_call *c, int64_t result) {
    if (!wanted.log) return;
    uint64_t inode = c->inode;
    fprintf(wanted.log, "{\"n\": %ld, \"call\": \"%s\", \"result\": %lld", c->number, c->call->name, (long long)result);
    log_text("path", c->path);
    if (c->path2[0]) log_text("path2", c->path2);
    if (c->call->flags >= 0) {
        if (result >= 0) inode = inode_of_fd(c->thread, (int)result);
        const uint64_t flags = c->args[c->call->flags];
        fprintf(wanted.log, ", \"existed\": %d, \"truncate\": %d, \"create\": %d, \"tmpfile\": %d", c->existed,
                (flags & O_TRUNC) != 0, (flags & O_CREAT) != 0, (flags & O_TMPFILE) == O_TMPFILE);
    }
    if (is(c, "mkdir") || is(c, "mkdirat")) inode = inode_of(c->path);
    if (is(c, "ftruncate") || is(c, "truncate")) fprintf(wanted.log, ", \"size\": %lld", (long long)c->args[1]);
    if (is(c, "unlinkat")) fprintf(wanted.log, ", \"folder\": %d", (c->args[2] & AT_REMOVEDIR) != 0);
    if (is(c, "renameat2")) fprintf(wanted.log, ", \"flags\": %d", (int)c->args[4]);
    fprintf(wanted.log, ", \"inode\": %llu", (unsigned long long)inode);
    if (has_bytes(c) && result > 0) {
        fprintf(wanted.log, ", \"offset\": %lld", (long long)c->position);
        if (wanted.data) log_bytes(c, result);
    }
    fprintf(wanted.log, "}\n");
}

/* ---- Striking --------------------------------------------------------------------------------------- */

/* With --on, a later call fails too if it needs what failed first: room, a file number, or the same kind of call. */
static bool fails_too(const running_call *c) {
    if (c->call->number == struck_number && c->call->flags < 0) return true;
    const bool creates = c->call->flags >= 0 && (c->args[c->call->flags] & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY)));
    const bool needs_room = has_bytes(c) || creates || strncmp(c->call->name, "mkdir", 5) == 0;
    const bool full = wanted.number == ENOSPC || wanted.number == EDQUOT;
    return (full && needs_room) || (wanted.number == EMFILE && c->call->flags >= 0);
}

static bool strikes(const running_call *c) {
    if (wanted.act == LOOK || !wanted.at) return false;
    if (c->number == wanted.at) return true;
    if (!wanted.on || c->number < wanted.at) return false;
    return wanted.act == SHORT ? has_bytes(c) : fails_too(c);
}

/* At the entry of a call. Returns false when the program was killed. */
static bool strike(running_call *c) {
    const bool splits = c->call->count >= 0 && c->args[2] > 1;
    switch (wanted.act) {
    case BEFORE: kill(program, SIGKILL); return false;
    case AFTER: c->kill = true; break;
    case HALF: c->kill = true; /* fallthrough */
    case SHORT:
        if (splits) set_count(c->thread, c->args[2] / 2);
        break;
    case FAIL:
        if (c->number == wanted.at) struck_number = c->call->number;
        c->fail = wanted.number;
        if (is(c, "close")) break; /* Linux closes the file in any case */
        skip_call(c->thread);
        set_result(c->thread, -c->fail);
        break;
    case SIGNAL: kill(program, wanted.number); break;
    case LOOK: break;
    }
    return true;
}

static running_call *place_of(pid_t thread, bool may_add) {
    running_call *unused = NULL;
    for (int i = 0; i < MOST_THREADS; i++) {
        if (running[i].thread == thread) return &running[i];
        if (!unused && running[i].thread == 0) unused = &running[i];
    }
    if (may_add && !unused) die("more than %d threads", MOST_THREADS);
    return may_add ? unused : NULL;
}

static _Noreturn void cannot_trace(void) {
    fprintf(stderr, "attack_inject: skipped: programs cannot be traced here: %s\n", strerror(errno));
    exit(SKIPPED);
}

/* How to continue: PTRACE_SYSCALL stops again at the exit of the call. */
static int on_entry(pid_t thread) {
    struct __ptrace_syscall_info info;
    if (ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof info, &info) <= 0) {
        if (errno == EIO) cannot_trace(); /* a kernel before 5.3 */
        return PTRACE_CONT;
    }
    const changing_call *call = changing_call_of((long)info.seccomp.nr);
    running_call *c = place_of(thread, true);
    if (!call) return PTRACE_CONT;
    c->thread = thread;
    c->call = call;
    memcpy(c->args, info.seccomp.args, sizeof c->args);
    c->inode = 0;
    c->position = 0;
    c->fail = 0;
    c->kill = c->existed = false;
    if (!examine(c, wanted.root)) {
        c->thread = 0;
        return PTRACE_CONT;
    }
    c->number = ++calls;
    if (strikes(c) && !strike(c)) return -1;
    return PTRACE_SYSCALL;
}

static int on_exit_of_call(pid_t thread) {
    struct __ptrace_syscall_info info;
    running_call *c = place_of(thread, false);
    if (!c || ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof info, &info) <= 0) return PTRACE_CONT;
    if (info.op != PTRACE_SYSCALL_INFO_EXIT) return PTRACE_SYSCALL;
    if (c->fail) set_result(thread, -c->fail);
    log_call(c, c->fail ? -c->fail : info.exit.rval);
    c->thread = 0;
    if (!c->kill) return PTRACE_CONT;
    kill(program, SIGKILL);
    return -1;
}

/* ---- The program ------------------------------------------------------------------------------------ */

/* Stops at the changing calls of this machine's own kind; all others pass. */
static void install_filter(void) {
    static struct sock_filter filter[CHANGING_CALLS + 6];
    unsigned size = 0;
    filter[size++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
    filter[size++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1, 0);
    filter[size++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL);
    filter[size++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (int i = 0; i < CHANGING_CALLS; i++)
        filter[size++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)changing_calls[i].number,
                                                      (unsigned char)(CHANGING_CALLS - i), 0);
    filter[size++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    filter[size++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
    struct sock_fprog all = {(unsigned short)size, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all) != 0) {
        fprintf(stderr, "attack_inject: no seccomp filter here: %s\n", strerror(errno));
        _exit(SKIPPED);
    }
}

/* Starts it; it waits for `ready` until it is traced. */
static void start(char **arguments) {
    int ready[2];
    char byte;
    if (pipe2(ready, O_CLOEXEC) != 0) die("no pipe");
    program = fork();
    if (program < 0) die("cannot start a process");
    if (program == 0) {
        close(ready[1]);
        if (read(ready[0], &byte, 1) != 1) _exit(SKIPPED);
        install_filter();
        execvp(arguments[0], arguments);
        fprintf(stderr, "attack_inject: cannot run %s: %s\n", arguments[0], strerror(errno));
        _exit(125);
    }
    close(ready[0]);
    const long options = PTRACE_O_TRACESECCOMP | PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE |
                         PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK;
    if (MACHINE == 0 || ptrace(PTRACE_SEIZE, program, 0, options) != 0) cannot_trace();
    if (write(ready[1], "", 1) != 1) die("the program does not start");
    close(ready[1]);
}

/* Follows all threads to the end of the program; returns its exit status. */
static int follow(void) {
    for (;;) {
        int status;
        const pid_t thread = waitpid(-1, &status, __WALL);
        if (thread < 0 && errno == EINTR) continue;
        if (thread < 0) die("the program was lost");
        if (WIFEXITED(status) || WIFSIGNALED(status)) {
            running_call *c = place_of(thread, false);
            if (c) c->thread = 0;
            if (thread == program) return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            continue;
        }
        const int event = status >> 16, sig = WSTOPSIG(status);
        int how = PTRACE_CONT, deliver = 0;
        if (event == PTRACE_EVENT_SECCOMP) how = on_entry(thread);
        else if (sig == (SIGTRAP | 0x80)) how = on_exit_of_call(thread);
        else if (event == 0) {
            deliver = sig;
            /* a signal in the middle of a call: its exit is still to come */
            if (place_of(thread, false)) how = PTRACE_SYSCALL;
        } else if (place_of(thread, false)) how = PTRACE_SYSCALL;
        if (how >= 0) ptrace(how, thread, 0, deliver);
    }
}

static void set_act(const char *text) {
    static const char *const names[] = {"look", "before", "after", "half", "short", "fail=", "signal="};
    for (int i = 1; i <= SIGNAL; i++) {
        const size_t size = strlen(names[i]);
        if (strncmp(text, names[i], size) != 0) continue;
        wanted.act = i;
        if (i >= FAIL) wanted.number = atoi(text + size);
        return;
    }
    die("--do: not known: %s", text);
}

int main(int count, char **arguments) {
    int at = 1;
    for (; at < count && strcmp(arguments[at], "--") != 0; at++) {
        const char *name = arguments[at];
        if (strcmp(name, "--on") == 0) {
            wanted.on = true;
            continue;
        }
        const char *value = ++at < count ? arguments[at] : "";
        if (strcmp(name, "--root") == 0 && !realpath(value, wanted.root)) die("no folder %s", value);
        else if (strcmp(name, "--log") == 0) wanted.log = fopen(value, "we");
        else if (strcmp(name, "--data") == 0) wanted.data = fopen(value, "we");
        else if (strcmp(name, "--at") == 0) wanted.at = atol(value);
        else if (strcmp(name, "--do") == 0) set_act(value);
        else if (strcmp(name, "--root") != 0) die("not known: %s", name);
    }
    if (at + 1 >= count || !wanted.root[0])
        die("usage: --root DIR [--log FILE] [--data FILE] [--at K --do WHAT] -- ...");
    start(arguments + at + 1);
    const int status = follow();
    if (wanted.log) fprintf(wanted.log, "{\"n\": 0, \"call\": \"exit\", \"result\": %d, \"path\": \"\"}\n", status);
    if (wanted.log && fclose(wanted.log) != 0) die("cannot write the log");
    if (wanted.data && fclose(wanted.data) != 0) die("cannot write the data");
    return status;
}
