/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/replot.h"

#include "base/error.h"
#include "bench/chart.h"
#include "bench/gnuplot.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 512 };

typedef bool (*saver)(const char *name, const char *text, size_t size);

static int is_chart(const struct dirent *entry)
{
    size_t n = strlen(entry->d_name);
    return n > 4 && entry->d_name[0] != '.' && strcmp(entry->d_name + n - 4, ".tsv") == 0;
}

static bool draw_picture(const struct chart *c, size_t i, const char *stem, saver save, assay_error *e)
{
    static struct chart part;
    char name[PATH], path[PATH + 8], *svg = NULL;
    size_t size = 0;
    chart_part(c, i, &part);
    chart_name(name, sizeof name, stem, i);
    snprintf(path, sizeof path, "%s.svg", name);
    bool fine = gnuplot_draw(chart_print, &part, &svg, &size);
    if (!fine)
        error_set(e, ASSAY_ERROR_RESOURCE, "cannot draw %s: gnuplot is missing or does not work", path);
    else if (!(fine = save(path, svg, size)))
        error_set(e, ASSAY_ERROR_RESOURCE, "cannot write %s", path);
    free(svg);
    return fine;
}

static bool draw_chart(const char *folder, const char *name, saver save, assay_error *e)
{
    static struct chart c;
    char path[PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "r");
    bool fine = f && chart_read(f, &c);
    if (f)
        fclose(f);
    if (!fine) {
        error_set(e, ASSAY_ERROR_INPUT, "%s: not the numbers of a chart", path);
        return false;
    }
    path[strlen(path) - 4] = '\0';
    for (size_t i = 0; fine && i < chart_pictures(&c); i++)
        fine = draw_picture(&c, i, path, save, e);
    return fine;
}

size_t replot(const char *folder, saver save, assay_error *e)
{
    struct dirent **names;
    size_t drawn = 0;
    int n = scandir(folder, &names, is_chart, alphasort);
    if (n <= 0)
        error_set(e, ASSAY_ERROR_INPUT, "%s: no numbers of charts there (files .tsv)", folder);
    for (int i = 0; i < n; i++) {
        if (!e->code)
            drawn += draw_chart(folder, names[i]->d_name, save, e);
        free(names[i]);
    }
    if (n >= 0)
        free(names);
    return drawn;
}
