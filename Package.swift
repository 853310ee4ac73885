// swift-tools-version: 6.2
import PackageDescription

let nearlyStrict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
    .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
    .treatAllWarnings(as: .error),
]
// Where several C modules meet, the compiler may take the wrong one for the one that declares `stat` and `timespec`, and
// then asks for its import everywhere: swift-nio's in the Supervisor, ours in Agent and batonctl.
let strict =
    nearlyStrict + [
        .enableUpcomingFeature("MemberImportVisibility")  // SE-0444
    ]

// The state machine and what explores it, as a release build makes them: the explorer would take hours otherwise, and one build
// is to serve all.
let explored =
    strict + [
        .unsafeFlags(
            ["-O", "-wmo", "-num-threads", "2", "-cross-module-optimization"], .when(configuration: .debug))
    ]

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let signals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")
let systemPackage: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")
let subprocess: Target.Dependency = .product(name: "Subprocess", package: "swift-subprocess")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let jwt: Target.Dependency = .product(name: "JWTKit", package: "jwt-kit")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let httpClient: Target.Dependency = .product(name: "AsyncHTTPClient", package: "async-http-client")
let nio: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
    .product(name: "NIOPosix", package: "swift-nio"), .product(name: "NIOSSL", package: "swift-nio-ssl"),
]

let package = Package(
    name: "baton",
    products: [
        // For apps; the programs are products by themselves.
        .library(name: "Baton", targets: ["Baton"])
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    ],
    targets: [
        // The system's libraries and calls.
        .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
        .systemLibrary(name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        .systemLibrary(name: "CXCB", pkgConfig: "xcb", providers: [.apt(["libxcb1-dev"])]),
        .systemLibrary(name: "CWayland", pkgConfig: "wayland-client", providers: [.apt(["libwayland-dev"])]),
        .systemLibrary(name: "CCairo", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"])]),
        .target(name: "CLinux"),
        // What links it overwrites each block of memory when it is freed.
        .target(name: "CErase"),

        // The libraries, from the bottom up.
        .target(name: "Checkpoints", swiftSettings: strict),
        .target(name: "DBus", dependencies: ["CDBus"], swiftSettings: strict),
        .target(name: "Supervision", swiftSettings: explored),
        .target(name: "BatonContract", dependencies: ["DBus"], swiftSettings: strict),
        .target(name: "Baton", dependencies: ["BatonContract", "DBus", subprocess], swiftSettings: strict),
        .target(name: "Secrets", dependencies: ["CLinux"], swiftSettings: strict),
        .target(
            name: "LocalAccounts",
            dependencies: [
                "CLinux", "Secrets", systemPackage, "Yams", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            swiftSettings: strict),
        .target(
            name: "Identity", dependencies: ["Secrets", httpClient, jwt, crypto, logging] + nio, swiftSettings: strict),
        .target(
            name: "Loopback",
            dependencies: [
                hummingbird, .product(name: "HummingbirdCore", package: "hummingbird"), logging, lifecycle,
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict),
        .target(
            name: "Supervisor",
            dependencies: [
                "Checkpoints", "Supervision", "BatonContract", "DBus", "LocalAccounts", "Identity", "Loopback",
                "Secrets",
                "CLinux", logging, lifecycle, subprocess, systemPackage,
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            resources: [.embedInCode("Resources/baton.yaml")],
            swiftSettings: nearlyStrict),
        // A module of its own, so that swift-nio's C modules stay out of the agent's.
        .target(
            name: "WebSocket",
            dependencies: [
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOWebSocket", package: "swift-nio"),
            ], swiftSettings: strict),
        // Ending whole process trees and emptying folders, for agent and `batonctl run` alike.
        .target(name: "Wiping", dependencies: ["Checkpoints", "CLinux"], swiftSettings: nearlyStrict),
        .target(name: "Processes", dependencies: ["Checkpoints", "Wiping", "CLinux"], swiftSettings: nearlyStrict),
        .target(
            name: "Agent",
            dependencies: [
                "Checkpoints", "Processes", "Wiping", "Baton", "BatonContract", "DBus", "CLinux", "CXCB", "CWayland",
                "CCairo", "Secrets", "WebSocket",
                logging, lifecycle,
            ],
            resources: [.embedInCode("Resources/start.html")],
            swiftSettings: nearlyStrict),

        // A small OpenID provider for development, tests and the demo.
        .target(
            name: "DevelopmentProvider",
            dependencies: [
                hummingbird, .product(name: "HummingbirdTLS", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"), httpClient, jwt, crypto,
                .product(name: "CryptoExtras", package: "swift-crypto"), "Yams",
                logging, lifecycle,
            ] + nio,
            swiftSettings: strict),
        .executableTarget(
            name: "baton-devidp",
            dependencies: ["DevelopmentProvider", "BatonContract", argumentParser, logging, lifecycle, signals],
            swiftSettings: strict),

        // The programs.
        .executableTarget(
            name: "batond",
            dependencies: [
                "BatonContract", "Supervisor", "Identity", "Secrets", "CErase", argumentParser, logging, lifecycle,
                signals, systemPackage,
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "baton-agent",
            dependencies: [
                "Agent", "BatonContract", "Processes", "Secrets", "CErase", argumentParser, logging, lifecycle, signals,
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "batonctl",
            dependencies: [
                "Baton", "DBus", "Identity", "LocalAccounts", "Processes", "Secrets", "Wiping", "CQREncode",
                argumentParser, signals, subprocess,
                systemPackage,
            ],
            // A link to the policy that is installed, which doctor compares with what it finds.
            resources: [.embedInCode("Resources/org.baton.Device1.conf")],
            swiftSettings: nearlyStrict),
        .executableTarget(
            name: "baton-example-handover", dependencies: ["Baton"], path: "Examples/Handover", swiftSettings: strict),
        .executableTarget(
            name: "baton-example-graph",
            dependencies: ["Baton", httpClient] + nio,
            path: "Examples/Graph", swiftSettings: strict),

        // What the tests share, and the tests.
        .target(name: "BusTesting", dependencies: ["DBus"], path: "Tests/BusTesting", swiftSettings: strict),
        .target(
            name: "TerminalTesting", dependencies: ["BusTesting", "Baton", "DBus", "LocalAccounts", "Secrets"],
            path: "Tests/TerminalTesting", exclude: ["manager.py", "puppet.py"], swiftSettings: strict),
        .target(
            name: "ProviderTesting",
            dependencies: ["TerminalTesting", "Identity", httpClient, subprocess, systemPackage] + nio,
            path: "Tests/ProviderTesting", swiftSettings: strict),
        .target(name: "GeneratedInput", path: "Tests/GeneratedInput", swiftSettings: strict),
        // What was said of the turns, held against what stands in the end.
        .target(name: "Testimony", path: "Tests/Testimony", swiftSettings: strict),
        .testTarget(
            name: "IdentityTests", dependencies: ["Identity", "Secrets", jwt, crypto, httpClient, logging] + nio,
            swiftSettings: strict),
        .testTarget(
            name: "DevelopmentProviderTests",
            dependencies: [
                "DevelopmentProvider", "baton-devidp", "ProviderTesting", "TerminalTesting", jwt, crypto, httpClient,
            ] + nio,
            swiftSettings: strict),
        .testTarget(
            name: "ProviderTests",
            dependencies: [
                "Identity", "Loopback", "Secrets", "ProviderTesting", "TerminalTesting", "BusTesting", "Baton",
                "BatonContract", "DBus",
                "baton-devidp", "batond", "baton-agent", "batonctl", "baton-example-graph", httpClient, logging,
            ] + nio,
            swiftSettings: strict),
        .testTarget(
            name: "TokenTests",
            dependencies: [
                "ProviderTesting", "TerminalTesting", "BusTesting", "Baton", "BatonContract", "DBus", "CLinux",
                "Identity",
                "baton-devidp", "batond", "baton-agent", "batonctl",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "LocalAccountsTests", dependencies: ["LocalAccounts", "Secrets", "CLinux", systemPackage],
            swiftSettings: strict),
        .testTarget(
            name: "SettingsTests",
            dependencies: [
                "GeneratedInput", "Supervisor", "LocalAccounts", "Secrets", systemPackage,
                .product(name: "Configuration", package: "swift-configuration"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "DaemonTests",
            dependencies: [
                "TerminalTesting", "BusTesting", "Baton", "DBus", "LocalAccounts", "Secrets", "Supervisor",
                "Supervision",
                "CLinux",
                "batond", "baton-agent", "batonctl", "baton-example-handover", logging, lifecycle,
                systemPackage,
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "SupervisorTests",
            dependencies: [
                "Testimony", "TerminalTesting", "BusTesting", "Baton", "DBus", "LocalAccounts", "Supervisor",
                "Supervision", logging,
            ],
            swiftSettings: nearlyStrict),
        .testTarget(
            name: "AgentTests",
            dependencies: [
                "Agent", "Processes", "Wiping", "ClearingTesting", "BusTesting", "BatonContract", "CLinux", logging,
            ],
            swiftSettings: strict),
        .target(
            name: "ClearingTesting", dependencies: ["Processes", "Wiping", "CLinux"], path: "Tests/ClearingTesting",
            swiftSettings: strict),
        .testTarget(
            name: "WipingTests", dependencies: ["Agent", "Processes", "Wiping", "ClearingTesting", "CLinux"],
            swiftSettings: nearlyStrict),
        // These run as an ordinary user: Chromium's sandbox refuses root, and strays are ended by user.
        .target(
            name: "KioskTesting",
            dependencies: ["TerminalTesting", "ProviderTesting", "BusTesting", "Baton", "DBus"] + nio,
            path: "Tests/KioskTesting", exclude: ["site"],
            // It searches whole processes' memory, again and again.
            swiftSettings: nearlyStrict + [.unsafeFlags(["-O"], .when(configuration: .debug))]),
        .testTarget(
            name: "SandboxTests",
            dependencies: [
                "Agent", "BatonContract", "Processes", "Wiping", "KioskTesting", "BusTesting", "DBus", "CLinux",
                "baton-agent", logging,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "HolderTests",
            dependencies: [
                "Agent", "Processes", "Wiping", "KioskTesting", "BusTesting", "BatonContract", "DBus", "CLinux", "CXCB",
                logging,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "BrowserTests",
            dependencies: [
                "Agent", "Processes", "Wiping", "KioskTesting", "BusTesting", "BatonContract", "DBus", "CLinux",
                "WebSocket", logging,
            ] + nio,
            swiftSettings: strict),
        .testTarget(
            name: "KioskTests",
            dependencies: [
                "Agent", "Processes", "Wiping", "KioskTesting", "TerminalTesting", "ProviderTesting", "BusTesting",
                "Baton", "BatonContract",
                "DBus", "CLinux",
                "batond", "baton-agent", "batonctl", "baton-devidp", logging,
            ] + nio,
            swiftSettings: strict),
        // The supervisor and the agent killed, lied to and flooded.
        .testTarget(
            name: "FireTests",
            dependencies: [
                "GeneratedInput", "Testimony", "TerminalTesting", "BusTesting", "Baton", "DBus", "batond",
                "baton-agent", "batonctl", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            exclude: ["crowd.py", "flood.py", "hostile.py", "rawbus.py"], swiftSettings: strict),
        .testTarget(
            name: "RoundTests",
            dependencies: [
                "TerminalTesting", "BusTesting", "Baton", "DBus", "batond", "baton-agent", "batonctl",
                "baton-example-handover",
            ],
            exclude: ["introspection.py"], swiftSettings: strict),
        .testTarget(
            name: "BatonTests", dependencies: ["Baton", "DBus", "BatonContract", "BusTesting"], swiftSettings: strict),
        .testTarget(
            name: "BatonctlTests",
            dependencies: [
                "batonctl", "batond", "baton-agent", "Baton", "Identity", "LocalAccounts", "DBus", "BusTesting",
                argumentParser, systemPackage,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "TerminalTesting", "BusTesting", "Baton", "batond", "baton-agent", "batonctl",
                "baton-example-handover",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "JournalTests",
            dependencies: [
                "GeneratedInput", "Supervisor", "Supervision", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: strict),

        // The ways of `make fuzz`, walked with its corpus and with small changes of that.
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "GeneratedInput", "Identity", "DBus", "CDBus", "BatonContract", "LocalAccounts", "Supervision",
                "Supervisor", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Tests/Fuzz", exclude: ["Fuzz.swift", "corpus"], swiftSettings: strict),

        // The exhaustive exploration of the state machine; optimised, it is a program of its own.
        .target(
            name: "Exploration", dependencies: ["Supervision"], path: "Tests/Exploration", swiftSettings: explored),
        .testTarget(
            name: "SupervisionTests", dependencies: ["Supervision", "Exploration"], swiftSettings: strict),
        // A server on bare libdbus that does the least, and the client that measures it beside batond.
        .executableTarget(name: "baton-floor", dependencies: ["CDBus"], path: "Tests/Floor"),
        .executableTarget(
            name: "baton-bench",
            dependencies: [
                "ProviderTesting", "TerminalTesting", "KioskTesting", "BusTesting", "Baton", "DBus", "LocalAccounts",
                "Secrets", "batond", "baton-agent", "baton-devidp", "baton-floor",
            ],
            path: "Tests/Benchmark", swiftSettings: strict),
        .executableTarget(
            name: "baton-explore", dependencies: ["Exploration", "Supervision"], path: "Tests/ExplorationTool",
            swiftSettings: explored),
        .testTarget(
            name: "DBusTests", dependencies: ["GeneratedInput", "DBus", "CDBus", "BusTesting"], swiftSettings: strict),
        .testTarget(
            name: "BatonContractTests", dependencies: ["GeneratedInput", "BatonContract", "DBus", "BusTesting"],
            swiftSettings: strict),
    ]
)

// The fuzzer of libFuzzer takes the place of `main` and needs its instrumentation in what is fuzzed: `make fuzz`.
if Context.environment["BATON_FUZZ"] != nil {
    let fuzzed: [SwiftSetting] = [.unsafeFlags(["-sanitize=fuzzer"])]
    let decoders = ["Identity", "DBus", "BatonContract", "LocalAccounts", "Supervision", "Supervisor"]
    for target in package.targets where decoders.contains(target.name) {
        target.swiftSettings = (target.swiftSettings ?? []) + fuzzed
    }
    // The same folder cannot be two targets.
    package.targets.removeAll { $0.name == "FuzzTests" }
    package.targets.append(
        .executableTarget(
            name: "baton-fuzz",
            dependencies: [
                "Identity", "DBus", "CDBus", "BatonContract", "LocalAccounts", "Supervision", "Supervisor",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Tests/Fuzz", exclude: ["corpus", "CorpusTests.swift"], swiftSettings: strict + fuzzed,
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]))
}

// `make docs` alone needs it: an app that depends on this package should not fetch it.
if Context.environment["BATON_DOCS"] != nil {
    package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}

// A build with only some of the test targets, for whoever works on one part: BATON_TESTS=SandboxTests,AgentTests.
if let wanted = Context.environment["BATON_TESTS"] {
    let names = wanted.split(separator: ",").map(String.init)
    package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}
