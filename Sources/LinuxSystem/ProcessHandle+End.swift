import Glibc

extension ProcessHandle {
    /// Waits for its end; false when it has not come within the limit.
    package func isGone(within limit: TimeLimit) async -> Bool {
        await OwnThread.run { [self] in
            var item = pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0)
            while poll(&item, 1, limit.milliseconds(cap: 100)) <= 0 {
                if limit.isOver { return isGone }
            }
            return isGone
        } ?? isGone
    }

    /// Waits for its end without waking in between; false when the task was cancelled first.
    package func isGoneAtLast() async -> Bool {
        let bell = Bell()
        return await withTaskCancellationHandler {
            await OwnThread.run { [self] in bell.wait(or: descriptor) } ?? false
        } onCancel: {
            bell.ring()
        }
    }
}
