/* SPDX-License-Identifier: Apache-2.0 */
/* psi orders two writers t, u of a key. Let t read another key from s, which u overwrites after s. If u came before t,
 * psi would order u before s. So t comes before u: rw between writers of one key orders them. If there is rw both ways,
 * each order of the two fails. This is a cycle of two steps, where a proof by cases has a lemma for each order. */
#include "transaction/concurrent.h"

static uint32_t write_of(const struct txn_view *v, uint32_t t, uint32_t key)
{
    for (uint32_t w = v->writes_at[t]; w < v->writes_at[t + 1]; w++)
        if (v->write_key[w] == key)
            return w;
    return ID_NONE;
}

static bool reads_from(const struct txn_view *v, uint32_t t, uint32_t source)
{
    for (uint32_t i = v->reads_at[t]; i < v->reads_at[t + 1]; i++)
        if (v->reads[i].source != TXN_INIT && v->writer[v->reads[i].source] == source)
            return true;
    return false;
}

/* Does one step lead from the writer of the version to u, which writes its key? */
static bool is_before(const struct txn_view *v, uint32_t version, uint32_t u, uint32_t write, assay_rule *rule)
{
    uint32_t s = v->writer[version];
    bool session = v->chain[s] == v->chain[u] && s < u;
    bool shown = v->version && v->version[version] < v->version[write];
    *rule = session ? ASSAY_PO : shown ? ASSAY_VO : ASSAY_WR;
    return session || shown || reads_from(v, u, s);
}

/* Adds the reason of rw from t to u. False: there is no simple one. */
static bool add_rw(struct evidence *ev, const struct txn_view *v, uint32_t t, uint32_t u)
{
    for (uint32_t i = v->reads_at[t]; i < v->reads_at[t + 1]; i++) {
        uint32_t source = v->reads[i].source, write = write_of(v, u, v->reads[i].key);
        assay_rule rule;
        if (write == ID_NONE || source == write)
            continue;
        if (source != TXN_INIT && !is_before(v, source, u, write, &rule))
            continue;
        if (source != TXN_INIT)
            evidence_step(ev, rule, v->op[v->writer[source]], v->op[u], ASSAY_NO_REASON);
        evidence_reason(ev, ASSAY_RW, v->op[t], v->op[u], v->op[t]);
        return true;
    }
    return false;
}

bool concurrent_pair(const struct job *job, const struct txn_view *v)
{
    struct evidence *ev = &job->out->evidence, pair = evidence_in(job->mem);
    const uint32_t *txn = txn_view_by_operation(v, job->mem);
    for (uint32_t i = 0; i < ev->steps.n; i++) {
        assay_step s = ev->steps.at[i];
        if (s.rule != ASSAY_CASE)
            continue;
        evidence_drop_refutation(&pair);
        if (!add_rw(&pair, v, txn[s.from], txn[s.to]) || !add_rw(&pair, v, txn[s.to], txn[s.from]))
            continue;
        evidence_drop_refutation(ev);
        add_rw(ev, v, txn[s.from], txn[s.to]);
        add_rw(ev, v, txn[s.to], txn[s.from]);
        evidence_step(ev, ASSAY_RW, s.from, s.to, 0);
        evidence_step(ev, ASSAY_RW, s.to, s.from, 1);
        evidence_cycle(ev, PATTERN_ConcurrentWrites);
        return true;
    }
    return false;
}
