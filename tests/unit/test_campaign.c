/* SPDX-License-Identifier: Apache-2.0 */
/* A campaign that is read without its store: the histories of earlier runs, and nothing is written. */
#include "collect/collect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64];

static const assay_driver *memory_driver(void)
{
    size_t i = 0;
    while (strcmp(driver_table[i]->name, "memory") != 0)
        i++;
    return driver_table[i];
}

static void count(void *context, const struct drive_record *r)
{
    assert_int_equal(r->verdict_count, 1);
    ++*(unsigned *)context;
}

static struct drive_campaign_settings settings_of(unsigned *seen)
{
    static char model[] = "lin";
    static char *const models[] = {model};
    return (struct drive_campaign_settings){.drive = {.driver = memory_driver(),
                                                      .workload = workload_find("single"),
                                                      .sessions = 2,
                                                      .operations = 20,
                                                      .keys = 2,
                                                      .read_share = 50,
                                                      .most_accesses = 4,
                                                      .timeout = 10,
                                                      .seed = 1,
                                                      .folder = folder},
                                            .histories = 3,
                                            .models = models,
                                            .model_count = 1,
                                            .checkers = 1,
                                            .keep_all = true,
                                            .check = {ASSAY_OPTIONS_INIT},
                                            .finished = count,
                                            .context = seen};
}

static void earlier_runs_are_read(void **state)
{
    (void)state;
    static struct drive_summary run, earlier;
    unsigned seen = 0;
    char path[128];
    struct drive_campaign_settings s = settings_of(&seen);
    assay_error e = {0};
    snprintf(path, sizeof path, "%s/journal.jsonl", folder);

    assert_true(drive_campaign_read(&s, &earlier, &e)); /* there is none */
    assert_int_equal(earlier.histories, 0);
    assert_int_not_equal(access(path, F_OK), 0);

    assert_true(drive_campaign_run(&s, &run, &e));
    assert_int_equal(seen, 3);
    assert_true(drive_campaign_read(&s, &earlier, &e));
    assert_int_equal(seen, 6);
    assert_int_equal(earlier.histories, 3);
    assert_int_equal(earlier.earlier, 3);
    assert_int_equal(earlier.counts.committed, run.counts.committed);
    assert_int_equal(earlier.models[0].violations, run.models[0].violations);

    s.drive.keys = 3; /* another campaign */
    assert_false(drive_campaign_read(&s, &earlier, &e));
    assert_int_equal(e.code, ASSAY_ERROR_INPUT);
    for (unsigned i = 1; i <= 3; i++) {
        drive_path(folder, i, ".hist", path, sizeof path);
        assert_int_equal(unlink(path), 0);
    }
}

static int begin(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/assay-campaign-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    char path[128];
    snprintf(path, sizeof path, "%s/journal.jsonl", folder);
    unlink(path);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(earlier_runs_are_read, begin, end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
