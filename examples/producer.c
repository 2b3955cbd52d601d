/* SPDX-License-Identifier: Apache-2.0 */
/* A program that sends its events to `assay monitor --writers unix:PATH`: threads use a queue of the program.
 *
 *   cc producer.c -pthread -o producer
 *   assay monitor -o queue --writers unix:/tmp/events.socket &
 *   ./producer /tmp/events.socket [operations]
 *
 * An event is one datagram: one line. All writers share the queue of the monitor's socket, so the order of the events is
 * the order in which they were sent. A call is sent before the operation begins, a return after it has ended. While the
 * monitor is behind, send() waits. If it is gone, send() fails, and the program goes on without it. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { THREADS = 4, ROOM = 1 << 16 };

static int events = -1;

static int connect_to(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
    if (fd < 0 || strlen(path) >= sizeof address.sun_path)
        return -1;
    strcpy(address.sun_path, path);
    if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0)
        return fd;
    close(fd);
    return -1;
}

/* Sends an event. Without a monitor nothing happens. */
static void event(const char *format, ...)
{
    char line[128];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (events >= 0 && n > 0 && (size_t)n < sizeof line)
        (void)!send(events, line, (size_t)n, MSG_NOSIGNAL);
}

/* ---- the queue of the program ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long values[ROOM];
static size_t first, last;

static void enq(long value)
{
    pthread_mutex_lock(&lock);
    values[last++ % ROOM] = value;
    pthread_mutex_unlock(&lock);
}

static long deq(void) /* 0: it is empty */
{
    pthread_mutex_lock(&lock);
    long value = first < last ? values[first++ % ROOM] : 0;
    pthread_mutex_unlock(&lock);
    return value;
}

struct worker {
    int number;
    long operations;
};

static void *work(void *arg)
{
    const struct worker *w = (const struct worker *)arg;
    for (long i = 1; i <= w->operations; i++) {
        long value = i * THREADS + w->number;
        if (i % 2) {
            event("[t%d] call enq(%ld)\n", w->number, value);
            enq(value);
            event("[t%d] return\n", w->number);
        } else {
            event("[t%d] call deq\n", w->number);
            value = deq();
            if (value)
                event("[t%d] return %ld\n", w->number, value);
            else
                event("[t%d] return empty\n", w->number);
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    struct worker workers[THREADS];
    if (argc < 2) {
        fprintf(stderr, "producer SOCKET [operations]\n");
        return 2;
    }
    events = connect_to(argv[1]);
    if (events < 0)
        fprintf(stderr, "producer: no monitor at %s; going on without it\n", argv[1]);
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){i, argc > 2 ? atol(argv[2]) : 1000};
        if (pthread_create(&threads[i], NULL, work, &workers[i]) != 0)
            return 1;
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
