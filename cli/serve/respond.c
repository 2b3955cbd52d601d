/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/respond.h"

#include <string.h>

#define NOWHERE "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

static const char *const policies[] = {
    [POLICY_VIEWER] =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; " NOWHERE,
    [POLICY_REPORT] = "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; "
                      "style-src 'unsafe-inline'; img-src data:; " NOWHERE,
    [POLICY_DATA] = "sandbox; default-src 'none'; " NOWHERE,
};

void dress(struct MHD_Response *r, const char *type, enum policy policy)
{
    const char *const headers[][2] = {
        {"Content-Type", type},
        {"Content-Security-Policy", policies[policy]},
        {"X-Content-Type-Options", "nosniff"},
        {"X-Frame-Options", "DENY"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cache-Control", "no-store"},
    };
    for (size_t i = 0; r && i < sizeof headers / sizeof *headers; i++)
        MHD_add_response_header(r, headers[i][0], headers[i][1]);
}

enum MHD_Result send_response(struct MHD_Connection *c, unsigned status, struct MHD_Response *r)
{
    if (!r)
        return MHD_NO;
    enum MHD_Result sent = MHD_queue_response(c, status, r);
    MHD_destroy_response(r);
    return sent;
}

enum MHD_Result send_line(struct MHD_Connection *c, unsigned status, const char *line)
{
    char text[128];
    size_t n = strlen(line) < sizeof text - 1 ? strlen(line) : sizeof text - 2;
    memcpy(text, line, n);
    text[n] = '\n';
    struct MHD_Response *r = MHD_create_response_from_buffer(n + 1, text, MHD_RESPMEM_MUST_COPY);
    dress(r, "text/plain; charset=utf-8", POLICY_DATA);
    if (r && status == MHD_HTTP_METHOD_NOT_ALLOWED)
        MHD_add_response_header(r, "Allow", "GET, HEAD");
    if (r && status == MHD_HTTP_SERVICE_UNAVAILABLE)
        MHD_add_response_header(r, "Retry-After", "5");
    return send_response(c, status, r);
}
