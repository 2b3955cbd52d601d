/* SPDX-License-Identifier: Apache-2.0 */
/* Which requests are answered? Those of the user's own browser and scripts, and of no other page.
 *
 * A page of another site can make the browser send requests to this machine. It could read the answers if a name of its
 * own pointed to this machine (DNS rebinding). So the header Host must name the address that is served, and
 * Origin, where there is one, as well. A browser that says that another site wants something other than to go here
 * (Sec-Fetch-Site, Sec-Fetch-Mode) is refused, too. */
#ifndef ASSAY_CLI_SERVE_REQUEST_H
#define ASSAY_CLI_SERVE_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

struct request_headers { /* NULL: absent */
    const char *host, *origin, *fetch_site, *fetch_mode;
};

struct address {
    char host[64]; /* as a URL has it: 127.0.0.1, [::1] */
    unsigned port;
};

/* Is it an address that only this machine reaches? */
bool request_loopback(const struct address *here);

bool request_ours(const struct address *here, const struct request_headers *h);

/* `%41` and the like. False: the text is too long, an escape is none, or it stands for NUL. */
bool request_decode(const char *text, char *out, size_t size);

#endif
