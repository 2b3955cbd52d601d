/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/request.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* HOST:PORT. Without a port it is 80, which browsers leave out. */
static bool names_us(const struct address *here, const char *text)
{
    const char *const hosts[] = {here->host, "127.0.0.1", "localhost", "[::1]"};
    char whole[96];
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
        snprintf(whole, sizeof whole, "%s:%u", hosts[i], here->port);
        if (strcasecmp(text, whole) == 0 || (here->port == 80 && strcasecmp(text, hosts[i]) == 0))
            return true;
    }
    return false;
}

bool request_loopback(const struct address *here)
{
    return strncmp(here->host, "127.", 4) == 0 || strcmp(here->host, "[::1]") == 0;
}

static bool origin_fine(const struct address *here, const char *origin)
{
    static const char scheme[] = "http://";
    return strncasecmp(origin, scheme, sizeof scheme - 1) == 0 && names_us(here, origin + sizeof scheme - 1);
}

static bool fetch_fine(const char *site, const char *mode)
{
    return !site || strcmp(site, "same-origin") == 0 || strcmp(site, "none") == 0 ||
           (mode && strcmp(mode, "navigate") == 0);
}

bool request_ours(const struct address *here, const struct request_headers *h)
{
    return h->host && names_us(here, h->host) && (!h->origin || origin_fine(here, h->origin)) &&
           fetch_fine(h->fetch_site, h->fetch_mode);
}

static int hexadecimal(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c ? strchr(digits, c >= 'A' && c <= 'F' ? c + ('a' - 'A') : c) : NULL;
    return at ? (int)(at - digits) : -1;
}

bool request_decode(const char *text, char *out, size_t size)
{
    size_t n = 0;
    for (; *text; text++) {
        char c = *text;
        if (c == '%') {
            int high = hexadecimal(text[1]), low = high < 0 ? -1 : hexadecimal(text[2]);
            if (low < 0 || high * 16 + low == 0)
                return false;
            c = (char)(high * 16 + low);
            text += 2;
        }
        if (n + 1 >= size)
            return false;
        out[n++] = c;
    }
    out[n] = 0;
    return true;
}
