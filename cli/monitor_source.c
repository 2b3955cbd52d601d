/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor_source.h"

#include <string.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <time.h>

enum { LOOK_AGAIN = 100 }; /* milliseconds, at the end of a file that is followed */

static bool is_regular(const char *name)
{
    struct stat st;
    return stat(name, &st) == 0 && S_ISREG(st.st_mode);
}

bool source_open(struct source *s, const char *name, const struct source_options *o, assay_error *e)
{
    bool is_socket = strncmp(name, "unix:", 5) == 0;
    *s = (struct source){.file.fd = -1, .writers.fd = -1};
    s->has_writers = o->writers;
    s->is_file = !is_socket && (o->follow || ((o->needs_position || o->from) && is_regular(name)));
    if (o->writers)
        s->is_open = monitor_writers_open(&s->writers, name + 5, o->mode, o->group, e);
    else if (s->is_file)
        s->is_open = monitor_file_open(&s->file, name, o->follow, o->from, e);
    else
        s->is_open = (s->stream = assay_stream_open(name, e));
    return s->is_open;
}

bool source_polls(const struct source *s)
{
    return s->is_file;
}

long source_patience(const struct source *s, long ms)
{
    return s->is_file && (ms < 0 || ms > LOOK_AGAIN) ? LOOK_AGAIN : ms;
}

bool source_wait(const struct source *s, long ms, const sigset_t *signals)
{
    struct timespec period = {ms / 1000, ms % 1000 * 1000000};
    fd_set set;
    FD_ZERO(&set);
    int most = -1;
    if (s->has_writers || s->stream) {
        most = s->has_writers ? s->writers.fd : assay_stream_descriptor(s->stream);
        if (most < 0)
            return true;
        FD_SET(most, &set);
    }
    return pselect(most + 1, most < 0 ? NULL : &set, NULL, NULL, ms < 0 ? NULL : &period, signals) != 0;
}

enum source_read source_read(struct source *s, char *to, size_t room, size_t *got, assay_error *e)
{
    *got = 0;
    if (s->has_writers) {
        *got = monitor_writers_read(&s->writers, to, room);
        return *got ? SOURCE_BYTES : SOURCE_NOTHING_YET;
    }
    if (!s->is_file)
        return assay_stream_read(s->stream, to, room, got, e) ? SOURCE_BYTES : e->code ? SOURCE_FAULT : SOURCE_END;
    switch (monitor_file_read(&s->file, to, room, got, e)) {
    case FILE_BYTES: return SOURCE_BYTES;
    case FILE_NOTHING_YET: return SOURCE_NOTHING_YET;
    case FILE_GAP: return SOURCE_GAP;
    case FILE_END: return SOURCE_END;
    case FILE_FAULT: break;
    }
    return SOURCE_FAULT;
}

void source_close(struct source *s)
{
    if (!s->is_open)
        return;
    if (s->has_writers)
        monitor_writers_close(&s->writers);
    else if (s->is_file)
        monitor_file_close(&s->file);
    else
        assay_stream_close(s->stream);
}
