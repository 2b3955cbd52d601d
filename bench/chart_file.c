/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of a chart as tab-separated lines. First come its texts, then for each series a line `series NAME`
 * and a line `X Y` for each point. A Y with > before it is a place where the engine gave up. */
#include "bench/chart.h"

#include <stdlib.h>
#include <string.h>

void chart_write(FILE *to, const struct chart *c)
{
    fprintf(to, "title\t%s\nx\t%s\t%s\ny\t%s\t%s\n", c->title, c->x_title, c->log_x ? "log" : "plain", c->y_title,
            c->log_y ? "log" : "plain");
    if (c->linear)
        fputs("linear\n", to);
    if (c->higher)
        fputs("higher\n", to);
    for (size_t i = 0; i < c->n; i++) {
        fprintf(to, "series\t%s\n", c->series[i].name);
        for (size_t k = 0; k < c->series[i].n; k++) {
            const struct chart_point *p = &c->series[i].at[k];
            fprintf(to, "%.9g\t%s%.6g\n", p->x, p->gave_up ? ">" : "", p->y);
        }
    }
}

static void take_axis(char *line, char *title, bool *is_log)
{
    char *kind = strchr(line, '\t');
    *is_log = kind && strcmp(kind + 1, "log") == 0;
    if (kind)
        *kind = '\0';
    snprintf(title, CHART_TEXT, "%s", line);
}

static bool take_point(const char *line, const char *name, struct chart *c)
{
    char *end;
    struct chart_point p = {.x = strtod(line, &end)};
    if (end == line || *end != '\t' || !*name)
        return false;
    const char *y = end + 1;
    p.gave_up = *y == '>';
    p.y = strtod(y + p.gave_up, &end);
    if (end == y + p.gave_up || *end || !(p.y > 0 || (p.y == 0 && !c->log_y)) || !(p.x > 0 || !c->log_x))
        return false;
    chart_add(c, name, p);
    return true;
}

static bool take_line(char *line, char name[CHART_TEXT], struct chart *c)
{
    if (strncmp(line, "title\t", 6) == 0)
        snprintf(c->title, sizeof c->title, "%s", line + 6);
    else if (strncmp(line, "x\t", 2) == 0)
        take_axis(line + 2, c->x_title, &c->log_x);
    else if (strncmp(line, "y\t", 2) == 0)
        take_axis(line + 2, c->y_title, &c->log_y);
    else if (strcmp(line, "linear") == 0)
        c->linear = true;
    else if (strcmp(line, "higher") == 0)
        c->higher = true;
    else if (strncmp(line, "series\t", 7) == 0)
        snprintf(name, CHART_TEXT, "%s", line + 7);
    else
        return take_point(line, name, c);
    return true;
}

bool chart_read(FILE *from, struct chart *c)
{
    char line[2 * CHART_TEXT], name[CHART_TEXT] = "";
    memset(c, 0, sizeof *c);
    while (fgets(line, sizeof line, from)) {
        line[strcspn(line, "\n")] = '\0';
        if (!take_line(line, name, c))
            return false;
    }
    return c->n > 0 && *c->title;
}
