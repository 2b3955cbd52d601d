/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a command on a pseudo-terminal: `test_pty COLUMNS COMMAND...`. Its output goes to standard output, and its status
 * is that of the command. So a test sees the program as a person at a terminal does. */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void fail(const char *what)
{
    perror(what);
    exit(125);
}

/* Its input, output and errors are the terminal, which is its own. */
static void run(const char *terminal, unsigned short columns, char **command)
{
    struct winsize size = {.ws_row = 24, .ws_col = columns};
    setsid();
    int fd = open(terminal, O_RDWR);
    if (fd < 0 || ioctl(fd, TIOCSCTTY, 0) != 0 || ioctl(fd, TIOCSWINSZ, &size) != 0)
        fail(terminal);
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
        dup2(fd, i);
    execvp(command[0], command);
    fail(command[0]);
}

/* Ends when the command has closed the terminal. */
static void copy_output(int master)
{
    char bytes[4096];
    ssize_t n;
    while ((n = read(master, bytes, sizeof bytes)) > 0)
        fwrite(bytes, 1, (size_t)n, stdout);
}

int main(int argc, char **argv)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY), status;
    if (argc < 3) {
        fputs("usage: test_pty COLUMNS COMMAND...\n", stderr);
        return 125;
    }
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0)
        fail("posix_openpt");
    pid_t child = fork();
    if (child < 0)
        fail("fork");
    if (child == 0)
        run(ptsname(master), (unsigned short)atoi(argv[1]), argv + 2);
    copy_output(master);
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 125;
}
