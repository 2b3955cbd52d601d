/* SPDX-License-Identifier: Apache-2.0 */
/* The gates of the viewer: which lines are JSON, whose requests are answered, which paths there may be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "serve/broadcast.h"
#include "serve/json_object.h"
#include "serve/request.h"
#include "serve/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool object(const char *text)
{
    return json_object(text, strlen(text));
}

static void objects(void **state)
{
    (void)state;
    static const char *const fine[] = {
        "{}",
        " { } ",
        "{\"a\":1}",
        "{\"a\":-0.5e-10,\"b\":[],\"c\":[1,[2,{}]],\"d\":null,\"e\":true,\"f\":false}",
        "{\"\\u00e9\\\"\\\\\\/\\b\\f\\n\\r\\t\":\"\xc3\xa9\xf0\x9f\x98\x80\"}",
        "{\"a\" : 0 , \"a\" : 1E5 }",
    };
    static const char *const broken[] = {
        "",
        "[]",
        "1",
        "{",
        "{}}",
        "{} {}",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{,}",
        "{a:1}",
        "{'a':1}",
        "{\"a\":01}",
        "{\"a\":1.}",
        "{\"a\":.5}",
        "{\"a\":+1}",
        "{\"a\":1e}",
        "{\"a\":-}",
        "{\"a\":NaN}",
        "{\"a\":nul}",
        "{\"a\":\"\\x\"}",
        "{\"a\":\"\\u12g4\"}",
        "{\"a\":\"\\u12",
        "{\"a\":\"",
        "{\"a\":\"\\",
        "{\"a\":\"\t\"}",
        "{\"a\":[1 2]}",
        "{\"a\":[1}",
        "{\r\"a\":1}",
        "{\n\"a\":1}",
        "{\"a\":\"\xff\"}",
        "{\"a\":\"\xc0\x80\"}",
        "{\"a\":\"\xed\xa0\x80\"}",
        "{}\xe2",
    };
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++)
        if (!object(fine[i]))
            fail_msg("refused: %s", fine[i]);
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        if (object(broken[i]))
            fail_msg("taken: %s", broken[i]);
    assert_false(json_object("{}\0}", 4));
}

static void nesting(void **state)
{
    (void)state;
    for (unsigned depth = 1; depth < 3 * JSON_OBJECT_DEPTH; depth++) {
        char text[8 * JSON_OBJECT_DEPTH] = "{\"a\":";
        size_t n = strlen(text);
        memset(text + n, '[', depth);
        memset(text + n + depth, ']', depth);
        strcpy(text + n + 2 * depth, "}");
        assert_int_equal(object(text), depth <= JSON_OBJECT_DEPTH);
    }
}

static void requests(void **state)
{
    (void)state;
    const struct address here = {"127.0.0.1", 7420}, plain = {"127.0.0.1", 80}, six = {"[fe80::1]", 7420};
    const struct {
        const struct address *here;
        struct request_headers headers;
        bool ours;
    } cases[] = {
        {&here, {"127.0.0.1:7420"}, true},
        {&here, {"LocalHost:7420"}, true},
        {&here, {"[::1]:7420"}, true},
        {&six, {"[fe80::1]:7420"}, true},
        {&plain, {"localhost"}, true},
        {&here, {NULL}, false},
        {&here, {""}, false},
        {&here, {"127.0.0.1"}, false},
        {&here, {"127.0.0.1:74200"}, false},
        {&here, {"127.0.0.1:7420.evil.example"}, false},
        {&here, {"evil.example:7420"}, false},
        {&here, {"user@127.0.0.1:7420"}, false},
        {&here, {"127.0.0.1:7420", "http://127.0.0.1:7420"}, true},
        {&here, {"127.0.0.1:7420", "http://evil.example"}, false},
        {&here, {"127.0.0.1:7420", "http://127.0.0.1:7421"}, false},
        {&here, {"127.0.0.1:7420", "https://127.0.0.1:7420"}, false},
        {&here, {"127.0.0.1:7420", "null"}, false},
        {&here, {"127.0.0.1:7420", NULL, "same-origin", "cors"}, true},
        {&here, {"127.0.0.1:7420", NULL, "none", "navigate"}, true},
        {&here, {"127.0.0.1:7420", NULL, "cross-site", "navigate"}, true},
        {&here, {"127.0.0.1:7420", NULL, "cross-site", "no-cors"}, false},
        {&here, {"127.0.0.1:7420", NULL, "same-site", "cors"}, false},
        {&here, {"127.0.0.1:7420", NULL, "cross-site", NULL}, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (request_ours(cases[i].here, &cases[i].headers) != cases[i].ours)
            fail_msg("case %zu: Host %s", i, cases[i].headers.host);
}

static void escapes(void **state)
{
    (void)state;
    char out[8];
    assert_true(request_decode("a%20b%2F%C3", out, sizeof out));
    assert_string_equal(out, "a b/\xc3");
    assert_true(request_decode("1234567", out, sizeof out));
    static const char *const broken[] = {"12345678", "%", "%4", "%4g", "%g4", "%00", "a%00b", "1234567%41"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        if (request_decode(broken[i], out, sizeof out))
            fail_msg("decoded: %s", broken[i]);
}

static void paths(void **state)
{
    (void)state;
    static const char *const fine[] = {"a", "a.hist", "a/b/c.jsonl", "a b/\xc3\xa9", "a..b", "a/b.", "-"};
    static const char *const broken[] = {"",     "/",    "/a",     "a/",    "a//b", ".",    "..",
                                         "../a", "a/..", "a/../b", "a/./b", ".a",   "a/.b", "\xff"};
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++)
        if (!tree_path_fine(fine[i]))
            fail_msg("refused: %s", fine[i]);
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        if (tree_path_fine(broken[i]))
            fail_msg("taken: %s", broken[i]);
    char deep[2 * TREE_PATH];
    memset(deep, 'a', sizeof deep);
    deep[TREE_PATH - 1] = 0;
    assert_true(tree_path_fine(deep));
    deep[TREE_PATH - 1] = 'a';
    deep[TREE_PATH] = 0;
    assert_false(tree_path_fine(deep));
    for (size_t i = 1; i <= TREE_DEPTH; i++)
        deep[2 * i - 1] = '/';
    deep[2 * TREE_DEPTH + 1] = 0;
    assert_true(tree_path_fine(deep));
    strcpy(deep + 2 * TREE_DEPTH + 1, "/a");
    assert_false(tree_path_fine(deep));
}

/* ---- listeners ---- */

/* Two functions of output.c. That file itself cannot be here: it has a name of cmocka's. */
void *grow(void *at, size_t size);
char *copy_text(const char *text);

void *grow(void *at, size_t size)
{
    void *larger = realloc(at, size);
    assert_non_null(larger);
    return larger;
}

char *copy_text(const char *text)
{
    return strcpy(grow(NULL, strlen(text) + 1), text);
}

struct peer {
    bool left;
    unsigned waits, wakes;
};

static bool peer_left(void *peer)
{
    return ((struct peer *)peer)->left;
}

static void wait_for(void *peer)
{
    ((struct peer *)peer)->waits++;
}

static void wake(void *peer)
{
    ((struct peer *)peer)->wakes++;
}

/* Reads until it waits, or to the end. */
static bool read_all(struct broadcast *f, struct listener *l)
{
    char out[64];
    ssize_t n;
    while ((n = broadcast_read(f, l, out, sizeof out, wait_for)) > 0)
        ;
    return n == 0;
}

static void places(void **state)
{
    (void)state;
    static struct broadcast f;
    struct peer peers[BROADCAST_LISTENERS + 2] = {{0}};
    struct listener *l[BROADCAST_LISTENERS + 2];
    broadcast_init(&f, wake, peer_left);
    for (size_t i = 0; i < BROADCAST_LISTENERS; i++)
        assert_true((l[i] = broadcast_join(&f, &peers[i])) && read_all(&f, l[i]));
    assert_null(broadcast_join(&f, &peers[BROADCAST_LISTENERS]));
    peers[3].left = peers[5].left = true;
    assert_non_null(l[BROADCAST_LISTENERS] = broadcast_join(&f, &peers[BROADCAST_LISTENERS]));
    assert_int_equal(peers[3].wakes + peers[5].wakes, 2);
    assert_false(read_all(&f, l[3]));
    assert_int_equal(peers[3].waits, 1);
    broadcast_leave(&f, l[3]);
    assert_non_null(l[BROADCAST_LISTENERS + 1] = broadcast_join(&f, &peers[BROADCAST_LISTENERS + 1]));
    broadcast_post(&f, "file", "{}"); /* those that have no place are not woken again */
    assert_int_equal(peers[5].wakes, 1);
    assert_int_equal(peers[0].wakes, 1);
    assert_true(read_all(&f, l[0]));
    peers[0].left = true;
    broadcast_sweep(&f);
    assert_int_equal(peers[0].wakes, 2);
    assert_false(read_all(&f, l[0]));
    for (size_t i = 0; i < BROADCAST_LISTENERS + 2; i++)
        if (i != 3)
            broadcast_leave(&f, l[i]);
    broadcast_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects), cmocka_unit_test(nesting), cmocka_unit_test(requests),
        cmocka_unit_test(escapes), cmocka_unit_test(paths),   cmocka_unit_test(places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
