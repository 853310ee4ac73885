import Glibc

#if canImport(Testing)
public import Testing
#endif

/// These tests start browsers, whose sandbox refuses root, and end strays by user.
public let isOrdinaryUser = geteuid() != 0

// The benchmark is linked statically, and Testing comes as a dynamic library only.
#if canImport(Testing)
extension Trait where Self == ConditionTrait {
    /// Skips, with the reason, as root: `make test` runs these once more as a user of their own.
    public static var asOrdinaryUser: Self {
        .enabled(if: isOrdinaryUser, "runs as an ordinary user: Tests/as-ordinary-user")
    }
}
#endif
