/* SPDX-License-Identifier: Apache-2.0 */
/* The settings that commands that check histories share, and the work they have in common. */
#ifndef ASSAY_CLI_SETTINGS_H
#define ASSAY_CLI_SETTINGS_H

#include "assay.h"
#include "options.h"
#include "paths.h"
#include "pool.h"

#include <stdbool.h>

struct settings {
    const char *object, *engine, *format, *init, *spec_file, *theory_file, *visibility;
    const assay_spec *spec; /* of spec_file or theory_file, once settings_probe has loaded it */
    unsigned workers;
    double seconds, wall_seconds;
    size_t memory;
    int64_t skew;
    bool json;
};

/* Their rows, for a settings struct `type` whose first field `common` is a struct settings. The rows of the engine and
 * of levels by method are separate, for commands that let them be chosen. */
#define SETTINGS_ROW(letter, name, value, help, kind, type, field, family)                                             \
    {                                                                                                                  \
        letter, name, value, help, kind, offsetof(type, common.field), family                                          \
    }
#define SETTINGS_ROW_ENGINE(type)                                                                                      \
    SETTINGS_ROW('e', "engine", "ENGINE[:VARIANT]", "the decision procedure", OPTION_TEXT, type, engine,               \
                 FAMILY(ASSAY_ENGINES))
#define SETTINGS_ROW_VISIBILITY(type)                                                                                  \
    SETTINGS_ROW(0, "visibility", "METHOD=LEVEL,...", "what the calls of these methods see: docs/reference/weak.md",   \
                 OPTION_TEXT, type, visibility, 0)
#define SETTINGS_ROWS(type)                                                                                            \
    SETTINGS_ROW('o', "object", "OBJECT", "the object that the operations belong to", OPTION_TEXT, type, object,       \
                 FAMILY(ASSAY_OBJECTS)),                                                                               \
        SETTINGS_ROW(0, "spec", "FILE.so", "your own object: docs/guides/own-objects.md", OPTION_TEXT, type,           \
                     spec_file, 0),                                                                                    \
        SETTINGS_ROW(0, "theory", "FILE",                                                                              \
                     "your own axioms for symbolic, enumerate or saturate: docs/guides/theories.md", OPTION_TEXT,      \
                     type, theory_file, 0),                                                                            \
        SETTINGS_ROW('f', "format", "FORMAT", "the files' format (default: by name and content)", OPTION_TEXT, type,   \
                     format, FAMILY(ASSAY_FORMATS)),                                                                   \
        SETTINGS_ROW('j', "jobs", "N", "check N files at a time", OPTION_NUMBER, type, workers, 0),                    \
        SETTINGS_ROW(0, "time", "S", "give up after S seconds of CPU time, per history and model", OPTION_SECONDS,     \
                     type, seconds, 0),                                                                                \
        SETTINGS_ROW(0, "wall", "S", "the same by the wall clock", OPTION_SECONDS, type, wall_seconds, 0),             \
        SETTINGS_ROW(0, "memory", "MB", "give up beyond MB megabytes, per history and model", OPTION_MEGABYTES, type,  \
                     memory, 0),                                                                                       \
        SETTINGS_ROW(0, "init", "V", "initial values, as after `# @init`: 'x=1 y=2'", OPTION_TEXT, type, init, 0),     \
        SETTINGS_ROW(0, "skew", "T", "clocks may be wrong by T: widen every interval by it", OPTION_TIME, type, skew,  \
                     0),                                                                                               \
        SETTINGS_ROW(0, "json", NULL, "one JSON object per line", OPTION_FLAG, type, json, 0)

assay_options settings_options(const struct settings *s);

/* Is this a member of the family, perhaps with a :VARIANT? False, with a message. */
bool settings_known(assay_family f, const char *name);

/* Is this a model? Another name than Assay's is explained. False, with a message. */
bool settings_model(const char *name);
/* The model's own name. */
const char *settings_meant(const char *name);
/* The field "model", as it was given, with "means" if that is not the model's own name. */
void print_json_model(FILE *to, char before, const char *name);

/* Are the format, and with each model (n may be 0) the object and engine, known and present? Loads
 * the user's specification. False, with a message: better once than for every history. */
bool settings_probe(struct settings *s, char *const *models, size_t n);

/* Loads the user's specification (file NULL: there is none), guarded: spec_guard.h. False, with a message. */
bool settings_load_spec(const char *file, const assay_spec **out);
/* The same of a theory. Without an engine the first that goes by theories is chosen. */
bool settings_load_theory(const char *file, const assay_spec **out, const char **engine);

/* Does --init (may be NULL) read as an @init line? False, with a message. */
bool settings_init(const char *init);

/* The files that the arguments mean. False, with a message, when none was named; a folder that cannot be listed is
 * reported and sets *status, and the others stay. */
bool settings_paths(const char *command, const struct settings *s, const struct arguments *args, struct paths *out,
                    int *status);

/* Reads the histories of the task's file and calls `each` for every one; faults and warnings become
 * records with model NULL. `each` returns false to stop. */
struct reading {
    const struct settings *settings;
    struct task *task;
    void *context;
    bool (*each)(struct reading *r, assay_history *h, uint32_t index);
    bool keeps; /* each takes the history over */
};
void settings_read(struct reading *r);

/* The error of a file that was read to its end without a history. */
void settings_no_history(assay_error *e);

/* A record for an error; index < 0 and model NULL where there is none. */
void emit_error(const struct reading *r, long long index, const char *model, const assay_error *e);

#endif
