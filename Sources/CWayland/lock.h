// The protocol ext-session-lock-v1
// (https://gitlab.freedesktop.org/wayland/wayland-protocols/-/blob/main/staging/ext-session-lock/ext-session-lock-v1.xml), which
// not every wayland-protocols has.
#pragma once

#include <stdint.h>
#include <wayland-client.h>

enum {
    BATON_LOCK_MANAGER_DESTROY = 0,
    BATON_LOCK_SESSION = 1,
    BATON_SESSION_LOCK_DESTROY = 0,
    BATON_GET_LOCK_SURFACE = 1,
    BATON_UNLOCK_AND_DESTROY = 2,
    BATON_LOCK_SURFACE_DESTROY = 0,
    BATON_LOCK_SURFACE_ACKNOWLEDGE = 1,
    // Events.
    BATON_SESSION_LOCKED = 0,
    BATON_SESSION_LOCK_FINISHED = 1,
};

static const struct wl_interface *const baton_lock_plain_types[3] = {0};

static const struct wl_message baton_lock_surface_requests[] = {
    {"destroy", "", (const struct wl_interface **)baton_lock_plain_types},
    {"ack_configure", "u", (const struct wl_interface **)baton_lock_plain_types},
};

static const struct wl_message baton_lock_surface_events[] = {
    {"configure", "uuu", (const struct wl_interface **)baton_lock_plain_types},
};

static const struct wl_interface baton_lock_surface_interface = {
    "ext_session_lock_surface_v1", 1, 2, baton_lock_surface_requests, 1, baton_lock_surface_events,
};

static const struct wl_interface *const baton_get_lock_surface_types[] = {
    &baton_lock_surface_interface, &wl_surface_interface, &wl_output_interface,
};

static const struct wl_message baton_session_lock_requests[] = {
    {"destroy", "", (const struct wl_interface **)baton_lock_plain_types},
    {"get_lock_surface", "noo", (const struct wl_interface **)baton_get_lock_surface_types},
    {"unlock_and_destroy", "", (const struct wl_interface **)baton_lock_plain_types},
};

static const struct wl_message baton_session_lock_events[] = {
    {"locked", "", (const struct wl_interface **)baton_lock_plain_types},
    {"finished", "", (const struct wl_interface **)baton_lock_plain_types},
};

static const struct wl_interface baton_session_lock_interface = {
    "ext_session_lock_v1", 1, 3, baton_session_lock_requests, 2, baton_session_lock_events,
};

static const struct wl_interface *const baton_lock_session_types[] = {&baton_session_lock_interface};

static const struct wl_message baton_lock_manager_requests[] = {
    {"destroy", "", (const struct wl_interface **)baton_lock_plain_types},
    {"lock", "n", (const struct wl_interface **)baton_lock_session_types},
};

static const struct wl_interface baton_lock_manager_interface = {
    "ext_session_lock_manager_v1", 1, 2, baton_lock_manager_requests, 0, 0,
};

static inline struct wl_proxy *baton_bind_lock_manager(struct wl_registry *registry, uint32_t name) {
    return (struct wl_proxy *)wl_registry_bind(registry, name, &baton_lock_manager_interface, 1);
}

static inline void baton_leave_lock_manager(struct wl_proxy *manager) {
    wl_proxy_marshal_flags(manager, BATON_LOCK_MANAGER_DESTROY, NULL, 1, WL_MARSHAL_FLAG_DESTROY);
}

// Asks for a lock: `locked` or `finished` follows. NULL without memory.
static inline struct wl_proxy *baton_lock_session(struct wl_proxy *manager) {
    return wl_proxy_marshal_flags(manager, BATON_LOCK_SESSION, &baton_session_lock_interface, 1, 0, NULL);
}

// Ends a lock that stands, or one that has been refused.
static inline void baton_unlock_session(struct wl_proxy *lock, int is_locked) {
    wl_proxy_marshal_flags(
        lock, is_locked ? BATON_UNLOCK_AND_DESTROY : BATON_SESSION_LOCK_DESTROY, NULL, 1, WL_MARSHAL_FLAG_DESTROY);
}

// Makes of a surface what an output shows while the session is locked; NULL without memory.
static inline struct wl_proxy *baton_get_lock_surface(
    struct wl_proxy *lock, struct wl_surface *surface, struct wl_output *output) {
    return wl_proxy_marshal_flags(
        lock, BATON_GET_LOCK_SURFACE, &baton_lock_surface_interface, 1, 0, NULL, surface, output);
}

static inline void baton_acknowledge_lock_size(struct wl_proxy *surface, uint32_t serial) {
    wl_proxy_marshal_flags(surface, BATON_LOCK_SURFACE_ACKNOWLEDGE, NULL, 1, 0, serial);
}

static inline void baton_leave_lock_surface(struct wl_proxy *surface) {
    wl_proxy_marshal_flags(surface, BATON_LOCK_SURFACE_DESTROY, NULL, 1, WL_MARSHAL_FLAG_DESTROY);
}
