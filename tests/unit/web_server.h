/* Runs the web server of tests/cli/fetch_server.py during a test; that file says how it can answer. */
#ifndef TEST_WEB_SERVER_H
#define TEST_WEB_SERVER_H

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

typedef struct web_server {
    pid_t process;
    int input; /* when it is closed, the server ends */
    int port;
    char log[512];
} web_server;

/* Serves the files of `folder`. False if there is no python3. */
static inline bool web_server_start(web_server *server, const char *folder, const char *log) {
    int to[2], from[2];
    char line[32] = "";
    snprintf(server->log, sizeof server->log, "%s", log);
    assert_int_equal(pipe2(to, O_CLOEXEC), 0);
    assert_int_equal(pipe2(from, O_CLOEXEC), 0);
    server->process = fork();
    assert_true(server->process >= 0);
    if (server->process == 0) {
        dup2(to[0], 0);
        dup2(from[1], 1);
        execlp("python3", "python3", TEST_SOURCE_DIR "/tests/cli/fetch_server.py", folder, log, (char *)NULL);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    server->input = to[1];
    FILE *output = fdopen(from[0], "r");
    assert_non_null(output);
    bool running = fgets(line, sizeof line, output) != NULL;
    fclose(output);
    server->port = atoi(line);
    return running;
}

static inline void web_server_stop(web_server *server) {
    close(server->input);
    waitpid(server->process, NULL, 0);
}

/* How many requests there were since the last call; `last` gets the last line of the log, or "". */
static inline int web_server_requests(web_server *server, char last[128]) {
    int count = 0;
    FILE *log = fopen(server->log, "r");
    last[0] = 0;
    if (!log) return 0;
    while (fgets(last, 128, log)) count++;
    fclose(log);
    last[strcspn(last, "\n")] = 0;
    unlink(server->log);
    return count;
}

#endif
