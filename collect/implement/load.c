/* SPDX-License-Identifier: Apache-2.0 */
/* Adapters of users, from shared objects.
 *
 * Loading runs code of the shared object, which may end the process: the runtime of a sanitizer does so if it was not
 * loaded first. An error is no verdict, so loading is tried in a process of its own before. */
#include "base/error.h"
#include "collect/stress/stress.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void advise(assay_error *e, const char *path, const char *fault)
{
    bool thread = strstr(fault, "tsan"), address = strstr(fault, "asan");
    if (thread || address || strstr(fault, "static TLS block"))
        error_remedy(e,
                     "the runtime of its sanitizer must be loaded first: LD_PRELOAD=$(cc -print-file-name=lib%s.so) "
                     "assay stress ...",
                     address ? "asan" : "tsan");
    else if (!strchr(path, '/'))
        error_remedy(e, "a path with a slash in it, as in ./adapter.so");
}

bool adapter_can_load(const char *path, assay_error *e)
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        dlopen(path, RTLD_NOW | RTLD_LOCAL);
        _exit(EXIT_SUCCESS); /* adapter_load reports the other faults */
    }
    if (child > 0)
        waitpid(child, &status, 0);
    if (status == 0)
        return true;
    error_set(e, ASSAY_ERROR_INPUT, "%s: loading it ended the process (%s %d)", path,
              WIFSIGNALED(status) ? "signal" : "status", WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    error_remedy(e, "built with -fsanitize=address it needs LD_PRELOAD=$(cc -print-file-name=libasan.so)");
    return false;
}

static bool complete(const assay_adapter *a)
{
    return a->name && a->object && a->title && a->methods && a->create && a->destroy && a->call;
}

/* Adapters of version 1 end before `waits`. Their copies live as long as the program, as the shared objects do. */
static struct copies {
    struct copies *next;
    const assay_adapter *list[];
} * all_copies;

static const assay_adapter *as_of_today(const assay_adapter *a)
{
    if (a->version > 1)
        return a;
    assay_adapter *copy = calloc(1, sizeof *copy);
    if (copy)
        memcpy(copy, a, offsetof(assay_adapter, waits));
    return copy;
}

static const assay_adapter *const *all_as_of_today(const assay_adapter *const *list)
{
    size_t n = 0;
    bool complete = true;
    while (list[n])
        n++;
    struct copies *c = calloc(1, sizeof *c + (n + 1) * sizeof *c->list);
    if (!c)
        return NULL;
    c->next = all_copies;
    all_copies = c;
    for (size_t i = 0; i < n; i++)
        complete &= (c->list[i] = as_of_today(list[i])) != NULL;
    return complete ? c->list : NULL;
}

static bool usable(const assay_adapter *const *list, const char *path, assay_error *e)
{
    if (!*list)
        error_set(e, ASSAY_ERROR_INPUT, "%s: its list assay_adapters is empty", path);
    for (; *list; list++) {
        if ((*list)->version < 1 || (*list)->version > ASSAY_ADAPTER_VERSION) {
            error_set(e, ASSAY_ERROR_INPUT, "%s: built for another version of assay_adapter.h (%u, here 1 to %u)", path,
                      (*list)->version, (unsigned)ASSAY_ADAPTER_VERSION);
            error_remedy(e, "build it again with the header of this version");
        } else if (!complete(*list)) {
            error_set(e, ASSAY_ERROR_INPUT, "%s: an adapter lacks a name, object, title, methods or a function", path);
        } else {
            continue;
        }
        return false;
    }
    return !e || e->code == ASSAY_OK;
}

const assay_adapter *const *adapter_load(const char *path, assay_error *e)
{
    assay_error ignored = {0};
    e = e ? e : &ignored;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *fault = dlerror();
        error_set(e, ASSAY_ERROR_INPUT, "cannot load the adapter: %s", fault ? fault : path);
        advise(e, path, fault ? fault : "");
        return NULL;
    }
    const assay_adapter *const *list = dlsym(library, "assay_adapters");
    if (!list)
        error_set(e, ASSAY_ERROR_INPUT, "%s exports no assay_adapters", path);
    if (!list || !usable(list, path, e))
        return NULL;
    const assay_adapter *const *all = all_as_of_today(list);
    if (!all)
        error_set(e, ASSAY_ERROR_RESOURCE, "out of memory");
    return all;
}
