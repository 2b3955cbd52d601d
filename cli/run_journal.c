/* SPDX-License-Identifier: Apache-2.0 */
#include "run_journal.h"

#include "output.h"
#include "progress.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double shortest = 1, longest = 60, share = 0.1;

bool run_journal_open(struct run_journal *j, const char *folder, const char *name)
{
    *j = (struct run_journal){.file = -1, .begun = progress_now()};
    if (!name)
        return true;
    size_t size = (folder ? strlen(folder) : 0) + strlen(name) + 2;
    j->name = grow(NULL, size);
    snprintf(j->name, size, "%s%s%s", folder ? folder : "", folder ? "/" : "", name);
    j->file = open(j->name, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
    if (j->file >= 0)
        return true;
    complain("cannot write %s: %s", j->name, strerror(errno));
    free(j->name);
    j->name = NULL;
    return false;
}

double run_journal_seconds(const struct run_journal *j)
{
    return progress_now() - j->begun;
}

bool run_journal_due(const struct run_journal *j)
{
    double period = run_journal_seconds(j) * share;
    period = period < shortest ? shortest : period > longest ? longest : period;
    return j->name && progress_now() - j->last >= period;
}

FILE *run_journal_line(struct run_journal *j)
{
    return j->name ? memory_stream(&j->text, &j->size) : NULL;
}

void run_journal_write(struct run_journal *j, FILE *line)
{
    fputc('\n', line);
    memory_close(line, &j->text);
    size_t done = 0;
    while (done < j->size && !j->fault) {
        ssize_t n = write(j->file, j->text + done, j->size - done);
        if (n < 0 && errno != EINTR)
            j->fault = errno;
        done += n > 0 ? (size_t)n : 0;
    }
    free(j->text);
    j->text = NULL;
    j->last = progress_now();
}

bool run_journal_close(struct run_journal *j)
{
    if (!j->name)
        return true;
    if (close(j->file) != 0 && !j->fault)
        j->fault = errno;
    if (j->fault)
        complain("cannot write %s: %s", j->name, strerror(j->fault));
    free(j->name);
    j->name = NULL;
    return j->fault == 0;
}
