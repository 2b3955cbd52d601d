/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/compare.h"

#include "base/error.h"
#include "base/json.h"
#include "bench/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 1200, WORD = 16, MOST_VALUES = 64, MOST_FIGURES = 100000, FIRST_FIGURES = 256 };
enum { LONGEST = 64 << 20 }; /* bytes of a file */

static const double LEAST_SECONDS = 1e-6, LEAST_MEGABYTES = 1; /* smaller differences are nobody's concern */

struct figure {
    char *name; /* the measure behind it, for sorting */
    char measure[WORD], unit[WORD];
    double values[MOST_VALUES]; /* in ascending order */
    size_t n;
};

struct run {
    char version[NAME], commit[NAME], processor[NAME];
    struct figure *at;
    size_t n, room;
};

/* ---- reading ---- */

static char *read_file(const char *path, assay_error *e)
{
    FILE *f = fopen(path, "r");
    char *text = f ? malloc((size_t)LONGEST + 1) : NULL;
    size_t n = text ? fread(text, 1, LONGEST, f) : 0;
    bool fine = text && !ferror(f) && n < LONGEST && !memchr(text, 0, n);
    if (!f || (text && ferror(f)))
        error_set(e, ASSAY_ERROR_RESOURCE, "cannot read: %s", strerror(errno));
    else if (!text)
        error_set(e, ASSAY_ERROR_RESOURCE, "no memory");
    else if (!fine)
        error_set(e, ASSAY_ERROR_INPUT, "no file of figures: `assay-bench --json` writes one");
    if (f)
        fclose(f);
    if (!fine) {
        free(text);
        return NULL;
    }
    text[n] = 0;
    return text;
}

/* All items between two brackets, each of which `read` reads into `to`. */
static bool read_items(struct json *j, const char brackets[2], bool (*read)(struct json *j, void *to), void *to)
{
    if (!json_expect(j, brackets[0]))
        return false;
    enum json_next next = json_next(j, brackets[1], true);
    while (next == JSON_ITEM && read(j, to))
        next = json_next(j, brackets[1], false);
    return next == JSON_END;
}

static bool read_value(struct json *j, void *to)
{
    struct figure *f = to;
    const char *at = json_peek(j);
    char *end;
    double x = strtod(at, &end);
    if (end == at || !isfinite(x) || x < 0)
        return json_fail(j, at, "expected a cost: a number of at least 0");
    if (f->n == MOST_VALUES)
        return json_fail(j, at, "a figure has at most %d values", MOST_VALUES);
    f->values[f->n++] = x;
    j->at = end;
    return true;
}

static bool read_key(struct json *j, char key[JSON_NAME])
{
    return json_name(j, key, "a key") && json_expect(j, ':');
}

/* It will be printed: only plain letters may reach the terminal. */
static bool read_text(struct json *j, char *text, size_t size, const char *what)
{
    const char *at = json_peek(j);
    if (!json_text(j, text, size, what))
        return false;
    for (const char *c = text; *c; c++)
        if (*c < ' ' || *c > '~')
            return json_fail(j, at, "expected %s in printable ASCII", what);
    return true;
}

/* A figure that is being read. */
struct draft {
    char name[NAME];
    struct figure figure;
};

static bool read_figure_key(struct json *j, void *to)
{
    struct draft *d = to;
    struct figure *f = &d->figure;
    char key[JSON_NAME];
    if (!read_key(j, key))
        return false;
    if (strcmp(key, "name") == 0)
        return read_text(j, d->name, NAME, "a name");
    if (strcmp(key, "measure") == 0)
        return read_text(j, f->measure, WORD, "a measure");
    if (strcmp(key, "unit") == 0)
        return read_text(j, f->unit, WORD, "a unit");
    return strcmp(key, "values") == 0 ? read_items(j, "[]", read_value, f) : json_skip(j);
}

static bool has_room(struct run *r)
{
    if (r->n < r->room)
        return true;
    size_t room = r->room ? 2 * r->room : FIRST_FIGURES;
    struct figure *at = room <= MOST_FIGURES ? realloc(r->at, room * sizeof *at) : NULL;
    if (!at)
        return false;
    r->at = at;
    r->room = room;
    return true;
}

static bool keep_figure(struct json *j, struct run *r, struct draft *d)
{
    const char *at = json_peek(j), *name = d->name;
    struct figure *f = &d->figure;
    size_t size = strlen(name) + strlen(f->measure) + 3;
    if (!*name || !*f->measure || !*f->unit || !f->n)
        return json_fail(j, at, "a figure has a name, a measure, a unit and values");
    if (strcmp(f->unit, "s") != 0 && strcmp(f->unit, "MB") != 0)
        return json_fail(j, at, "the unit of a figure is s or MB");
    f->name = has_room(r) ? malloc(size) : NULL;
    if (!f->name)
        return json_fail(j, at, "no memory for so many figures");
    snprintf(f->name, size, "%s, %s", name, f->measure);
    r->at[r->n++] = *f;
    return true;
}

static bool read_figure(struct json *j, void *to)
{
    struct draft d = {0};
    return read_items(j, "{}", read_figure_key, &d) && keep_figure(j, to, &d);
}

static bool read_run_key(struct json *j, void *to)
{
    struct run *r = to;
    char key[JSON_NAME];
    if (!read_key(j, key))
        return false;
    if (strcmp(key, "assay") == 0)
        return read_text(j, r->version, NAME, "a version");
    if (strcmp(key, "commit") == 0)
        return read_text(j, r->commit, NAME, "a commit");
    if (strcmp(key, "processor") == 0)
        return read_text(j, r->processor, NAME, "a processor");
    return strcmp(key, "figures") == 0 ? read_items(j, "[]", read_figure, r) : json_skip(j);
}

static bool parse(const char *text, struct run *r, assay_error *e)
{
    struct json j = {text, text, e};
    return read_items(&j, "{}", read_run_key, r) && json_end(&j);
}

/* ---- order ---- */

static int by_name(const void *a, const void *b)
{
    const struct figure *x = a, *y = b;
    return strcmp(x->name, y->name);
}

/* Figures of one name were measured more than once: their values are rounds of one. */
static void join_equal(struct run *r)
{
    size_t n = 0;
    qsort(r->at, r->n, sizeof *r->at, by_name);
    for (size_t i = 0; i < r->n; i++) {
        struct figure *last = n ? &r->at[n - 1] : NULL, *f = &r->at[i];
        if (!last || strcmp(last->name, f->name) != 0) {
            r->at[n++] = *f;
            continue;
        }
        for (size_t k = 0; k < f->n && last->n < MOST_VALUES; k++)
            last->values[last->n++] = f->values[k];
        free(f->name);
    }
    r->n = n;
    for (size_t i = 0; i < n; i++)
        sort_numbers(r->at[i].values, r->at[i].n);
}

/* The parser counts columns from the beginning of the text. */
static void place(const char *path, const char *text, assay_error *e)
{
    uint64_t line = 1, column = 1;
    for (uint64_t i = 0; text && i + 1 < e->column; i++) {
        line += text[i] == '\n';
        column = text[i] == '\n' ? 1 : column + 1;
    }
    error_place(e, path, text ? line : 0, text ? column : 0);
}

static bool read_run(const char *path, struct run *r, assay_error *e)
{
    char *text = read_file(path, e);
    bool fine = text && parse(text, r, e);
    if (!fine)
        place(path, text, e);
    free(text);
    if (!fine)
        return false;
    if (r->n)
        join_equal(r);
    return true;
}

static void free_run(struct run *r)
{
    for (size_t i = 0; i < r->n; i++)
        free(r->at[i].name);
    free(r->at);
}

/* ---- comparing ---- */

struct pair {
    const struct figure *before, *after;
    double ratio; /* of the costs, over that of most figures with this unit */
};

static double cost(const struct figure *f)
{
    return f->values[0];
}

static bool is_time(const struct figure *f)
{
    return strcmp(f->unit, "s") == 0;
}

static size_t pair_up(const struct run *before, const struct run *after, struct pair *pairs, struct comparison *found)
{
    size_t n = 0, i = 0, k = 0;
    while (i < before->n && k < after->n) {
        int order = strcmp(before->at[i].name, after->at[k].name);
        if (order == 0)
            pairs[n++] = (struct pair){.before = &before->at[i], .after = &after->at[k]};
        i += order <= 0;
        k += order >= 0;
    }
    found->common = n;
    found->only_old = before->n - n;
    found->only_new = after->n - n;
    return n;
}

/* The median ratio of the pairs that are times, or of the others; 1: there are none. */
static double common_ratio(const struct pair *pairs, size_t n, bool time, double *space)
{
    size_t m = 0;
    for (size_t i = 0; i < n; i++)
        if (is_time(pairs[i].before) == time && cost(pairs[i].before) > 0 && cost(pairs[i].after) > 0)
            space[m++] = cost(pairs[i].after) / cost(pairs[i].before);
    return m ? median(space, m) : 1;
}

/* Is the cost of `more` beyond that of `less`, times `scale`? */
static bool exceeds(const struct figure *more, const struct figure *less, double scale, double tolerance)
{
    double least = is_time(more) ? LEAST_SECONDS : LEAST_MEGABYTES;
    return cost(more) > scale * less->values[less->n - 1] && cost(more) > tolerance * scale * cost(less) &&
           cost(more) - scale * cost(less) > least;
}

static void print_cost(FILE *out, const struct figure *f)
{
    double x = cost(f);
    if (!is_time(f))
        fprintf(out, "%9.1f MB", x);
    else if (x < 1e-3)
        fprintf(out, "%9.2f us", x * 1e6);
    else if (x < 1)
        fprintf(out, "%9.3f ms", x * 1e3);
    else
        fprintf(out, "%9.3f s ", x);
}

static int by_ratio(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    double p = fabs(log(x->ratio)), q = fabs(log(y->ratio));
    return p != q ? (p < q) - (p > q) : strcmp(x->before->name, y->before->name);
}

static void print_pairs(FILE *out, const char *title, struct pair *pairs, size_t n)
{
    if (!n)
        return;
    qsort(pairs, n, sizeof *pairs, by_ratio);
    fprintf(out, "\n%s: %zu\n", title, n);
    for (size_t i = 0; i < n; i++) {
        fprintf(out, "  x%-6.2f", pairs[i].ratio);
        print_cost(out, pairs[i].before);
        fputs(" ->", out);
        print_cost(out, pairs[i].after);
        fprintf(out, "  %s\n", pairs[i].before->name);
    }
}

static void print_head(FILE *out, const struct run *before, const struct run *after, const struct comparison *found)
{
    fprintf(out, "old: assay %s, commit %s\nnew: assay %s, commit %s\n", before->version, before->commit,
            after->version, after->commit);
    if (strcmp(before->processor, after->processor) != 0)
        fprintf(out, "the processors differ: %s; %s\n", before->processor, after->processor);
    fprintf(out, "%zu figures in both, %zu only in the old run, %zu only in the new one\n", found->common,
            found->only_old, found->only_new);
}

static void compare(const struct run *before, const struct run *after, unsigned tolerance, FILE *out,
                    struct pair *pairs, double *space, struct comparison *found)
{
    size_t n = pair_up(before, after, pairs, found);
    double factor = 1 + tolerance / 100.0;
    double time = common_ratio(pairs, n, true, space), memory = common_ratio(pairs, n, false, space);
    struct pair *worse = pairs + n, *better = worse + n;
    for (size_t i = 0; i < n; i++) {
        double scale = is_time(pairs[i].before) ? time : memory;
        pairs[i].ratio = cost(pairs[i].after) / fmax(cost(pairs[i].before), 1e-12) / scale;
        if (exceeds(pairs[i].after, pairs[i].before, scale, factor))
            worse[found->worse++] = pairs[i];
        else if (exceeds(pairs[i].before, pairs[i].after, 1 / scale, factor))
            better[found->better++] = pairs[i];
    }
    print_head(out, before, after, found);
    fprintf(out, "most figures: time x%.2f, memory x%.2f; the ratios below are relative to that\n", time, memory);
    print_pairs(out, "slower or larger beyond noise", worse, found->worse);
    print_pairs(out, "faster or smaller beyond noise", better, found->better);
    fprintf(out, "\n%zu worse, %zu better, %zu the same within %u %%\n", found->worse, found->better,
            n - found->worse - found->better, tolerance);
}

bool compare_runs(const char *old_file, const char *new_file, unsigned tolerance, FILE *out, struct comparison *found,
                  assay_error *e)
{
    struct run *runs = calloc(2, sizeof *runs);
    struct pair *pairs = NULL;
    double *space = NULL;
    bool fine = false;
    *found = (struct comparison){0};
    if (!runs) {
        error_set(e, ASSAY_ERROR_RESOURCE, "no memory");
        return false;
    }
    if (read_run(old_file, &runs[0], e) && read_run(new_file, &runs[1], e)) {
        pairs = calloc(3 * runs[0].n + 1, sizeof *pairs);
        space = calloc(runs[0].n + 1, sizeof *space);
        fine = pairs && space;
        if (fine)
            compare(&runs[0], &runs[1], tolerance, out, pairs, space, found);
        else
            error_set(e, ASSAY_ERROR_RESOURCE, "no memory");
    }
    free(space);
    free(pairs);
    free_run(&runs[0]);
    free_run(&runs[1]);
    free(runs);
    return fine;
}
