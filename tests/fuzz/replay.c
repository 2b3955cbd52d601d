/* SPDX-License-Identifier: Apache-2.0 */
/* A fuzz target without a fuzzer: runs the files and folders on the command line through it once, which
 * makes the corpus a regression test for every compiler. */
#include "fuzz/fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static size_t replayed;

static void replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(2);
    }
    size_t n = 0, room = 1 << 16;
    uint8_t *bytes = malloc(room);
    while (bytes && !ferror(file)) {
        n += fread(bytes + n, 1, room - n, file);
        if (n < room)
            break;
        bytes = realloc(bytes, room *= 2);
    }
    fclose(file);
    if (!bytes)
        abort();
    bytes = realloc(bytes, n ? n : 1); /* exactly as long as the input: a sanitizer sees the next byte */
    LLVMFuzzerTestOneInput(bytes, n);
    free(bytes);
    replayed++;
}

static void replay(const char *path)
{
    struct stat st;
    if (stat(path, &st) == 0 && !S_ISDIR(st.st_mode)) {
        replay_file(path);
        return;
    }
    DIR *dir = opendir(path);
    if (!dir) {
        perror(path);
        exit(2);
    }
    for (struct dirent *entry; (entry = readdir(dir));) {
        char name[4096];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        replay(name);
    }
    closedir(dir);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        replay(argv[i]);
    printf("%zu inputs replayed\n", replayed);
    return replayed == 0;
}
