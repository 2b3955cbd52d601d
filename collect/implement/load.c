/* SPDX-License-Identifier: Apache-2.0 */
/* Adapters of users, from shared objects.
 *
 * Loading runs code of the shared object, which may end the process: the runtime of a sanitizer does so if it was not
 * loaded first. An error is no verdict, so loading is tried in a process of its own before. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr1 */
#endif
#include "base/error.h"
#include "collect/stress/stress.h"

#include <dlfcn.h>
#if defined(__GLIBC__)
#include <link.h>
#endif
#include <signal.h>
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

/* The list of a shared object has as many places as its symbol says, where the system tells. */
static bool has_end(const assay_adapter *const *list)
{
#if defined(__GLIBC__)
    Dl_info about;
    const ElfW(Sym) *symbol = NULL;
    if (dladdr1(list, &about, (void **)&symbol, RTLD_DL_SYMENT) && symbol && about.dli_saddr == (const void *)list &&
        symbol->st_size >= sizeof *list) {
        size_t places = symbol->st_size / sizeof *list, n = 0;
        while (n < places && list[n])
            n++;
        return n < places;
    }
#endif
    (void)list;
    return true;
}

/* Reads all that adapter_load and its callers will read, and has a number from it so that this is not left out. */
static size_t touch(const assay_adapter *const *list)
{
    size_t letters = 0;
    for (; list && has_end(list) && *list; list++) {
        const assay_adapter *a = *list;
        const char *const texts[] = {a->name, a->object, a->title};
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
            letters += texts[i] ? strlen(texts[i]) : 0;
        for (const assay_adapter_method *m = a->methods; m && m->name; m++)
            letters += strlen(m->name) + (m->opened_by ? strlen(m->opened_by) : 0);
    }
    return letters;
}

/* In a process of its own, which says through the pipe that it got beyond the loading. */
_Noreturn static void try(const char *path, int pipe)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        signal(faults[i], SIG_DFL); /* whatever a sanitizer in this program does with it */
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    ssize_t ignored = write(pipe, "", 1);
    (void)ignored;
    volatile size_t letters = library ? touch(dlsym(library, "assay_adapters")) : 0;
    (void)letters;
    _exit(EXIT_SUCCESS); /* adapter_load reports the other faults */
}

/* Does the file have this text? */
static bool mentions(const char *path, const char *text)
{
    size_t length = strlen(text), kept = 0, n;
    char bytes[1 << 14];
    FILE *file = fopen(path, "rb");
    bool found = false;
    while (file && !found && (n = fread(bytes + kept, 1, sizeof bytes - kept, file)) > 0) {
        n += kept;
        for (size_t i = 0; i + length <= n && !found; i++)
            found = memcmp(bytes + i, text, length) == 0;
        kept = n < length ? n : length - 1;
        memmove(bytes, bytes + n - kept, kept);
    }
    if (file)
        fclose(file);
    return found;
}

static void describe_end(assay_error *e, const char *path, int status, bool loaded)
{
    error_set(e, ASSAY_ERROR_INPUT, "%s: %s ended the process (%s %d)", path,
              loaded ? "reading its list of adapters" : "loading it", WIFSIGNALED(status) ? "signal" : "status",
              WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    if (loaded)
        error_remedy(e, "does the list end with NULL, and each list of methods with a NULL name?");
    else if (mentions(path, "__asan_init"))
        error_remedy(e, "built with -fsanitize=address it needs LD_PRELOAD=$(cc -print-file-name=libasan.so)");
    else
        error_remedy(e, "a constructor in it may be at fault: gdb shows where");
}

bool adapter_can_load(const char *path, assay_error *e)
{
    int status = 0, ends[2];
    char loaded;
    if (pipe(ends) != 0)
        return true;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        try(path, ends[1]);
    close(ends[1]);
    if (child > 0)
        waitpid(child, &status, 0);
    if (status != 0)
        describe_end(e, path, status, read(ends[0], &loaded, 1) == 1);
    close(ends[0]);
    return status == 0;
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
    else if (!has_end(list))
        error_set(e, ASSAY_ERROR_INPUT, "%s: its list assay_adapters does not end with NULL", path);
    if (!list || !has_end(list) || !usable(list, path, e))
        return NULL;
    const assay_adapter *const *all = all_as_of_today(list);
    if (!all)
        error_set(e, ASSAY_ERROR_RESOURCE, "out of memory");
    return all;
}
