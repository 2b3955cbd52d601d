/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/implement/plugin.h"

#include "collect/stress/stress.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FILE_NAME "libassay_stress_cpp.so"

/* Where the program lies; empty if the system does not say. */
static void program_folder(char *out, size_t size)
{
    ssize_t n = readlink("/proc/self/exe", out, size - 1);
    out[n > 0 ? n : 0] = 0;
    char *slash = strrchr(out, '/');
    out[slash ? slash - out : 0] = 0;
}

static bool find_file(char *out, size_t size)
{
    char folder[PATH_MAX];
    static const char *const beside[] = {"", "/" ASSAY_PLUGIN_FOLDER};
    program_folder(folder, sizeof folder);
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        int n = snprintf(out, size, "%s%s/" FILE_NAME, folder, beside[i]);
        if (*folder && n > 0 && (size_t)n < size && access(out, R_OK) == 0)
            return true;
    }
    return false;
}

/* A plug-in that cannot be loaded, because a library of its own is gone, counts as missing. */
static const assay_adapter *const *load(void)
{
    static const assay_adapter *const none[] = {NULL};
    char path[PATH_MAX];
    const assay_adapter *const *list = find_file(path, sizeof path) ? adapter_load(path, NULL) : NULL;
    return list ? list : none;
}

const assay_adapter *plugin_adapter(const char *name)
{
    static const assay_adapter *const *list;
    if (!list)
        list = load();
    for (const assay_adapter *const *a = list; *a; a++)
        if (strcmp((*a)->name, name) == 0)
            return *a;
    return NULL;
}
