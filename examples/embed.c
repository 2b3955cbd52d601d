/* SPDX-License-Identifier: Apache-2.0 */
/* Builds a history in memory, checks it, and walks the refutation. docs/reference/library.md explains it.
 *   cc embed.c $(pkg-config --cflags --libs assay) && ./a.out */
#include <assay.h>
#include <stdio.h>

static void add_write(assay_history *h, const char *thread, const char *x, int64_t v, assay_error *e)
{
    assay_value args[] = {assay_word(x), assay_int(v)};
    assay_operation write = ASSAY_OPERATION_INIT;
    write.thread = thread;
    write.method = "write";
    write.args = args;
    write.arg_count = 2;
    assay_history_add(h, &write, e);
}

static void add_read(assay_history *h, const char *thread, const char *x, int64_t v, assay_error *e)
{
    assay_value args[] = {assay_word(x)};
    assay_operation read = ASSAY_OPERATION_INIT;
    read.thread = thread;
    read.method = "read";
    read.args = args;
    read.arg_count = 1;
    read.result = assay_int(v);
    assay_history_add(h, &read, e);
}

static void print_op(const assay_history *h, uint32_t op)
{
    char text[200];
    assay_history_print(h, op, text, sizeof text);
    printf("%s", text);
}

static void explain(const assay_history *h, const assay_result *r)
{
    const assay_step *cycle;
    size_t n = assay_result_cycle(r, &cycle);
    for (size_t i = 0; i < n; i++) {
        print_op(h, cycle[i].from);
        printf("  -%s->  ", assay_rule_name(cycle[i].rule));
        print_op(h, cycle[i].to);
        if (cycle[i].reason != ASSAY_NO_REASON) {
            printf("  because of ");
            print_op(h, assay_result_reason(r, cycle[i].reason).read);
        }
        printf("\n");
    }
}

static void check(const assay_history *h, const char *model)
{
    assay_error e = ASSAY_ERROR_INIT;
    assay_options options = {ASSAY_OPTIONS_INIT};
    options.seconds = 10;
    options.evidence = true;
    assay_result *r = assay_check(h, model, &options, &e);
    if (!r) {
        printf("%s: error: %s\n", model, e.message);
        return;
    }
    printf("%s: %s\n", model, assay_verdict_name(assay_result_verdict(r)));
    if (assay_result_verdict(r) == ASSAY_VIOLATION)
        explain(h, r);
    assay_result_free(r);
}

int main(void)
{
    assay_error e = ASSAY_ERROR_INIT;
    assay_history *h = assay_history_new();
    if (!h)
        return 2;
    add_write(h, "t0", "x", 1, &e);
    add_read(h, "t0", "x", 2, &e);
    add_write(h, "t1", "x", 2, &e);
    add_read(h, "t1", "x", 1, &e);
    if (e.code)
        fprintf(stderr, "%s\n", e.message);
    check(h, "cm");
    check(h, "ccv");
    assay_history_free(h);
    return e.code ? 2 : 0;
}
