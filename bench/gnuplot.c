/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/gnuplot.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs gnuplot with the pipe as input and the file as output; its messages are kept. */
static pid_t start(int file, int ends[2])
{
    if (pipe(ends) != 0)
        return -1;
    pid_t child = fork();
    if (child != 0)
        return child;
    if (dup2(ends[0], STDIN_FILENO) < 0 || dup2(file, STDOUT_FILENO) < 0)
        _exit(126);
    close(ends[1]);
    execlp("gnuplot", "gnuplot", (char *)NULL);
    _exit(127);
}

static bool run(const char *script, size_t size, FILE *out)
{
    int ends[2], status = -1;
    fflush(NULL);
    pid_t child = start(fileno(out), ends);
    if (child < 0)
        return false;
    close(ends[0]);
    FILE *to = fdopen(ends[1], "w");
    if (to) {
        fwrite(script, 1, size, to);
        fclose(to);
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool gnuplot_works(void)
{
    FILE *out = tmpfile();
    bool works = out && run("", 0, out);
    if (out)
        fclose(out);
    return works;
}

static bool take(FILE *from, char **text, size_t *size)
{
    char piece[1 << 14];
    size_t n;
    FILE *to = open_memstream(text, size);
    rewind(from);
    while (to && (n = fread(piece, 1, sizeof piece, from)) > 0)
        fwrite(piece, 1, n, to);
    return to && fclose(to) == 0 && !ferror(from);
}

bool gnuplot_draw(void (*print)(FILE *to, const void *what), const void *what, char **svg, size_t *size)
{
    char *script = NULL;
    size_t length = 0;
    FILE *text = open_memstream(&script, &length), *out = tmpfile();
    bool fine = text && out;
    if (text) {
        fputs("set terminal svg noenhanced size 760,460 dynamic background 'white' font 'sans-serif,13'\n"
              "set grid linecolor 'gray85'\n",
              text);
        print(text, what);
        fine = fclose(text) == 0 && fine;
    }
    fine = fine && run(script, length, out) && take(out, svg, size);
    if (out)
        fclose(out);
    free(script);
    return fine;
}
