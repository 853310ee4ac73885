public import DBus

extension AgentConfiguration {
    /// What a newer supervisor adds is ignored; an app without id, or with a key of the wrong type, is left out.
    ///
    /// - Throws: `InvalidArgument` for a word that this version does not know: an agent that took it for another would leave
    ///   something of a worker behind.
    public init(_ dictionary: VariantDictionary) throws(BatonError) {
        self.init()
        browser = try Browser(dictionary["browser"]?.dictionary ?? [:])
        apps = (dictionary["apps"]?.dictionaries ?? []).compactMap(App.init)
        holders = []
        for name in dictionary["holders"]?.strings ?? [] { holders.insert(try .init(word: name, for: "holders")) }
        strayProcesses = try .init(word: dictionary["stray-processes"]?.string, for: "stray-processes")
        strayFiles = try .init(word: dictionary["stray-files"]?.string, for: "stray-files")
        keep = dictionary["keep"]?.strings ?? []
        acceptsWeakProof = dictionary["accept-weak-proof"]?.boolean ?? false
    }

    public var dictionary: VariantDictionary {
        [
            "browser": .dictionary(browser.dictionary), "apps": .dictionaries(apps.map(\.dictionary)),
            "holders": .strings(holders.map(\.rawValue).sorted()), "stray-processes": .string(strayProcesses.rawValue),
            "stray-files": .string(strayFiles.rawValue), "keep": .strings(keep),
            "accept-weak-proof": .boolean(acceptsWeakProof),
        ]
    }
}

extension AgentConfiguration.Browser {
    init(_ dictionary: VariantDictionary) throws(BatonError) {
        self.init()
        kind = try .init(word: dictionary["kind"]?.string, for: "browser kind")
        executable = dictionary["executable"]?.string ?? ""
        startPage = dictionary["start-page"]?.string ?? ""
        address = dictionary["address"]?.string ?? ""
        allow = dictionary["allow"]?.strings ?? []
        signInPages = dictionary["sign-in-pages"]?.strings ?? []
        leftAfter = Self.duration(dictionary["left-after"]) ?? leftAfter
        startLimit = Self.duration(dictionary["start-limit"]) ?? startLimit
        isSignOutEnforced = dictionary["enforced"]?.boolean ?? true
        hasSpare = dictionary["spare"]?.boolean ?? true
        sessionCookie = dictionary["session-cookie"]?.string ?? ""
        arguments = dictionary["arguments"]?.strings ?? []
    }

    var dictionary: VariantDictionary {
        [
            "kind": .string(kind.rawValue), "executable": .string(executable), "start-page": .string(startPage),
            "address": .string(address), "allow": .strings(allow), "enforced": .boolean(isSignOutEnforced),
            "sign-in-pages": .strings(signInPages),
            "left-after": Self.microseconds(leftAfter), "start-limit": Self.microseconds(startLimit),
            "spare": .boolean(hasSpare),
            "session-cookie": .string(sessionCookie), "arguments": .strings(arguments),
        ]
    }

    /// Durations travel as microseconds; nothing here takes more than a day.
    private static func duration(_ value: Variant?) -> Duration? {
        value?.uint64.map { .microseconds(Int64(clamping: min($0, 86_400_000_000))) }
    }

    private static func microseconds(_ duration: Duration) -> Variant {
        let (seconds, attoseconds) = duration.components
        return .uint64(
            UInt64(clamping: min(seconds, 86_400)) * 1_000_000 + UInt64(clamping: attoseconds / 1_000_000_000_000))
    }
}

extension RawRepresentable<String> {
    fileprivate init(word: String?, for key: String) throws(BatonError) {
        guard let word, let value = Self(rawValue: word) else {
            throw BatonError(
                .invalidArgument, "Configure has no known word for \(key); agent and supervisor must be of one version."
            )
        }
        self = value
    }
}

extension AgentConfiguration.App {
    init?(_ dictionary: VariantDictionary) {
        guard let id = dictionary["id"]?.string, let command = dictionary["command"]?.strings, !command.isEmpty else {
            return nil
        }
        self.init(id: id, name: dictionary["name"]?.string ?? id, command: command)
        for pair in dictionary["environment"]?.strings ?? [] {
            guard let sign = pair.firstIndex(of: "=") else { return nil }
            environment[String(pair[..<sign])] = String(pair[pair.index(after: sign)...])
        }
        isSandboxed = dictionary["sandbox"]?.boolean ?? true
        keep = dictionary["keep"]?.strings ?? []
        readOnly = dictionary["read-only"]?.strings ?? []
        wipe = dictionary["wipe"]?.strings ?? []
        startsAtSignIn = dictionary["autostart"]?.boolean ?? false
        mustParticipate = dictionary["must-participate"]?.boolean ?? false
        icon = dictionary["icon"]?.string ?? ""
    }

    var dictionary: VariantDictionary {
        [
            "id": .string(id), "name": .string(name), "command": .strings(command),
            "environment": .strings(environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }),
            "sandbox": .boolean(isSandboxed), "keep": .strings(keep), "read-only": .strings(readOnly),
            "wipe": .strings(wipe), "autostart": .boolean(startsAtSignIn),
            "must-participate": .boolean(mustParticipate), "icon": .string(icon),
        ]
    }
}
