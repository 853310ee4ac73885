#include <stdlib.h>
#include <string.h>
#include <xcb/xcb.h>
#include <xcb/xcbext.h>

/* What the server says of an extension; NULL: it has none. */
static inline const xcb_query_extension_reply_t *baton_x_extension(xcb_connection_t *connection, xcb_extension_t *extension) {
    const xcb_query_extension_reply_t *there = xcb_get_extension_data(connection, extension);
    return there != NULL && there->present ? there : NULL;
}

/* Sends a request of an extension whose own library is not everywhere, and returns its number. The first four bytes are filled in. */
static inline unsigned int baton_x_send(
    xcb_connection_t *connection, xcb_extension_t *extension, uint8_t opcode, int isAnswered, void *request, size_t size) {
    xcb_protocol_request_t protocol = {.count = 2, .ext = extension, .opcode = opcode, .isvoid = !isAnswered};
    struct iovec parts[4] = {{0}, {0}, {request, size}, {NULL, 0}};
    return xcb_send_request(connection, isAnswered ? XCB_REQUEST_CHECKED : 0, parts + 2, &protocol);
}

/* The same, and waits for the answer, which is the caller's to free; NULL: there is none. */
static inline void *baton_x_ask(
    xcb_connection_t *connection, xcb_extension_t *extension, uint8_t opcode, void *request, size_t size) {
    return xcb_wait_for_reply(connection, baton_x_send(connection, extension, opcode, 1, request, size), NULL);
}

/* How long ago the server last saw input, in milliseconds; below 0 when it does not say. The extension MIT-SCREEN-SAVER, request
   QueryInfo: its own library is not everywhere. */
static inline long baton_x_idle(xcb_connection_t *connection, xcb_drawable_t drawable) {
    static xcb_extension_t extension = {"MIT-SCREEN-SAVER", 0};
    if (baton_x_extension(connection, &extension) == NULL) return -1;
    struct { uint8_t major, minor; uint16_t length; uint32_t drawable; } request = {0, 0, 0, drawable};
    /* state, window, milliseconds until it saves, milliseconds since the input, mask, kind */
    struct { uint8_t type, state; uint16_t sequence; uint32_t length, window, until, since, mask; uint8_t kind, pad[7]; } *reply;
    reply = baton_x_ask(connection, &extension, 1, &request, sizeof request);
    if (reply == NULL) return -1;
    long since = reply->since;
    free(reply);
    return since;
}

/* The counter of the time without input, IDLETIME, once the extension SYNC is ready for alarms; 0: the server has none. Requests
   Initialize and ListSystemCounters. */
static inline uint32_t baton_x_idle_counter(xcb_connection_t *connection) {
    static xcb_extension_t extension = {"SYNC", 0};
    if (baton_x_extension(connection, &extension) == NULL) return 0;
    struct { uint8_t major, minor; uint16_t length; uint8_t version, revision, pad[2]; } first = {0, 0, 0, 3, 1, {0}};
    free(baton_x_ask(connection, &extension, 0, &first, sizeof first));
    struct { uint8_t major, minor; uint16_t length; } list = {0, 1, 0};
    struct { uint8_t type, pad; uint16_t sequence; uint32_t length, count, rest[5]; } *reply;
    reply = baton_x_ask(connection, &extension, 1, &list, sizeof list);
    if (reply == NULL) return 0;
    const uint8_t *byte = (const uint8_t *)(reply + 1), *end = byte + (size_t)reply->length * 4;
    uint32_t counter = 0;
    /* The counter's number, 64 bits of resolution, the length of its name, the name, and as much as makes whole words. */
    for (uint32_t number = 0; counter == 0 && number < reply->count && end - byte >= 14; number++) {
        uint16_t length;
        memcpy(&length, byte + 12, 2);
        size_t size = (14 + (size_t)length + 3) / 4 * 4;
        if ((size_t)(end - byte) < size) break;
        if (length == 8 && memcmp(byte + 14, "IDLETIME", 8) == 0) memcpy(&counter, byte, 4);
        byte += size;
    }
    free(reply);
    return counter;
}

/* Has the server tell, once, when a counter falls to a number of milliseconds or below. SYNC, request CreateAlarm. */
static inline void baton_x_tell_input(xcb_connection_t *connection, uint32_t alarm, uint32_t counter, uint32_t milliseconds) {
    static xcb_extension_t extension = {"SYNC", 0};
    /* Which of the values are there: all of them. An absolute value, a transition to below it, no next one, and an event. */
    struct {
        uint8_t major, minor; uint16_t length; uint32_t alarm, mask, counter, absolute, high, low, negative, step[2], events;
    } request = {0, 8, 0, alarm, 63, counter, 0, 0, milliseconds, 1, {0, 0}, 1};
    baton_x_send(connection, &extension, 8, 0, &request, sizeof request);
}

/* SYNC, request DestroyAlarm. */
static inline void baton_x_forget_alarm(xcb_connection_t *connection, uint32_t alarm) {
    static xcb_extension_t extension = {"SYNC", 0};
    struct { uint8_t major, minor; uint16_t length; uint32_t alarm; } request = {0, 11, 0, alarm};
    baton_x_send(connection, &extension, 11, 0, &request, sizeof request);
}

/* A client of the server, by the number that its resources begin with, and the process that has connected as it; 0: not known. */
struct baton_x_client { uint32_t base, pid; };

/* The clients of the server, those among them that have left it things to keep, and how many there are; below 0 when it does not
   say. The extension X-Resource 1.2, request QueryClientIds. `found` takes at most `most` of them. */
static inline long baton_x_clients(xcb_connection_t *connection, struct baton_x_client *found, long most) {
    static xcb_extension_t extension = {"X-Resource", 0};
    if (baton_x_extension(connection, &extension) == NULL) return -1;
    /* Whose: all clients'. What: the number of the process, if it is on this machine. */
    struct { uint8_t major, minor; uint16_t length; uint32_t count, client, mask; } request = {0, 4, 0, 1, 0, 2};
    struct { uint8_t type, pad; uint16_t sequence; uint32_t length, count, more[5]; } *reply;
    reply = baton_x_ask(connection, &extension, 4, &request, sizeof request);
    if (reply == NULL) return -1;
    const uint32_t *word = (const uint32_t *)(reply + 1), *end = word + reply->length;
    long count = 0;
    for (uint32_t number = 0; number < reply->count && end - word >= 3; number++) {
        /* client, what is said of it, how many bytes that is */
        uint32_t words = word[2] / 4;
        if (words > (size_t)(end - word) - 3) break;
        if (count < most) found[count] = (struct baton_x_client){word[0], words > 0 ? word[3] : 0};
        count++;
        word += 3 + words;
    }
    free(reply);
    return count;
}

/* A part of a screen that one monitor shows, in pixels. */
struct baton_x_monitor { int16_t x, y; uint16_t width, height; };

/* The monitors of a root window that show something, those among them that fit, and how many there are; below 0 when the server does not
   say. The extension RANDR 1.5, request GetMonitors: its own library is not everywhere. `found` takes at most `most` of them. */
static inline long baton_x_monitors(xcb_connection_t *connection, xcb_window_t root, struct baton_x_monitor *found, long most) {
    static xcb_extension_t extension = {"RANDR", 0};
    if (baton_x_extension(connection, &extension) == NULL) return -1;
    struct { uint8_t major, minor; uint16_t length; uint32_t root; uint8_t active, pad[3]; } request = {0, 0, 0, root, 1, {0}};
    struct { uint8_t type, pad; uint16_t sequence; uint32_t length, time, count, outputs, more[3]; } *reply;
    reply = baton_x_ask(connection, &extension, 42, &request, sizeof request);
    if (reply == NULL) return -1;
    struct { uint32_t name; uint8_t primary, automatic; uint16_t outputs; struct baton_x_monitor place; uint32_t size[2]; } one;
    const uint32_t *word = (const uint32_t *)(reply + 1), *end = word + reply->length;
    long count = 0;
    /* A monitor, then the number of each of its outputs; the header of a reply has room for all that is above. */
    for (uint32_t number = 0; number < reply->count && (size_t)(end - word) >= sizeof one / 4; number++) {
        memcpy(&one, word, sizeof one);
        if ((size_t)(end - word) - sizeof one / 4 < one.outputs) break;
        if (count < most) found[count] = one.place;
        count++;
        word += sizeof one / 4 + one.outputs;
    }
    free(reply);
    return count;
}

/* Asks to be told when monitors come, go or move. Returns the number of the first of its two events; below 0: there are none. */
static inline int baton_x_watch_monitors(xcb_connection_t *connection, xcb_window_t root) {
    static xcb_extension_t extension = {"RANDR", 0};
    const xcb_query_extension_reply_t *there = baton_x_extension(connection, &extension);
    if (there == NULL) return -1;
    /* The screen as a whole, and what an output shows of it. */
    struct { uint8_t major, minor; uint16_t length; uint32_t root; uint16_t mask, pad; } request = {0, 0, 0, root, 1 | 2, 0};
    baton_x_send(connection, &extension, 4, 0, &request, sizeof request);
    return there->first_event;
}
