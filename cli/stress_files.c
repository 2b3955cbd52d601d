/* SPDX-License-Identifier: Apache-2.0 */
#include "stress_files.h"

#include "output.h"

#include <string.h>

const char *stress_files_path(struct stress_files *x, const char *name)
{
    snprintf(x->path, sizeof x->path, "%s%s%s", x->folder ? x->folder : "", x->folder ? "/" : "", name);
    return x->path;
}

static bool open_beside(struct stress_files *x, struct outfile *file, const char *name)
{
    return outfile_open_in(file, x->folder ? x->folder : ".", name);
}

/* A word for the shell. */
static void print_word(FILE *to, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,=+";
    if (*word && strspn(word, plain) == strlen(word)) {
        fputs(word, to);
        return;
    }
    fputc('\'', to);
    for (; *word; word++)
        fputs(*word == '\'' ? "'\\''" : (char[]){*word, 0}, to);
    fputc('\'', to);
}

static void print_option(FILE *to, const char *option, const char *value)
{
    if (!value)
        return;
    fprintf(to, " %s ", option);
    print_word(to, value);
}

/* How the client program in the file of that name is run again. */
void stress_files_replay(FILE *to, struct stress_files *x, const char *name)
{
    fputs("assay stress ", to);
    print_word(to, x->name);
    print_option(to, "--load", x->load);
    print_option(to, "--spec", x->spec);
    print_option(to, "--init", x->initial);
    print_option(to, "--roles", x->roles);
    print_option(to, "--waits", x->waits);
    print_option(to, "--replay", stress_files_path(x, name));
    fputc('\n', to);
}

/* A client program, with the command that runs it again: in the folder of the histories, or here. */
bool stress_files_client(struct stress_files *x, const char *name, const char *how, const char *client)
{
    struct outfile file = {0};
    if (!client)
        return true;
    if (!open_beside(x, &file, name))
        return false;
    fprintf(file.stream, "# a client program of assay stress: %s\n# ", how);
    stress_files_replay(file.stream, x, name);
    fputs(client, file.stream);
    return outfile_close(&file, OUTFILE_WHOLE);
}

/* Its histories are in the file of its number. */
bool stress_files_program(struct stress_files *x, uint64_t program, const char *client)
{
    char name[64];
    snprintf(name, sizeof name, "program-%llu.client", (unsigned long long)program);
    return stress_files_client(x, name, "it has shown a violation", client);
}

static bool write_history(struct stress_files *x, const char *name, const assay_history *h)
{
    struct outfile file = {0};
    return open_beside(x, &file, name) && outfile_history(&file, h);
}

static bool write_first(struct stress_files *x, const struct stress_outcome *o)
{
    return !o->found_whole || (stress_files_client(x, FOUND_CLIENT, "a violation, as it was found", o->found_file) &&
                               write_history(x, FOUND_HISTORY, o->found_whole));
}

/* The smallest program found, its whole history, and the part that is enough; those that were found first. */
bool stress_files_violation(struct stress_files *x, const struct stress_outcome *o)
{
    const char *pattern = assay_result_pattern(o->result);
    bool part = assay_history_size(o->history) < assay_history_size(o->whole);
    return stress_files_client(x, VIOLATION_CLIENT, pattern ? pattern : "a violation", o->file) && write_first(x, o) &&
           write_history(x, VIOLATION_HISTORY, o->whole) && (!part || write_history(x, VIOLATION_PART, o->history));
}

/* A file per program. */
bool stress_files_history(struct stress_files *x, uint64_t program, const char *text, size_t length)
{
    char name[64];
    if (x->file.stream && x->program != program && !outfile_close(&x->file, OUTFILE_WHOLE))
        return false;
    if (x->file.stream) {
        fputs("---\n", x->file.stream);
    } else {
        snprintf(name, sizeof name, "program-%llu.hist", (unsigned long long)program);
        if (!outfile_open_in(&x->file, x->folder, name))
            return false;
    }
    x->program = program;
    fwrite(text, 1, length, x->file.stream);
    outfile_record(&x->file);
    return !ferror(x->file.stream);
}

/* ---- the journal ---- */

void stress_journal_begin(struct run_journal *j, const struct stress_settings *s)
{
    FILE *line = run_journal_line(j);
    if (!line)
        return;
    fputs("{\"campaign\":1,\"command\":\"stress\"", line);
    print_json_text(line, ',', "object", s->adapter->name);
    print_json_text(line, ',', "model", s->model);
    print_json_number(line, "seed", s->seed, true);
    fputc('}', line);
    run_journal_write(j, line);
}

void stress_journal_progress(struct run_journal *j, uint64_t runs)
{
    FILE *line = run_journal_due(j) ? run_journal_line(j) : NULL;
    if (!line)
        return;
    fprintf(line, "{\"history\":1,\"running\":true,\"runs\":%llu,\"seconds\":%.3f,\"verdicts\":[]}",
            (unsigned long long)runs, run_journal_seconds(j));
    run_journal_write(j, line);
}

/* No violation is no proof: there is no verdict then. */
void stress_journal_end(struct run_journal *j, const struct stress_settings *s, const struct stress_outcome *o)
{
    FILE *line = run_journal_line(j);
    if (!line)
        return;
    fprintf(line,
            "{\"history\":1%s,\"running\":false,\"runs\":%llu,\"programs\":%llu,\"distinct\":%llu,\"violations\":%llu,"
            "\"crashes\":%llu,\"seconds\":%.3f,\"verdicts\":[",
            o->result ? ",\"file\":\"" VIOLATION_HISTORY "\"" : "", (unsigned long long)o->runs,
            (unsigned long long)o->programs, (unsigned long long)o->distinct, (unsigned long long)o->violations,
            (unsigned long long)o->casualties, run_journal_seconds(j));
    if (o->result) {
        print_json_text(line, '{', "model", s->model);
        fputs(",\"verdict\":\"violation\"", line);
        print_json_text(line, ',', "pattern", assay_result_pattern(o->result));
        fputc('}', line);
    }
    fputs("]}", line);
    run_journal_write(j, line);
}
