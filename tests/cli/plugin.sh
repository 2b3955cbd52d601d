#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A specification of one's own (examples/ticket.c) builds against what is installed, and the program and a user's program
# check with it; one that lacks something is refused.
set -eu
. "$(dirname "$0")/../support/expect.sh"
root=$(realpath "$(dirname "$0")/../..")
build=${ASSAY_BUILD:?the build folder}
. "$(dirname "$0")/../support/scratch.sh"
cmake --install "$build" --prefix "$scratch/usr" >/dev/null
assay=usr/bin/assay
shared() { cc -std=c11 -Wall -Wextra -Werror -Wno-missing-field-initializers -Iusr/include -shared -fPIC -o "$@"; }

shared ticket.so "$root/examples/ticket.c"
cp "$root/examples/ticket.hist" .
expect 1 'ticket.hist: consistent with lin' "$assay" check -m lin --spec ./ticket.so ticket.hist
expect 1 'ticket.hist#1: VIOLATION of lin' "$assay" check -m lin --spec ./ticket.so ticket.hist
expect 0 'lin' "$assay" grade --spec ./ticket.so ticket.hist
# Proofs need the specification, too.
expect 1 VIOLATION "$assay" check -m lin --spec ./ticket.so --evidence proofs.jsonl ticket.hist
expect 0 'proofs.jsonl:1: accepted' "$assay" recheck --spec ./ticket.so ticket.hist proofs.jsonl
expect 0 'proofs.jsonl:2: accepted' "$assay" recheck --spec ./ticket.so ticket.hist proofs.jsonl
expect 2 "knows no object 'ticket" "$assay" recheck ticket.hist proofs.jsonl
# The parameter is the declared one, -o's, or missing.
sed 1,2d ticket.hist >bare.hist
expect 1 'bare.hist: VIOLATION of lin' "$assay" check -m lin --spec ./ticket.so -o 'ticket(3)' bare.hist
expect 2 'say how many tickets there are' "$assay" check -m lin --spec ./ticket.so bare.hist
printf '# @object ticket(2)\na: sell() => 1 @ 1..2\n' >method.hist
expect 2 "method.hist:2:4: the object ticket has no method 'sell'" "$assay" check -m lin --spec ./ticket.so method.hist

# What is not a specification.
expect 2 'cannot load the specification' "$assay" check --spec ./absent.so ticket.hist
echo 'int nothing;' >empty.c
shared empty.so empty.c
expect 2 'exports no assay_spec_plugin' "$assay" check --spec ./empty.so ticket.hist
sed 's/ASSAY_SPEC_VERSION/ASSAY_SPEC_VERSION + 1/' "$root/examples/ticket.c" >later.c
shared later.so later.c
expect 2 'built for another version' "$assay" check --spec ./later.so ticket.hist
sed '/\.undo = undo/d; s/^static void undo/void undo/' "$root/examples/ticket.c" >lame.c
shared lame.so lame.c
expect 2 'lacks a name, methods or a hook' "$assay" check --spec ./lame.so ticket.hist

sed 's/ASSAY_NO_KEY/7/' "$root/examples/ticket.c" >keyless.c
shared keyless.so keyless.c
expect 2 'the key of take is its argument 7, and it has 0' "$assay" check --spec ./keyless.so ticket.hist

# An implementation of the object.
cp "$root/tests/support/ticket_adapter.c" adapter.c
shared adapter.so adapter.c
expect 0 'no violation of lin' "$assay" stress --load ./adapter.so --spec ./ticket.so --runs 100

# A hook that breaks its contract is named, with the calls, and neither a check nor stress believes it.
expect 0 'ticket: no broken contract was found' "$assay" list --test-spec ./ticket.so
broken() { # the hook, how to break it
    sed "$2" "$root/examples/ticket.c" >broken.c
    ! cmp -s broken.c "$root/examples/ticket.c" || fault "the example has no line for $1"
    cc -std=c11 -Iusr/include -shared -fPIC -o "broken-$1.so" broken.c
    expect 1 "$1: " "$assay" list --test-spec "./broken-$1.so"
    expect 1 'after create' "$assay" list --test-spec "./broken-$1.so"
    expect 2 'the specification ticket breaks a contract' "$assay" check -m lin --spec "./broken-$1.so" ticket.hist
    expect 2 "breaks a contract: $1: " "$assay" stress --load ./adapter.so --spec "./broken-$1.so" --runs 100
}
broken undo 's/->taken--;/->taken -= 0;/'
broken undo 's/->taken--;/->taken -= ((struct dispenser *)state)->taken > 12 ? 0 : 1;/' # in deep states only
broken copy 's/\*d = \*(const struct dispenser \*)state;/*d = (struct dispenser){0, ((const struct dispenser *)state)->tickets};/'
broken digest 's/assay_digest(.*, out);/out[0] = out[1] = 7;/; /\.equal = equal,/d'
broken equal 's/assay_digest(.*, out);/out[0] = out[1] = 7;/; s/->taken == ((const.*;/->taken < 99;/'

# An undo that is wrong where nobody looked cannot prove anything: recheck makes the steps again, and stress asks it.
sed 's/->taken--;/->taken -= ((struct dispenser *)state)->tickets == 77 ? 0 : 1;/' "$root/examples/ticket.c" >hidden.c
! cmp -s hidden.c "$root/examples/ticket.c" || fault 'the example has no line for a hidden fault'
shared hidden.so hidden.c
expect 0 'no broken contract was found' "$assay" list --test-spec ./hidden.so
printf '# @object ticket(77)\na: take() => 1 @ 1..4\nb: take() => 2 @ 2..3\n' >hidden.hist
expect 0 'consistent with lin' "$assay" check -m lin --spec ./ticket.so hidden.hist
expect 1 'VIOLATION' "$assay" check -m lin --spec ./hidden.so --evidence hidden.jsonl hidden.hist
expect 1 'hidden.jsonl:1: REFUSED' "$assay" recheck --spec ./hidden.so hidden.hist hidden.jsonl
printf '# @object ticket(77)\na: take() => 2 @ 1..4\nb: take() => 3 @ 2..3\nc: take() => 3 @ 1..4\n' >twice.hist
expect 1 'VIOLATION' "$assay" check -m lin --spec ./hidden.so --evidence twice.jsonl twice.hist
expect 0 'twice.jsonl:1: accepted' "$assay" recheck --spec ./hidden.so twice.hist twice.jsonl
for model in level:weak level:causal level:complete; do
    expect 1 'VIOLATION' "$assay" check -m $model --spec ./hidden.so --evidence weak.jsonl hidden.hist
    expect 1 'weak.jsonl:1: REFUSED' "$assay" recheck --spec ./hidden.so hidden.hist weak.jsonl
    rm weak.jsonl
done
sed 's/ticket(9)/ticket(77)/' adapter.c >many.c
shared many.so many.c
"$assay" stress --load ./many.so --spec ./hidden.so --runs 2000 >said 2>&1 && status=0 || status=$?
[ $status = 0 ] || { [ $status = 2 ] && grep -q 'that recheck refuses' said; } || fault "a right adapter: $status: $(cat said)"

# A method of which the object knows no call is left out, and the outcome says so.
sed 's/^static void \*create/static const char *refuse_call(const assay_call *c) { return c->method == LEFT ? "it is closed" : NULL; }\n&/
    s/    .create = create,/    .refuse_call = refuse_call,\n&/' "$root/examples/ticket.c" >closed.c
shared closed.so closed.c
sed 's/{"take", 1, NULL},/{"take", 1, NULL}, {"left", 1, NULL},/' adapter.c >both.c
shared both.so both.c
expect 0 'left out: left, since no call of it is valid (it is closed)' "$assay" stress --load ./both.so --spec ./closed.so \
    --runs 50 --out closed
[ -z "$(grep -h 'left()' closed/*.hist)" ] || fault "a call of a method that is left out: $(cat closed/*.hist)"

# From a user's program. A sanitized library asks its users for the sanitizer: not what this is about.
if ! grep -q '^ASSAY_SANITIZE:STRING=.' "$build/CMakeCache.txt"; then
    cat >user.c <<'END'
#include <assay_spec.h>

int main(void)
{
    assay_error e = {ASSAY_OK};
    assay_options options = {ASSAY_OPTIONS_INIT, .spec = assay_spec_load("./ticket.so", &e)};
    assay_reader *reader = assay_reader_open("ticket.hist", NULL, &e);
    assay_history *h = assay_reader_next(reader, &e);
    assay_result *r = assay_check(h, "lin", &options, &e);
    puts(r ? assay_verdict_name(assay_result_verdict(r)) : e.message);
    assay_result_free(r);
    assay_history_free(h);
    assay_reader_close(reader);
    return 0;
}
END
    lib=$(dirname "$(find usr -name libassay.a)")
    cc -Iusr/include user.c -L"$lib" -lassay -o user
    expect 0 consistent env LD_LIBRARY_PATH="$lib" ./user
fi
echo "plugin: examples/ticket.c serves, and what lacks something is refused"
