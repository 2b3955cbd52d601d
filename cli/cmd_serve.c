/* SPDX-License-Identifier: Apache-2.0 */
/* assay serve: a local viewer of results, which follows a run while it writes. The server is in serve/. */
#include "command.h"
#include "output.h"

#include <stddef.h>
#include <stdint.h>

struct serve_settings {
    const char *bind;
    unsigned port;
    double seconds;
    size_t memory;
};

#if defined(ASSAY_WITH_MICROHTTPD)

#include "serve/listen.h"
#include "serve/viewer.h"
#include "serve/whole.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

/* They are blocked in all threads and taken here, one after the other: no handler runs in the middle of something. */
static void stopping_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGTERM);
    sigaddset(set, SIGHUP);
}

/* The address is the first line, so that a script that starts the viewer can go on with it. */
static int serve(struct viewer *s, int listening, const struct budget *b)
{
    sigset_t stop, before;
    int number;
    stopping_signals(&stop);
    pthread_sigmask(SIG_BLOCK, &stop, &before);
    signal(SIGPIPE, SIG_IGN); /* a browser that leaves */
    if (!viewer_start(s, listening, b))
        return EXIT_FAULT;
    printf("http://%s:%u/\n", s->here.host, s->here.port);
    int status = finish_output(EXIT_FINE);
    if (status == EXIT_FINE)
        sigwait(&stop, &number);
    pthread_sigmask(SIG_SETMASK, &before, NULL); /* a second one ends the program at once */
    viewer_stop(s);
    return status;
}

/* A history in the folder has a path below it. This one would have none. */
static bool is_one_history(const struct tree *t)
{
    struct stat about;
    return whole_logs(t->root, &about) && kind_of(t->name, "", t->root, &about) == KIND_HISTORY;
}

static int start(const struct serve_settings *set, const char *folder)
{
    struct viewer s = {0};
    struct budget b = {.seconds = set->seconds, .memory = set->memory};
    if (!tree_open(&s.tree, folder)) {
        complain("serve: %s: %s", folder, strerror(errno));
        return EXIT_FAULT;
    }
    if (is_one_history(&s.tree)) {
        complain("serve: %s is one history (name the folder that it is in)", folder);
        tree_close(&s.tree);
        return EXIT_FAULT;
    }
    int listening = listen_on(set->bind ? set->bind : "127.0.0.1", set->port, &s.here);
    int status = listening < 0 ? EXIT_FAULT : serve(&s, listening, &b);
    tree_close(&s.tree);
    return status;
}

#else

static int start(const struct serve_settings *set, const char *folder)
{
    (void)set;
    (void)folder;
    complain("serve: built without libmicrohttpd: install libmicrohttpd-dev");
    return EXIT_FAULT;
}

#endif

static int run(const struct command *self, int argc, char **argv)
{
    struct serve_settings set = {.port = 7420, .seconds = 10, .memory = (size_t)512 << 20};
    struct arguments args;
    if (!options_parse(self, argc, argv, &set, &args))
        return args.status;
    return start(&set, args.at[0]);
}

#define ROW(...) OPTION_ROW(serve_settings, __VA_ARGS__, 0)

static const struct option_row rows[] = {
    ROW('p', "port", "P", "listen on this port (default: 7420; 0: any free port)", OPTION_PORT, port),
    ROW(0, "bind", "ADDRESS", "listen on this address of the machine (default: 127.0.0.1)", OPTION_TEXT, bind),
    ROW(0, "time", "S", "give up a check after S seconds (default: 10)", OPTION_SECONDS, seconds),
    ROW(0, "memory", "MB", "give up a check beyond MB megabytes (default: 512)", OPTION_MEGABYTES, memory),
    {0},
};

const struct command command_serve = {
    .name = "serve",
    .summary = "Show the results in a folder in a browser, and follow a run while it writes them.",
    .usage = "[options] DIR",
    .notes =
        "The address is printed as the first line. The viewer only reads, and answers this machine only: its pages\n"
        "and scripts must name the address that is printed. Links and hidden files in DIR are not followed.\n"
        "docs/guides/pages.md has the pages, the JSON for scripts and the events.\n\n"
        "exit status: 0 once it is stopped with Ctrl-C; 2 if it cannot start\n",
    .examples = "  assay serve runs/\n"
                "  assay serve --port 0 runs/\n"
                "  curl http://127.0.0.1:7420/api/results\n",
    .least = 1,
    .most = 1,
    .expects = "name the folder with the results",
    .options = rows,
    .run = run,
};
