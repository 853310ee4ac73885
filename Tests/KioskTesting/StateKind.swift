/// A kind of state that a person leaves behind.
public enum StateKind: String, CaseIterable, Sendable, CodingKeyRepresentable, Codable, Comparable {
    // What a page can leave and a later page can find.
    case sessionCookie, persistentCookie, httpOnlyCookie, partitionedCookie
    case localStorage, embeddedStorage, indexedDB, cacheStorage, originPrivateFiles, storageBucket
    case serviceWorker, sharedWorker, openPage, webLock
    case httpCache, entityTag, cachedRedirect, strictTransport, basicAuthentication
    case permission
    /// The same connection carried the earlier person's requests.
    case connection
    // Those of one tab, which a page in another tab does not see.
    case sessionStorage, sessionHistory

    // What only a look from outside finds.
    case download, clipboard, primarySelection

    /// Found also after the browser was ended and started again with its profile.
    public static let kept: Set<StateKind> = [
        .persistentCookie, .httpOnlyCookie, .partitionedCookie, .localStorage, .embeddedStorage, .indexedDB,
        .cacheStorage, .originPrivateFiles, .storageBucket, .serviceWorker, .httpCache, .entityTag, .cachedRedirect,
        .strictTransport,
    ]

    /// Found by a page in another tab of the same browser.
    public static let shared: Set<StateKind> = kept.union([
        .sessionCookie, .sharedWorker, .openPage, .webLock, .basicAuthentication, .permission, .connection,
    ])

    /// Found by a page in the same tab only.
    public static let ofTab: Set<StateKind> = [.sessionStorage, .sessionHistory]

    public static func < (first: StateKind, second: StateKind) -> Bool { first.rawValue < second.rawValue }
}
