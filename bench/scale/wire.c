/* A network to measure in, where the kernel cannot delay packets: a switch between network namespaces, one port each.
 * Every frame that a port sends waits until the port has sent those before it, at so many Mbit/s, and then for the
 * delay; nothing is lost. bench/scale/network.sh uses it.
 *
 *     wire DELAY_MS MBIT_PER_S NAMESPACE...
 *
 * Port i (from 1) is the device eth0 of its namespace, with the address 10.77.0.i. Ends with a signal. Linux, root. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { MOST_PORTS = 16, LONGEST = 2048, WAITING = 1 << 16 };

typedef struct {
    int64_t due; /* ns */
    int size;
    uint8_t bytes[LONGEST];
} frame;

typedef struct {
    int device;
    int64_t free_at; /* ns: when it has sent all so far */
    frame *queue;    /* (WAITING) a ring: a port's frames are due in their order */
    long first, count;
} port;

static _Noreturn void give_up(const char *what) {
    perror(what);
    exit(1);
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Makes eth0 in the namespace; this process stays where it is. */
static int open_port(const char *name, int number) {
    char path[128], command[512];
    struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI};
    snprintf(path, sizeof path, "/var/run/netns/%s", name);
    const int home = open("/proc/self/ns/net", O_RDONLY), away = open(path, O_RDONLY);
    if (home < 0 || away < 0 || setns(away, CLONE_NEWNET) != 0) give_up(path);
    const int device = open("/dev/net/tun", O_RDWR | O_NONBLOCK);
    snprintf(request.ifr_name, sizeof request.ifr_name, "eth0");
    if (device < 0 || ioctl(device, TUNSETIFF, &request) != 0) give_up("/dev/net/tun");
    if (setns(home, CLONE_NEWNET) != 0) give_up("namespace");
    close(home);
    close(away);
    snprintf(command, sizeof command,
             "ip -n %s link set eth0 address 02:00:00:00:00:%02x up && ip -n %s addr add 10.77.0.%d/24 dev eth0 && ip "
             "-n %s link set eth0 txqueuelen 10000",
             name, number, name, number, name);
    if (system(command) != 0) exit(1);
    return device;
}

/* Takes what a port sends. ns_per_byte 0: no limit. */
static void take(port *from, int64_t delay, double ns_per_byte) {
    while (from->count < WAITING) {
        frame *to = &from->queue[(from->first + from->count) % WAITING];
        const ssize_t size = read(from->device, to->bytes, LONGEST);
        if (size <= 0) return;
        const int64_t time = now();
        if (from->free_at < time) from->free_at = time;
        from->free_at += (int64_t)(ns_per_byte * (double)size);
        to->due = from->free_at + delay;
        to->size = (int)size;
        from->count++;
    }
}

/* The last byte of an address is the number of the port. */
static void deliver(port *ports, int count, int from, const frame *one) {
    for (int p = 0; p < count; p++)
        if (p != from && (one->bytes[0] & 1 || one->bytes[5] == p + 1))
            while (write(ports[p].device, one->bytes, (size_t)one->size) < 0 && errno == EAGAIN) continue;
}

int main(int argc, char **argv) {
    static port ports[MOST_PORTS];
    struct pollfd polled[MOST_PORTS];
    const int count = argc - 3;
    if (count < 2 || count > MOST_PORTS) {
        fprintf(stderr, "usage: wire DELAY_MS MBIT_PER_S NAMESPACE NAMESPACE...\n");
        return 2;
    }
    const int64_t delay = (int64_t)(atof(argv[1]) * 1e6);
    const double ns_per_byte = atof(argv[2]) > 0 ? 8e3 / atof(argv[2]) : 0;
    for (int p = 0; p < count; p++) {
        ports[p] = (port){.device = open_port(argv[3 + p], p + 1), .queue = malloc(WAITING * sizeof(frame))};
        if (!ports[p].queue) give_up("memory");
        polled[p] = (struct pollfd){ports[p].device, POLLIN, 0};
    }
    puts("ready");
    fflush(stdout);
    for (;;) {
        int64_t next = INT64_MAX, time = now();
        for (int p = 0; p < count; p++) {
            port *from = &ports[p];
            for (; from->count > 0 && from->queue[from->first].due <= time; from->count--) {
                deliver(ports, count, p, &from->queue[from->first]);
                from->first = (from->first + 1) % WAITING;
            }
            if (from->count > 0 && from->queue[from->first].due < next) next = from->queue[from->first].due;
        }
        time = now();
        const int64_t rest = next == INT64_MAX ? 1000000000 : next > time ? next - time : 0;
        const struct timespec wait = {rest / 1000000000, rest % 1000000000};
        if (ppoll(polled, (nfds_t)count, &wait, NULL) < 0 && errno != EINTR) give_up("poll");
        for (int p = 0; p < count; p++)
            if (polled[p].revents) take(&ports[p], delay, ns_per_byte);
    }
}
