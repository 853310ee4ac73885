import Glibc

/// How many files batond may have open: callers bring descriptors, and a process without a free one loses the bus.
enum DescriptorLimit {
    private static let wanted: rlim_t = 16384

    /// Raises this process's limit as far as it may, at most to 16384.
    static func raise() {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, wanted))
        setrlimit(resource, &limit)
    }
}
