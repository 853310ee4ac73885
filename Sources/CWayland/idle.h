// What tells how long a seat had no input: ext-idle-notify-v1, versions 1 and 2
// (https://gitlab.freedesktop.org/wayland/wayland-protocols/-/blob/main/staging/ext-idle-notify/ext-idle-notify-v1.xml), and before
// there was that, org_kde_kwin_idle of KWin and older wlroots compositors
// (https://invent.kde.org/libraries/plasma-wayland-protocols/-/blob/master/src/protocols/idle.xml). Debian's wayland-protocols has
// neither in all its versions.
#pragma once

#include <wayland-client.h>

enum {
    BATON_IDLE_NOTIFIER_NEWEST = 2,
    BATON_IDLE_NOTIFIER_DESTROY = 0,
    BATON_GET_IDLE_NOTIFICATION = 1,
    // Of input alone: no program that inhibits idleness is minded. Since version 2.
    BATON_GET_INPUT_IDLE_NOTIFICATION = 2,
    BATON_GET_INPUT_IDLE_NOTIFICATION_SINCE = 2,
    BATON_IDLE_NOTIFICATION_DESTROY = 0,
    BATON_GET_IDLE_TIMEOUT = 0,
    BATON_IDLE_TIMEOUT_RELEASE = 0,
    // Events of both.
    BATON_IDLED = 0,
    BATON_RESUMED = 1,
};

static const struct wl_interface *const baton_idle_plain_types[1] = {0};

static const struct wl_message baton_idle_notification_requests[] = {
    {"destroy", "", (const struct wl_interface **)baton_idle_plain_types},
};

static const struct wl_message baton_idle_notification_events[] = {
    {"idled", "", (const struct wl_interface **)baton_idle_plain_types},
    {"resumed", "", (const struct wl_interface **)baton_idle_plain_types},
};

static const struct wl_interface baton_idle_notification_interface = {
    "ext_idle_notification_v1", BATON_IDLE_NOTIFIER_NEWEST, 1, baton_idle_notification_requests, 2,
    baton_idle_notification_events,
};

static const struct wl_interface *const baton_get_idle_notification_types[] = {
    &baton_idle_notification_interface, 0, &wl_seat_interface,
};

static const struct wl_message baton_idle_notifier_requests[] = {
    {"destroy", "", (const struct wl_interface **)baton_idle_plain_types},
    {"get_idle_notification", "nuo", (const struct wl_interface **)baton_get_idle_notification_types},
    {"get_input_idle_notification", "2nuo", (const struct wl_interface **)baton_get_idle_notification_types},
};

static const struct wl_interface baton_idle_notifier_interface = {
    "ext_idle_notifier_v1", BATON_IDLE_NOTIFIER_NEWEST, 3, baton_idle_notifier_requests, 0, 0,
};

static const struct wl_message baton_idle_timeout_requests[] = {
    {"release", "", (const struct wl_interface **)baton_idle_plain_types},
    {"simulate_user_activity", "", (const struct wl_interface **)baton_idle_plain_types},
};

static const struct wl_message baton_idle_timeout_events[] = {
    {"idle", "", (const struct wl_interface **)baton_idle_plain_types},
    {"resumed", "", (const struct wl_interface **)baton_idle_plain_types},
};

static const struct wl_interface baton_idle_timeout_interface = {
    "org_kde_kwin_idle_timeout", 1, 2, baton_idle_timeout_requests, 2, baton_idle_timeout_events,
};

static const struct wl_interface *const baton_get_idle_timeout_types[] = {
    &baton_idle_timeout_interface, &wl_seat_interface, 0,
};

static const struct wl_message baton_kwin_idle_requests[] = {
    {"get_idle_timeout", "nou", (const struct wl_interface **)baton_get_idle_timeout_types},
};

static const struct wl_interface baton_kwin_idle_interface = {
    "org_kde_kwin_idle", 1, 1, baton_kwin_idle_requests, 0, 0,
};

static inline struct wl_proxy *baton_bind_seat(struct wl_registry *registry, uint32_t name) {
    return (struct wl_proxy *)wl_registry_bind(registry, name, &wl_seat_interface, 1);
}

static inline struct wl_proxy *baton_bind_idle_notifier(struct wl_registry *registry, uint32_t name, uint32_t version) {
    uint32_t known = version < BATON_IDLE_NOTIFIER_NEWEST ? version : BATON_IDLE_NOTIFIER_NEWEST;
    return (struct wl_proxy *)wl_registry_bind(registry, name, &baton_idle_notifier_interface, known);
}

static inline struct wl_proxy *baton_bind_kwin_idle(struct wl_registry *registry, uint32_t name) {
    return (struct wl_proxy *)wl_registry_bind(registry, name, &baton_kwin_idle_interface, 1);
}

// Tells when the seat had no input for so many milliseconds, and when there is input again; NULL without memory.
static inline struct wl_proxy *baton_watch_seat(struct wl_proxy *notifier, struct wl_proxy *seat, uint32_t milliseconds) {
    uint32_t version = wl_proxy_get_version(notifier);
    uint32_t request = version >= BATON_GET_INPUT_IDLE_NOTIFICATION_SINCE ? BATON_GET_INPUT_IDLE_NOTIFICATION
                                                                          : BATON_GET_IDLE_NOTIFICATION;
    return wl_proxy_marshal_flags(
        notifier, request, &baton_idle_notification_interface, version, 0, NULL, milliseconds, seat);
}

static inline struct wl_proxy *baton_watch_seat_by_kwin(
    struct wl_proxy *idle, struct wl_proxy *seat, uint32_t milliseconds) {
    return wl_proxy_marshal_flags(
        idle, BATON_GET_IDLE_TIMEOUT, &baton_idle_timeout_interface, 1, 0, NULL, seat, milliseconds);
}

// The first request of each of these interfaces ends its object.
static inline void baton_leave_idle(struct wl_proxy *object) {
    wl_proxy_marshal_flags(object, 0, NULL, wl_proxy_get_version(object), WL_MARSHAL_FLAG_DESTROY);
}
