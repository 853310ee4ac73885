#ifndef BATON_CLINUX_DESCRIPTORS_H
#define BATON_CLINUX_DESCRIPTORS_H

// Descriptors in socket messages: the macros of cmsg(3) do not exist in Swift. Declared without the system's headers,
// whose types would differ from those that Swift's own C library module has.

/// Sends a datagram with one descriptor to a `struct sockaddr`; the bytes sent, or -1 and errno.
long baton_send_descriptor(
    int socket, const void *address, unsigned length, const void *bytes, unsigned long count, int descriptor);

/// Sends one packet with descriptors over a connection; the bytes sent, or -1 and errno (EINVAL: more than 16 of them).
long baton_send_descriptors(int socket, const void *bytes, unsigned long count, const int *descriptors, int most);

/// A socket for packets, close-on-exec, not blocking; a negative errno when there is none.
int baton_packet_socket(void);

/// Adds to a `posix_spawn_file_actions_t` that the child closes every descriptor from this number on; 0 or an errno.
int baton_spawn_close_from(void *actions, int first);

#endif
