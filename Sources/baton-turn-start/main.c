// What PID 1 starts as a turn's user when the agent connects to that turn's socket: takes one message from the connection,
// starts the program that it names, and tells the agent when that program has started and ended. It ends with the connection.
//
// It runs as the worker's user, so nothing is proven by it: the end of a turn is the kernel's word about the slice. When it
// ends, systemd ends the program and what that has left in the unit.
//
// The message is written by Sources/TurnControl/TurnProgram+Message.swift, which describes it.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { version = 1, header = 6, most_descriptors = 16, most_bytes = 128 * 1024, most_strings = 2048, above = 256 };

struct program {
    const char *folder;
    char **arguments;
    char **environment;
    int count;
    int descriptors[most_descriptors];
    uint8_t targets[most_descriptors];
};

static void tell(int connection, char what, int32_t number) {
    unsigned char packet[5] = {(unsigned char)what};
    for (int byte = 0; byte < 4; byte++) packet[1 + byte] = (unsigned char)((uint32_t)number >> (8 * byte));
    // The agent may have left: the program goes on, and batond can still end it.
    (void)!send(connection, packet, sizeof packet, MSG_NOSIGNAL);
}

// The next string of the message; NULL when it does not end in it.
static char *next(char **position, char *end) {
    char *start = *position;
    char *stop = start < end ? memchr(start, 0, (size_t)(end - start)) : NULL;
    if (stop == NULL) return NULL;
    *position = stop + 1;
    return start;
}

static int parse(unsigned char *bytes, size_t size, struct program *program) {
    static char *strings[most_strings + 2];
    if (size < header || bytes[0] != version || bytes[1] != program->count) return EBADMSG;
    size_t arguments = bytes[2] | (size_t)bytes[3] << 8, variables = bytes[4] | (size_t)bytes[5] << 8;
    if (arguments == 0 || arguments + variables > most_strings || size < header + (size_t)program->count) return EBADMSG;
    memcpy(program->targets, bytes + header, (size_t)program->count);
    char *position = (char *)bytes + header + program->count, *end = (char *)bytes + size;
    program->folder = next(&position, end);
    if (program->folder == NULL) return EBADMSG;
    char **place = strings;
    program->arguments = place;
    for (size_t i = 0; i < arguments; i++)
        if ((*place++ = next(&position, end)) == NULL) return EBADMSG;
    *place++ = NULL;
    program->environment = place;
    for (size_t i = 0; i < variables; i++)
        if ((*place++ = next(&position, end)) == NULL) return EBADMSG;
    *place = NULL;
    return position == end ? 0 : EBADMSG;
}

// The connection's one message; 0 or an errno.
static int receive(int connection, struct program *program) {
    static unsigned char bytes[most_bytes];
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(most_descriptors * sizeof(int))];
    } control;
    struct iovec part = {.iov_base = bytes, .iov_len = sizeof bytes};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.space, .msg_controllen = sizeof control.space};
    ssize_t size;
    do size = recvmsg(connection, &message, MSG_CMSG_CLOEXEC);
    while (size < 0 && errno == EINTR);
    if (size < 0) return errno;
    if (size == 0) return ENODATA;
    if (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) return EMSGSIZE;
    for (struct cmsghdr *part = CMSG_FIRSTHDR(&message); part != NULL; part = CMSG_NXTHDR(&message, part)) {
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
        int count = (int)((part->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        for (int i = 0; i < count && program->count < most_descriptors; i++)
            memcpy(&program->descriptors[program->count++], CMSG_DATA(part) + i * (int)sizeof(int), sizeof(int));
    }
    // Out of the way of the numbers that the program is to have.
    for (int i = 0; i < program->count; i++) {
        int moved = fcntl(program->descriptors[i], F_DUPFD_CLOEXEC, above);
        if (moved < 0) return errno;
        close(program->descriptors[i]);
        program->descriptors[i] = moved;
    }
    return parse(bytes, (size_t)size, program);
}

// In the child: becomes the program; comes back with an errno.
static int become(struct program *program) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    if (setsid() < 0) return errno;
    // Nothing that whatever started this one had open.
    if (syscall(SYS_close_range, STDERR_FILENO + 1, ~0u, 1u << 2 /* CLOSE_RANGE_CLOEXEC */) < 0) return errno;
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0) return errno;
    for (int i = 0; i < program->count; i++)
        if (dup2(program->descriptors[i], program->targets[i]) < 0) return errno;
    if (program->folder[0] != 0 && chdir(program->folder) < 0) return errno;
    execvpe(program->arguments[0], program->arguments, program->environment);
    return errno;
}

// Waits for the program's end; false when the agent has closed the connection or is gone: then systemd ends all of the unit.
static bool ended(pid_t child, int connection, int *status) {
    int process = (int)syscall(SYS_pidfd_open, child, 0);
    struct pollfd waits[2] = {{.fd = connection, .events = POLLRDHUP}, {.fd = process, .events = POLLIN}};
    while (process >= 0) {
        if (poll(waits, 2, -1) < 0 && errno != EINTR) break;
        if (waits[1].revents != 0) break;
        if (waits[0].revents & (POLLRDHUP | POLLHUP | POLLERR)) return false;
        waits[0].revents = waits[1].revents = 0;
    }
    while (waitpid(child, status, 0) < 0)
        if (errno != EINTR) return false;
    return true;
}

int main(void) {
    struct program program = {0};
    signal(SIGPIPE, SIG_IGN);
    // What the program is handed as 0 must not end the connection, and nothing else of ours may be handed on.
    int connection = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, above);
    if (connection < 0) return EXIT_FAILURE;
    int error = receive(connection, &program);
    int ends[2];
    if (error == 0 && pipe2(ends, O_CLOEXEC) < 0) error = errno;
    // A target is a small number: the pipe must not lie where one goes.
    for (int i = 0; error == 0 && i < 2; i++) {
        int moved = fcntl(ends[i], F_DUPFD_CLOEXEC, above);
        if (moved < 0) error = errno;
        close(ends[i]);
        ends[i] = moved;
    }
    pid_t child = -1;
    if (error == 0 && (child = fork()) < 0) error = errno;
    if (child == 0) {
        error = become(&program);
        (void)!write(ends[1], &error, sizeof error);
        _exit(127);
    }
    if (child > 0) {
        close(ends[1]);
        for (int i = 0; i < program.count; i++) close(program.descriptors[i]);
        ssize_t count;
        do count = read(ends[0], &error, sizeof error);
        while (count < 0 && errno == EINTR);
        if (count != (ssize_t)sizeof error) error = 0;
    }
    if (error != 0) {
        tell(connection, 'F', error);
        return EXIT_FAILURE;
    }
    tell(connection, 'S', child);
    int status = 0;
    if (!ended(child, connection, &status)) return EXIT_SUCCESS;
    tell(connection, 'E', status);
    return EXIT_SUCCESS;
}
