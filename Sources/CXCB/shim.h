#include <stdlib.h>
#include <xcb/xcb.h>
#include <xcb/xcbext.h>

/* How long ago the server last saw input, in milliseconds; below 0 when it does not say. The extension MIT-SCREEN-SAVER, request
   QueryInfo: its own library is not everywhere. */
static inline long baton_x_idle(xcb_connection_t *connection, xcb_drawable_t drawable) {
    static xcb_extension_t extension = {"MIT-SCREEN-SAVER", 0};
    const xcb_query_extension_reply_t *found = xcb_get_extension_data(connection, &extension);
    if (found == NULL || !found->present) return -1;
    struct { uint8_t major, minor; uint16_t length; uint32_t drawable; } request = {0, 0, 0, drawable};
    xcb_protocol_request_t protocol = {.count = 2, .ext = &extension, .opcode = 1, .isvoid = 0};
    struct iovec parts[4] = {{0}, {0}, {&request, sizeof request}, {NULL, 0}};
    unsigned int sequence = xcb_send_request(connection, XCB_REQUEST_CHECKED, parts + 2, &protocol);
    /* state, window, milliseconds until it saves, milliseconds since the input, mask, kind */
    struct { uint8_t type, state; uint16_t sequence; uint32_t length, window, until, since, mask; uint8_t kind, pad[7]; } *reply;
    reply = xcb_wait_for_reply(connection, sequence, NULL);
    if (reply == NULL) return -1;
    long since = reply->since;
    free(reply);
    return since;
}
