/* SPDX-License-Identifier: Apache-2.0 */
/* Random clients of a simulated multiprocessor with caches. Parameters choose the protocol that keeps them coherent,
 * the kind of core, and a bug, if any. The parts are in coherence/; docs/guides/memories.md describes them.
 *
 * Invariant: no value is written twice to a variable, and 0 is the initial value. Without a bug, cores of the kind sc
 * give histories that satisfy sc, cores of the kind tso histories that satisfy tso. */
#include "base/error.h"
#include "collect/coherence/machine.h"

/* ---- parameters ---- */

static const char *const protocol_names[] = {"mi", "mesi", "moesi", "moesi-amd", NULL};
static const struct protocol *const protocols[] = {&protocol_mi, &protocol_mesi, &protocol_moesi, &protocol_moesi_amd};

static const char *const core_names[] = {"sc", "tso", NULL};
static const struct core_kind *const cores[] = {&core_sc, &core_tso};

static const char *const bug_names[] = {"none",
#define X(ident, name, protocols, cores, summary) name,
#include "collect/coherence/bugs.def"
#undef X
                                        NULL};

static const struct {
    unsigned protocols, cores; /* where it is possible, as bits */
} bugs[] = {
    {ANY_PROTOCOL, SC | TSO},
#define X(ident, name, protocols, cores, summary) {protocols, cores},
#include "collect/coherence/bugs.def"
#undef X
};

enum {
    PROTOCOL,
    CORE,
    BUG,
    THREADS,
    OPERATIONS,
    VARIABLES,
    READS,
    FENCES,
    RMWS,
    LINES,
    DELAY,
    ORDERED,
    MUTATE,
    DISTANCE,
    SHUFFLE
};

static const struct collect_parameter parameters[] = {
    [PROTOCOL] = {.name = "protocol",
                  .value = "P",
                  .help = "mi, mesi (two levels, a directory), moesi (broadcast) or moesi-amd (probes) (default: mi)",
                  .words = protocol_names},
    [CORE] = {.name = "core",
              .value = "C",
              .help = "sc (in order) or tso (with a store buffer) (default: sc)",
              .words = core_names},
    [BUG] = {.name = "bug",
             .value = "BUG",
             .help = "build in one of the bugs below (default: none)",
             .words = bug_names},
    [THREADS] = {.name = "threads",
                 .value = "K",
                 .help = "number of cores (default: 4)",
                 .fallback = 4,
                 .least = 1,
                 .most = MOST_CORES},
    [OPERATIONS] = {.name = "operations",
                    .value = "N",
                    .help = "number of operations of all threads together (default: 100)",
                    .fallback = 100,
                    .least = 1,
                    .most = 1 << 26,
                    .also = "ops"},
    [VARIABLES] = {.name = "variables",
                   .value = "D",
                   .help = "number of variables, each in a cache line of its own (default: 4)",
                   .fallback = 4,
                   .least = 1,
                   .most = 1 << 20},
    [READS] =
        {.name = "reads", .value = "PERCENT", .help = "share of reads (default: 50)", .fallback = 50, .most = 100},
    [FENCES] =
        {.name = "fences", .value = "PERCENT", .help = "share of fences (default: 5)", .fallback = 5, .most = 50},
    [RMWS] = {.name = "rmws",
              .value = "PERCENT",
              .help = "share of read-modify-writes (default: 5)",
              .fallback = 5,
              .most = 50},
    [LINES] = {.name = "lines",
               .value = "L",
               .help = "lines per cache (default: 2)",
               .fallback = 2,
               .least = 2,
               .most = 1 << 10},
    [DELAY] = {.name = "delay",
               .value = "T",
               .help = "a message takes 1 to T steps, and one in eight up to 8 T (default: 20)",
               .fallback = 20,
               .least = 1,
               .most = 1 << 20},
    [ORDERED] = {.name = "ordered",
                 .help = "messages from one node to another do not overtake each other",
                 .most = 1,
                 .flag = true},
    [MUTATE] = ACCESS_MUTATE,
    [DISTANCE] = ACCESS_DISTANCE,
    [SHUFFLE] = ACCESS_SHUFFLE,
    {0},
};

/* ---- bugs that are possible ---- */

static void list_names(char *out, size_t size, const char *const *names, unsigned bits)
{
    size_t n = 0;
    for (unsigned i = 0; names[i] && n < size; i++)
        if (bits & (1u << i))
            n += (size_t)snprintf(out + n, size - n, "%s%s", n ? " or " : "", names[i]);
}

static void demand_possible(const struct collecting *c)
{
    uint64_t bug = c->values[BUG];
    bool protocol = bugs[bug].protocols & (1u << c->values[PROTOCOL]);
    bool core = bugs[bug].cores & (1u << c->values[CORE]);
    char fitting[64] = "";
    if (protocol && core)
        return;
    if (!protocol)
        list_names(fitting, sizeof fitting, protocol_names, bugs[bug].protocols);
    else
        list_names(fitting, sizeof fitting, core_names, bugs[bug].cores);
    error_set(c->error, ASSAY_ERROR_USAGE, "--bug: there is no %s in the %s %s", bug_names[bug],
              protocol ? "core" : "protocol",
              protocol ? core_names[c->values[CORE]] : protocol_names[c->values[PROTOCOL]]);
    error_remedy(c->error, "--%s %s has it", protocol ? "core" : "protocol", fitting);
    escape_raise(ESCAPE_ERROR);
}

/* ---- the collector ---- */

static void run(const struct collecting *c)
{
    demand_possible(c);
    struct machine m = {.c = c,
                        .mem = c->mem,
                        .rng = {c->seed},
                        .protocol = protocols[c->values[PROTOCOL]],
                        .kind = cores[c->values[CORE]],
                        .bug = (enum bug)c->values[BUG],
                        .cores = (uint32_t)c->values[THREADS],
                        .variables = (uint32_t)c->values[VARIABLES],
                        .lines = (uint32_t)c->values[LINES],
                        .delay = (uint32_t)c->values[DELAY],
                        .ordered = c->values[ORDERED],
                        .reads = (uint32_t)c->values[READS],
                        .fences = (uint32_t)c->values[FENCES],
                        .rmws = (uint32_t)c->values[RMWS]};
    machine_run(&m, (uint32_t)c->values[OPERATIONS]);
    access_mutate(&m.out, m.variables, c->values[MUTATE], c->values[DISTANCE], &m.rng, m.mem);
    if (c->values[SHUFFLE])
        access_shuffle(&m.out, m.cores, &m.rng, m.mem);
    access_emit(&m.out, m.cores, m.variables, 0, c);
}

const struct collector collector_coherence = {
    .name = "coherence",
    .title = "random clients of caches kept coherent by a protocol, maybe with a bug",
    .details = "without --bug, sc holds for --core sc, and tso for --core tso",
    .notes = "bugs:\n"
#define X(ident, name, protocols, cores, summary) "  " name ": " summary "\n"
#include "collect/coherence/bugs.def"
#undef X
    ,
    .object = "memory",
    .parameters = parameters,
    .run = run,
};
