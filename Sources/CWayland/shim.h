// libwayland-client, and what Swift cannot say to it: addresses of its constants, calls with a variable number of
// arguments, and the protocol wlr-layer-shell-unstable-v1
// (https://gitlab.freedesktop.org/wlroots/wlr-protocols/-/blob/master/unstable/wlr-layer-shell-unstable-v1.xml), which
// Debian's wayland-protocols does not have.
#pragma once

#include <stdint.h>
#include <wayland-client.h>

// The layer shell, versions 1 to 4, as far as it is used here: messages are numbered by their place, so those between
// stand here too.

enum {
    BATON_LAYER_SHELL_NEWEST = 4,
    BATON_GET_LAYER_SURFACE = 0,
    BATON_LAYER_SURFACE_SET_SIZE = 0,
    BATON_LAYER_SURFACE_SET_MARGIN = 3,
    BATON_UPPER_EDGE = 1,
    BATON_LAYER_SHELL_DESTROY = 1,
    BATON_LAYER_SHELL_DESTROY_SINCE = 3,
    BATON_LAYER_SURFACE_SET_ANCHOR = 1,
    BATON_LAYER_SURFACE_SET_EXCLUSIVE_ZONE = 2,
    BATON_LAYER_SURFACE_SET_KEYBOARD_INTERACTIVITY = 4,
    BATON_LAYER_SURFACE_ACKNOWLEDGE_CONFIGURE = 6,
    BATON_LAYER_SURFACE_DESTROY = 7,
    BATON_LAYER_OVERLAY = 3,
    BATON_ALL_EDGES = 1 | 2 | 4 | 8,
    BATON_WHOLE_OUTPUT = -1,
    BATON_KEYBOARD_EXCLUSIVE = 1,
    // Events.
    BATON_LAYER_SURFACE_CONFIGURE = 0,
    BATON_LAYER_SURFACE_CLOSED = 1,
};

static const struct wl_interface *const baton_layer_plain_types[4] = {0};

static const struct wl_message baton_layer_surface_requests[] = {
    {"set_size", "uu", (const struct wl_interface **)baton_layer_plain_types},
    {"set_anchor", "u", (const struct wl_interface **)baton_layer_plain_types},
    {"set_exclusive_zone", "i", (const struct wl_interface **)baton_layer_plain_types},
    {"set_margin", "iiii", (const struct wl_interface **)baton_layer_plain_types},
    {"set_keyboard_interactivity", "u", (const struct wl_interface **)baton_layer_plain_types},
    {"get_popup", "o", (const struct wl_interface **)baton_layer_plain_types},
    {"ack_configure", "u", (const struct wl_interface **)baton_layer_plain_types},
    {"destroy", "", (const struct wl_interface **)baton_layer_plain_types},
};

static const struct wl_message baton_layer_surface_events[] = {
    {"configure", "uuu", (const struct wl_interface **)baton_layer_plain_types},
    {"closed", "", (const struct wl_interface **)baton_layer_plain_types},
};

static const struct wl_interface baton_layer_surface_interface = {
    "zwlr_layer_surface_v1", BATON_LAYER_SHELL_NEWEST, 8, baton_layer_surface_requests, 2, baton_layer_surface_events,
};

static const struct wl_interface *const baton_get_layer_surface_types[] = {
    &baton_layer_surface_interface, &wl_surface_interface, &wl_output_interface, 0, 0,
};

static const struct wl_message baton_layer_shell_requests[] = {
    {"get_layer_surface", "no?ous", (const struct wl_interface **)baton_get_layer_surface_types},
    {"destroy", "3", (const struct wl_interface **)baton_layer_plain_types},
};

static const struct wl_interface baton_layer_shell_interface = {
    "zwlr_layer_shell_v1", BATON_LAYER_SHELL_NEWEST, 2, baton_layer_shell_requests, 0, 0,
};

// What a registry has, by its number there. At most the version that is spoken here; NULL without memory.

static inline uint32_t baton_least(uint32_t one, uint32_t other) { return one < other ? one : other; }

static inline struct wl_compositor *baton_bind_compositor(struct wl_registry *registry, uint32_t name) {
    return (struct wl_compositor *)wl_registry_bind(registry, name, &wl_compositor_interface, 1);
}

static inline struct wl_shm *baton_bind_shm(struct wl_registry *registry, uint32_t name) {
    return (struct wl_shm *)wl_registry_bind(registry, name, &wl_shm_interface, 1);
}

static inline struct wl_output *baton_bind_output(struct wl_registry *registry, uint32_t name, uint32_t version) {
    return (struct wl_output *)wl_registry_bind(
        registry, name, &wl_output_interface, baton_least(version, WL_OUTPUT_RELEASE_SINCE_VERSION));
}

static inline void baton_leave_output(struct wl_output *output) {
    if (wl_output_get_version(output) >= WL_OUTPUT_RELEASE_SINCE_VERSION) {
        wl_output_release(output);
    } else {
        wl_output_destroy(output);
    }
}

struct baton_layer_shell;
struct baton_layer_surface;

static inline struct baton_layer_shell *baton_bind_layer_shell(
    struct wl_registry *registry, uint32_t name, uint32_t version) {
    return (struct baton_layer_shell *)wl_registry_bind(
        registry, name, &baton_layer_shell_interface, baton_least(version, BATON_LAYER_SHELL_NEWEST));
}

static inline void baton_leave_layer_shell(struct baton_layer_shell *shell) {
    struct wl_proxy *proxy = (struct wl_proxy *)shell;
    if (wl_proxy_get_version(proxy) >= BATON_LAYER_SHELL_DESTROY_SINCE) {
        wl_proxy_marshal_flags(
            proxy, BATON_LAYER_SHELL_DESTROY, 0, wl_proxy_get_version(proxy), WL_MARSHAL_FLAG_DESTROY);
    } else {
        wl_proxy_destroy(proxy);
    }
}

// A surface on the overlay, above all else but what comes there later; NULL without memory.
static inline struct wl_proxy *baton_make_overlay(
    struct baton_layer_shell *shell, struct wl_surface *surface, struct wl_output *output, const char *name) {
    return wl_proxy_marshal_flags(
        (struct wl_proxy *)shell, BATON_GET_LAYER_SURFACE, &baton_layer_surface_interface,
        wl_proxy_get_version((struct wl_proxy *)shell), 0, NULL, surface, output, (uint32_t)BATON_LAYER_OVERLAY, name);
}

// Makes of a surface one that covers all of an output, above all else but what comes to the overlay later, and has the
// keyboard. Its size comes with the first event; NULL without memory.
static inline struct baton_layer_surface *baton_make_cover(
    struct baton_layer_shell *shell, struct wl_surface *surface, struct wl_output *output, const char *name) {
    struct wl_proxy *proxy = baton_make_overlay(shell, surface, output, name);
    if (proxy) {
        uint32_t version = wl_proxy_get_version(proxy);
        wl_proxy_marshal_flags(
            proxy, BATON_LAYER_SURFACE_SET_ANCHOR, NULL, version, 0, (uint32_t)BATON_ALL_EDGES);
        wl_proxy_marshal_flags(
            proxy, BATON_LAYER_SURFACE_SET_EXCLUSIVE_ZONE, NULL, version, 0, (int32_t)BATON_WHOLE_OUTPUT);
        wl_proxy_marshal_flags(
            proxy, BATON_LAYER_SURFACE_SET_KEYBOARD_INTERACTIVITY, NULL, version, 0,
            (uint32_t)BATON_KEYBOARD_EXCLUSIVE);
    }
    return (struct baton_layer_surface *)proxy;
}

// Makes of a surface one of that size at these edges of an output, above all else but what comes to the overlay later. It
// never has the keyboard. NULL without memory.
static inline struct baton_layer_surface *baton_make_notice(
    struct baton_layer_shell *shell, struct wl_surface *surface, struct wl_output *output, const char *name,
    uint32_t width, uint32_t height, uint32_t edges, int32_t margin) {
    struct wl_proxy *proxy = baton_make_overlay(shell, surface, output, name);
    if (proxy) {
        uint32_t version = wl_proxy_get_version(proxy);
        wl_proxy_marshal_flags(proxy, BATON_LAYER_SURFACE_SET_SIZE, NULL, version, 0, width, height);
        wl_proxy_marshal_flags(proxy, BATON_LAYER_SURFACE_SET_ANCHOR, NULL, version, 0, edges);
        wl_proxy_marshal_flags(
            proxy, BATON_LAYER_SURFACE_SET_MARGIN, NULL, version, 0, margin, margin, margin, margin);
    }
    return (struct baton_layer_surface *)proxy;
}

static inline void baton_acknowledge_size(struct baton_layer_surface *surface, uint32_t serial) {
    struct wl_proxy *proxy = (struct wl_proxy *)surface;
    wl_proxy_marshal_flags(
        proxy, BATON_LAYER_SURFACE_ACKNOWLEDGE_CONFIGURE, NULL, wl_proxy_get_version(proxy), 0, serial);
}

static inline void baton_leave_layer_surface(struct baton_layer_surface *surface) {
    struct wl_proxy *proxy = (struct wl_proxy *)surface;
    wl_proxy_marshal_flags(
        proxy, BATON_LAYER_SURFACE_DESTROY, NULL, wl_proxy_get_version(proxy), WL_MARSHAL_FLAG_DESTROY);
}
