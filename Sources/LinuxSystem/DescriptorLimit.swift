import Glibc

/// How many files this process may have open: a process without a free descriptor loses the bus.
package enum DescriptorLimit {
    /// Raises this process's limit as far as it may, at most to a number.
    package static func raise(atMost most: UInt64 = .max) {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, rlim_t(most)))
        setrlimit(resource, &limit)
    }
}
