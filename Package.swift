// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
    .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .treatAllWarnings(as: .error),
]

// The state machine and what explores it, as a release build makes them: the explorer would take hours otherwise, and one build
// is to serve all.
let explored =
    strict + [
        .unsafeFlags(
            ["-O", "-wmo", "-num-threads", "2", "-cross-module-optimization"], .when(configuration: .debug))
    ]

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let configuration: Target.Dependency = .product(name: "Configuration", package: "swift-configuration")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let httpClient: Target.Dependency = .product(name: "AsyncHTTPClient", package: "async-http-client")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let hummingbirdCore: Target.Dependency = .product(name: "HummingbirdCore", package: "hummingbird")
let hummingbirdTLS: Target.Dependency = .product(name: "HummingbirdTLS", package: "hummingbird")
let jwt: Target.Dependency = .product(name: "JWTKit", package: "jwt-kit")
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioHTTP: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let nioSSL: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl")
let nioWebSocket: Target.Dependency = .product(name: "NIOWebSocket", package: "swift-nio")
let signals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")
let subprocess: Target.Dependency = .product(name: "Subprocess", package: "swift-subprocess")
let systemPackage: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")

let package = Package(
    name: "baton",
    products: [
        // For apps; the programs are products by themselves.
        .library(name: "Baton", targets: ["Baton"]),
        // For apps that were written for MSAL.
        .library(name: "BatonMSAL", targets: ["BatonMSAL"]),
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
        .systemLibrary(name: "CPango", pkgConfig: "pangocairo", providers: [.apt(["libpango1.0-dev"])]),
        .systemLibrary(name: "CXKB", pkgConfig: "xkbcommon", providers: [.apt(["libxkbcommon-dev"])]),
        .target(name: "CLinux"),
        // Where Swift's runtime lets others run its tasks.
        .target(name: "CRuntime"),
        // What links it overwrites each block of memory when it is freed.
        .target(name: "CErase"),

        // The libraries, from the bottom up.
        // Optimised, since the explorer compares and hashes its numbers all the time.
        .target(name: "Vocabulary", swiftSettings: explored),
        // What workers read, in their languages.
        .target(name: "Presentation", dependencies: ["Vocabulary"], swiftSettings: strict),
        .target(name: "QRCodes", dependencies: ["CQREncode"], swiftSettings: strict),
        .target(name: "Checkpoints", swiftSettings: strict),
        // Descriptors, threads, small files, accounts, processes: what Linux gives.
        .target(name: "LinuxSystem", dependencies: ["CLinux", "CRuntime", "Checkpoints"], swiftSettings: strict),
        // What comes from the web, read strictly and in one place.
        .target(name: "WebText", swiftSettings: strict),
        // Below all that waits, so that each need not keep its own list.
        .target(name: "Waiting", swiftSettings: strict),
        .target(name: "DBus", dependencies: ["CDBus", "Waiting"], swiftSettings: strict),
        .target(name: "SessionMachine", dependencies: ["Vocabulary"], swiftSettings: explored),
        .target(name: "BatonContract", dependencies: ["DBus", "Vocabulary", "WebText"], swiftSettings: strict),
        .target(name: "Baton", dependencies: ["BatonContract", "DBus", subprocess], swiftSettings: strict),
        .target(name: "BatonMSAL", dependencies: ["Baton", "DBus", "WebText"], swiftSettings: strict),
        .target(name: "Secrets", dependencies: ["CLinux"], swiftSettings: strict),
        // What is signed of receipts, for who signs and for who verifies.
        .target(name: "ReceiptChain", dependencies: ["Secrets", "Vocabulary", crypto], swiftSettings: strict),
        .target(
            name: "LocalAccounts",
            dependencies: [
                "CLinux", "Checkpoints", "LinuxSystem", "Secrets", "Vocabulary", cryptoExtras, systemPackage, yams,
            ],
            swiftSettings: strict),
        .target(
            name: "Identity",
            dependencies: [
                "Secrets", "Vocabulary", "Waiting", "WebText", httpClient, crypto, jwt, logging, nioCore, nioHTTP,
                nioPosix, nioSSL,
            ],
            swiftSettings: strict),
        .target(
            name: "Loopback",
            dependencies: [httpTypes, hummingbirdCore, logging, nioCore, nioPosix, lifecycle],
            swiftSettings: strict),
        .target(name: "Log", dependencies: [logging], swiftSettings: strict),
        // What monitoring reads.
        .target(
            name: "DeviceMetrics", dependencies: ["CLinux", "LinuxSystem", "Vocabulary", logging], swiftSettings: strict
        ),
        .target(
            name: "Settings",
            dependencies: [
                "BatonContract", "LinuxSystem", "LocalAccounts", "Presentation", "Secrets", "Vocabulary", "WebText",
                configuration, systemPackage,
            ],
            resources: [.embedInCode("Resources/baton.yaml")],
            swiftSettings: strict),
        .target(
            name: "Journal",
            dependencies: ["Checkpoints", "ReceiptChain", "Secrets", "SessionMachine", "Vocabulary", grdb],
            swiftSettings: strict),
        .target(
            name: "Providers",
            dependencies: [
                "BatonContract", "CLinux", "DBus", "Identity", "LinuxSystem", "LocalAccounts", "Log", "Loopback",
                "Secrets",
                "SessionMachine", "Settings", "Vocabulary", logging, systemPackage,
            ],
            swiftSettings: strict),
        .target(
            name: "Supervisor",
            dependencies: [
                "BatonContract", "CLinux", "Checkpoints", "DBus", "DeviceMetrics", "Identity", "Journal",
                "LocalAccounts",
                "Log", "LinuxSystem", "Providers", "ReceiptChain", "Secrets", "SessionMachine", "Settings",
                "TurnControl",
                "Vocabulary", "Waiting", crypto, logging,
            ],
            swiftSettings: strict),
        .target(
            name: "DeviceBus",
            dependencies: [
                "BatonContract", "DBus", "Identity", "Journal", "LinuxSystem", "LocalAccounts", "Log", "Providers",
                "ReceiptChain", "SessionMachine", "Settings", "Supervisor", "Vocabulary", "WebText", logging,
            ],
            swiftSettings: strict),
        // A module of its own, so that swift-nio's C modules stay out of the agent's.
        .target(
            name: "WebSocket", dependencies: [nioCore, nioHTTP, nioPosix, nioWebSocket], swiftSettings: strict),
        // Ending whole process trees and emptying folders, for agent and `batonctl run` alike.
        .target(name: "Wiping", dependencies: ["CLinux", "Checkpoints", "LinuxSystem"], swiftSettings: strict),
        .target(name: "Processes", dependencies: ["CLinux", "LinuxSystem", "Vocabulary"], swiftSettings: strict),
        // The slice of a turn, and what runs in it.
        .target(name: "TurnControl", dependencies: ["CLinux", "LinuxSystem"], swiftSettings: strict),
        .executableTarget(name: "baton-turn-start", path: "Sources/baton-turn-start"),
        .target(
            name: "Display",
            dependencies: [
                "CLinux", "CPango", "CWayland", "CXCB", "CXKB", "LinuxSystem", "Processes", "Vocabulary", logging,
            ],
            swiftSettings: strict),
        .target(
            name: "Sandbox",
            dependencies: [
                "BatonContract", "CLinux", "Checkpoints", "DBus", "LinuxSystem", "Processes", "TurnControl",
                "Vocabulary",
                "Wiping",
            ],
            swiftSettings: strict),
        .target(
            name: "Browsers",
            dependencies: [
                "CLinux", "LinuxSystem", "Processes", "Sandbox", "TurnControl", "Vocabulary", "WebSocket", "WebText",
            ],
            swiftSettings: strict),
        .target(
            name: "Clearing",
            dependencies: [
                "BatonContract", "Checkpoints", "DBus", "Display", "LinuxSystem", "Processes", "Vocabulary", "Wiping",
                logging,
            ],
            swiftSettings: strict),
        .target(
            name: "Agent",
            dependencies: [
                "Baton", "BatonContract", "Browsers", "Checkpoints", "Clearing", "DBus", "Display", "LinuxSystem",
                "Presentation", "Processes", "QRCodes", "Sandbox", "Secrets", "TurnControl", "Vocabulary", "Waiting",
                "WebText", "Wiping", logging, lifecycle,
            ],
            resources: [.embedInCode("Resources/start.html"), .embedInCode("Resources/developer.html")],
            swiftSettings: strict),

        // A small OpenID provider for development, tests and the demo.
        .target(
            name: "DevelopmentProvider",
            dependencies: [
                "Waiting", "WebText", httpClient, crypto, cryptoExtras, httpTypes, hummingbirdCore, hummingbirdTLS, jwt,
                logging, nioCore, nioHTTP, nioPosix, nioSSL, lifecycle, yams,
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "baton-devidp",
            dependencies: ["BatonContract", "DevelopmentProvider", argumentParser, logging, lifecycle, signals],
            swiftSettings: strict),

        // The programs: what each does, each alone as the tests start it, and all in one file as they are installed.
        .target(
            name: "BatondProgram",
            dependencies: [
                "BatonContract", "CErase", "DBus", "DeviceBus", "DeviceMetrics", "Identity", "Journal", "LinuxSystem",
                "LocalAccounts", "Log", "Providers", "ReceiptChain", "Secrets", "SessionMachine", "Settings",
                "Supervisor",
                "Vocabulary", argumentParser, logging, lifecycle, subprocess, systemPackage, signals,
            ],
            path: "Sources/batond", swiftSettings: strict),
        .target(
            name: "BatonAgentProgram",
            dependencies: [
                "Agent", "BatonContract", "CErase", "DBus", "LinuxSystem", "Log", "Processes", "Secrets",
                argumentParser, logging, lifecycle, signals,
            ],
            path: "Sources/baton-agent", swiftSettings: strict),
        .target(
            name: "BatonctlProgram",
            dependencies: [
                "Baton", "DBus", "Identity", "LinuxSystem", "LocalAccounts", "Presentation", "Processes", "QRCodes",
                "ReceiptChain", "Secrets",
                "TurnControl", "Vocabulary", "WebText", "Wiping", argumentParser, subprocess, systemPackage, signals,
            ],
            path: "Sources/batonctl",
            // A link to the policy that is installed, which doctor compares with what it finds.
            resources: [.embedInCode("Resources/org.baton.Device1.conf")],
            swiftSettings: strict),
        .executableTarget(
            name: "batond", dependencies: ["BatondProgram"], path: "Sources/Programs/batond", swiftSettings: strict),
        .executableTarget(
            name: "baton-agent", dependencies: ["BatonAgentProgram"], path: "Sources/Programs/baton-agent",
            swiftSettings: strict),
        .executableTarget(
            name: "batonctl", dependencies: ["BatonctlProgram"], path: "Sources/Programs/batonctl",
            swiftSettings: strict),
        .executableTarget(
            name: "baton-programs", dependencies: ["BatonAgentProgram", "BatonctlProgram", "BatondProgram"],
            path: "Sources/Programs/baton-programs", swiftSettings: strict),
        .executableTarget(
            name: "baton-example-handover", dependencies: ["Baton"], path: "Examples/Handover", swiftSettings: strict),
        .executableTarget(
            name: "baton-example-graph", dependencies: ["BatonMSAL", httpClient, nioCore, nioHTTP],
            path: "Examples/Graph", swiftSettings: strict),

        // What the tests share, and the tests.
        .target(name: "FolderTesting", path: "Tests/FolderTesting", swiftSettings: strict),
        .target(
            name: "BusTesting", dependencies: ["DBus", "FolderTesting"], path: "Tests/BusTesting",
            swiftSettings: strict),
        .target(
            name: "TerminalTesting",
            dependencies: ["Baton", "BusTesting", "DBus", "FolderTesting", "LocalAccounts", "Secrets"],
            path: "Tests/TerminalTesting", exclude: ["manager.py", "puppet.py"], swiftSettings: strict),
        .target(
            name: "ProviderTesting",
            dependencies: [
                "Baton", "BusTesting", "FolderTesting", "TerminalTesting", "WebText", httpClient, nioCore, nioHTTP,
                nioPosix, nioSSL,
            ],
            path: "Tests/ProviderTesting", swiftSettings: strict),
        .target(name: "GeneratedInput", path: "Tests/GeneratedInput", swiftSettings: strict),
        // A policy for the machine, since the machine itself has no defaults.
        .target(
            name: "MachineTesting", dependencies: ["SessionMachine", "Vocabulary"], path: "Tests/MachineTesting",
            swiftSettings: explored),
        // What was said of the turns, held against what stands in the end.
        .target(name: "Testimony", dependencies: ["Vocabulary"], path: "Tests/Testimony", swiftSettings: strict),
        .testTarget(
            name: "IdentityTests",
            dependencies: [
                "FolderTesting", "Identity", "Secrets", "Vocabulary", "WebText", crypto, jwt, logging, nioCore, nioHTTP,
                nioPosix, nioSSL,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "DeviceMetricsTests",
            dependencies: [
                "BusTesting", "DeviceMetrics", "FolderTesting", "LinuxSystem", "Vocabulary", "WebText", logging,
            ],
            swiftSettings: strict),
        .testTarget(name: "WaitingTests", dependencies: ["Waiting"], swiftSettings: strict),
        .testTarget(name: "WebTextTests", dependencies: ["WebText"], swiftSettings: strict),
        .testTarget(
            name: "DevelopmentProviderTests",
            dependencies: [
                "DevelopmentProvider", "FolderTesting", "TerminalTesting", "WebText", "baton-devidp", httpClient,
                crypto, jwt, nioCore, nioHTTP, nioPosix, nioSSL,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ProviderTests",
            dependencies: [
                "Baton", "BatonContract", "BatonMSAL", "BusTesting", "DBus", "FolderTesting", "Identity", "Loopback",
                "ProviderTesting", "Secrets", "TerminalTesting", "WebText", "baton-agent", "baton-devidp",
                "baton-example-graph", "batonctl", "batond", logging,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "TokenTests",
            dependencies: [
                "Baton", "BusTesting", "DBus", "FolderTesting", "ProviderTesting", "TerminalTesting", "WebText",
                "baton-agent", "baton-devidp", "batonctl", "batond",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "LocalAccountsTests",
            dependencies: [
                "CLinux", "FolderTesting", "GeneratedInput", "LinuxSystem", "LocalAccounts", "Secrets", "Vocabulary",
                systemPackage,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "SettingsTests",
            dependencies: [
                "FolderTesting", "GeneratedInput", "LocalAccounts", "Secrets", "Settings", "Vocabulary", "WebText",
                configuration, systemPackage,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "DaemonTests",
            dependencies: [
                "Baton", "BatondProgram", "BusTesting", "CLinux", "DBus", "DeviceBus", "FolderTesting", "Journal",
                "LinuxSystem", "LocalAccounts", "Log", "Providers", "SessionMachine", "Settings", "TerminalTesting",
                "baton-agent", "baton-example-handover", "batonctl", "batond", grdb, logging, lifecycle, systemPackage,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "SupervisorTests",
            dependencies: [
                "Baton", "BusTesting", "DBus", "DeviceBus", "FolderTesting", "Journal", "LocalAccounts", "Providers",
                "SessionMachine",
                "Settings", "Supervisor", "TerminalTesting", "Testimony", "TurnControl", "Vocabulary",
                logging,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "AgentTests",
            dependencies: [
                "Agent", "Baton", "BatonContract", "Browsers", "BusTesting", "CLinux", "Clearing", "ClearingTesting",
                "DBus",
                "Display", "FolderTesting", "KioskTesting", "LinuxSystem", "Presentation", "Processes", "Sandbox",
                "TurnControl", "Vocabulary", logging,
            ],
            swiftSettings: strict),
        .target(
            name: "ClearingTesting",
            dependencies: ["CLinux", "FolderTesting", "LinuxSystem"], path: "Tests/ClearingTesting",
            swiftSettings: strict),
        .testTarget(
            name: "PresentationTests", dependencies: ["Presentation", "Vocabulary"], swiftSettings: strict),
        .testTarget(
            name: "WipingTests",
            dependencies: [
                "CLinux", "Clearing", "ClearingTesting", "FolderTesting", "LinuxSystem", "Processes", "Vocabulary",
                "Wiping",
            ],
            swiftSettings: strict),
        // These run as an ordinary user: Chromium's sandbox refuses root, and strays are ended by user.
        .target(
            name: "KioskTesting",
            dependencies: [
                "Baton", "BusTesting", "CXCB", "FolderTesting", "LinuxSystem", "Needles", "ProviderTesting",
                "TerminalTesting",
                nioCore, nioHTTP, nioPosix, nioSSL,
            ],
            path: "Tests/KioskTesting", exclude: ["chromium-with-port", "page.py", "pointer.py", "site"],
            swiftSettings: strict),
        // It searches whole processes' memory, again and again.
        .target(
            name: "Needles", path: "Tests/Needles",
            swiftSettings: strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]),
        .testTarget(
            name: "SandboxTests",
            dependencies: [
                "Agent", "BatonContract", "BusTesting", "CLinux", "Clearing", "DBus", "Display", "FolderTesting",
                "KioskTesting", "LinuxSystem", "Processes", "Sandbox", "TurnControl", "Vocabulary", "baton-agent",
                logging,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "HolderTests",
            dependencies: [
                "Agent", "BusTesting", "Clearing", "DBus", "Display", "FolderTesting", "KioskTesting",
                "LinuxSystem", "Processes", "QRCodes", "TerminalTesting", "Vocabulary",
            ],
            exclude: ["idler.py"], swiftSettings: strict),
        .testTarget(
            name: "BrowserTests",
            dependencies: [
                "Agent", "BatonContract", "Browsers", "BusTesting", "CLinux", "Display", "FolderTesting",
                "KioskTesting", "LinuxSystem", "Presentation", "Processes", "Sandbox", "Vocabulary", "WebSocket",
                logging, nioCore, nioHTTP, nioPosix, nioWebSocket,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "KioskTests",
            dependencies: [
                "Baton", "BusTesting", "FolderTesting", "KioskTesting", "ProviderTesting", "TerminalTesting",
                "WebText",
                "baton-agent", "baton-devidp", "batonctl", "batond",
            ],
            swiftSettings: strict),
        // The supervisor and the agent killed, lied to and flooded.
        .testTarget(
            name: "FireTests",
            dependencies: [
                "Baton", "BusTesting", "DBus", "FolderTesting", "GeneratedInput", "TerminalTesting", "Testimony",
                "baton-agent", "batonctl", "batond", grdb,
            ],
            exclude: ["crowd.py", "flood.py", "hostile.py", "rawbus.py"], swiftSettings: strict),
        .testTarget(
            name: "RoundTests",
            dependencies: [
                "Baton", "BusTesting", "DBus", "FolderTesting", "TerminalTesting", "baton-agent",
                "baton-example-handover", "batonctl", "batond",
            ],
            exclude: ["introspection.py"], swiftSettings: strict),
        .testTarget(
            name: "BatonTests",
            dependencies: ["Baton", "BatonContract", "BatonMSAL", "BusTesting", "DBus", "FolderTesting"],
            swiftSettings: strict),
        .testTarget(
            name: "BatonctlTests",
            dependencies: [
                "Baton", "BatonctlProgram", "BusTesting", "DBus", "FolderTesting", "Identity", "LinuxSystem",
                "LocalAccounts",
                "Presentation",
                "QRCodes", "ReceiptChain", "Vocabulary", "baton-agent", "baton-programs", "batonctl", "batond",
                argumentParser,
                systemPackage,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "Baton", "BusTesting", "FolderTesting", "TerminalTesting", "baton-agent", "baton-devidp",
                "baton-example-handover", "batonctl", "batond",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "JournalTests",
            dependencies: [
                "FolderTesting", "GeneratedInput", "Journal", "MachineTesting", "ReceiptChain", "SessionMachine",
                "Vocabulary", grdb,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ReceiptChainTests",
            dependencies: ["BusTesting", "FolderTesting", "ReceiptChain", "Secrets", "Vocabulary"],
            swiftSettings: strict),

        // The ways of `make fuzz`, walked with its corpus and with small changes of that.
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "BatonContract", "CDBus", "DBus", "DeviceBus", "FolderTesting", "GeneratedInput", "Identity", "Journal",
                "LocalAccounts", "MachineTesting", "Providers", "SessionMachine", "Settings", "Supervisor", grdb,
            ],
            path: "Tests/Fuzz", exclude: ["Fuzz.swift", "corpus"], swiftSettings: strict),

        // The exhaustive exploration of the state machine; optimised, it is a program of its own.
        .target(
            name: "Exploration", dependencies: ["MachineTesting", "SessionMachine", "Vocabulary"],
            path: "Tests/Exploration", swiftSettings: explored),
        .testTarget(
            name: "SessionMachineTests",
            dependencies: ["Exploration", "MachineTesting", "SessionMachine", "Vocabulary"],
            swiftSettings: strict),
        // A server on bare libdbus that does the least, and the client that measures it beside batond.
        .executableTarget(name: "baton-floor", dependencies: ["CDBus"], path: "Tests/Floor"),
        .executableTarget(
            name: "baton-bench",
            dependencies: [
                "Baton", "BatonContract", "BusTesting", "DBus", "FolderTesting", "KioskTesting", "LocalAccounts",
                "ProviderTesting", "Secrets", "TerminalTesting", "baton-agent", "baton-devidp", "baton-floor", "batond",
                argumentParser,
            ],
            path: "Tests/Benchmark", swiftSettings: strict),
        .executableTarget(
            name: "baton-turn-tool", dependencies: ["LinuxSystem", "TurnControl"], path: "Tests/TurnTool",
            swiftSettings: strict),
        .testTarget(
            name: "TurnControlTests",
            dependencies: ["FolderTesting", "LinuxSystem", "TerminalTesting", "TurnControl", "baton-turn-start"],
            swiftSettings: strict),
        .executableTarget(
            name: "baton-explore", dependencies: ["Exploration"], path: "Tests/ExplorationTool",
            swiftSettings: explored),
        .testTarget(
            name: "DBusTests", dependencies: ["BusTesting", "CDBus", "DBus", "GeneratedInput"], swiftSettings: strict),
        .testTarget(
            name: "DeviceBusTests", dependencies: ["BatonContract", "BusTesting", "DBus", "DeviceBus", logging],
            swiftSettings: strict),
        .testTarget(
            name: "BatonContractTests",
            dependencies: ["BatonContract", "BusTesting", "DBus", "FolderTesting", "GeneratedInput", "Vocabulary"],
            swiftSettings: strict),
    ]
)

// The toolchain's other linker takes half of the time for programs with all their debug information, and there are many.
for target in package.targets where [.executable, .test].contains(target.type) {
    target.linkerSettings =
        (target.linkerSettings ?? []) + [.unsafeFlags(["-use-ld=lld"], .when(configuration: .debug))]
}

// The fuzzer of libFuzzer takes the place of `main` and needs its instrumentation in what is fuzzed: `make fuzz`.
if Context.environment["BATON_FUZZ"] != nil {
    let fuzzed: [SwiftSetting] = [.unsafeFlags(["-sanitize=fuzzer"])]
    let decoders = [
        "WebText", "BatonContract", "DBus", "DeviceBus", "Identity", "Journal", "LocalAccounts", "Providers",
        "SessionMachine",
        "Settings", "Supervisor",
    ]
    for target in package.targets where decoders.contains(target.name) {
        target.swiftSettings = (target.swiftSettings ?? []) + fuzzed
    }
    // The same folder cannot be two targets.
    package.targets.removeAll { $0.name == "FuzzTests" }
    package.targets.append(
        .executableTarget(
            name: "baton-fuzz",
            dependencies: [
                "BatonContract", "CDBus", "DBus", "DeviceBus", "Identity", "Journal", "LocalAccounts",
                "MachineTesting", "Providers", "SessionMachine", "Settings", "Supervisor", "Vocabulary", grdb,
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
