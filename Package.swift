// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
    .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
    .treatAllWarnings(as: .error),
]

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let signals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")
let systemPackage: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")
let subprocess: Target.Dependency = .product(name: "Subprocess", package: "swift-subprocess")

let package = Package(
    name: "baton",
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
    ],
    targets: [
        // The system's libraries and calls.
        .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
        .target(name: "CLinux"),

        // The libraries, from the bottom up.
        .target(name: "DBus", dependencies: ["CDBus"], swiftSettings: strict),
        .target(name: "Supervision", swiftSettings: strict),
        .target(name: "BatonContract", dependencies: ["DBus"], swiftSettings: strict),
        .target(name: "Baton", dependencies: ["BatonContract", "DBus"], swiftSettings: strict),
        .target(
            name: "LocalAccounts",
            dependencies: [
                "CLinux", systemPackage, "Yams", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            swiftSettings: strict),
        .target(
            name: "Supervisor",
            dependencies: [
                "Supervision", "BatonContract", "DBus", "LocalAccounts", "CLinux", logging, lifecycle, subprocess,
                systemPackage, .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            resources: [.embedInCode("Resources/baton.yaml")],
            swiftSettings: strict),
        .target(
            name: "Agent", dependencies: ["BatonContract", "DBus", "CLinux", logging, lifecycle],
            swiftSettings: strict),

        // The programs.
        .executableTarget(
            name: "batond", dependencies: ["Supervisor", argumentParser, logging, lifecycle, signals, systemPackage],
            swiftSettings: strict),
        .executableTarget(
            name: "baton-agent", dependencies: ["Agent", argumentParser, logging, lifecycle, signals],
            swiftSettings: strict),
        .executableTarget(
            name: "batonctl",
            dependencies: ["Baton", "LocalAccounts", argumentParser, signals, subprocess, systemPackage],
            swiftSettings: strict),
        .executableTarget(
            name: "baton-example-handover", dependencies: ["Baton"], path: "Examples/Handover", swiftSettings: strict),

        // What the tests share, and the tests.
        .target(name: "BusTesting", dependencies: ["DBus"], path: "Tests/BusTesting", swiftSettings: strict),
        .target(
            name: "TerminalTesting", dependencies: ["BusTesting", "Baton", "DBus", "LocalAccounts"],
            path: "Tests/TerminalTesting", exclude: ["puppet.py"], swiftSettings: strict),
        .testTarget(
            name: "LocalAccountsTests", dependencies: ["LocalAccounts", "CLinux", systemPackage],
            swiftSettings: strict),
        .testTarget(
            name: "SettingsTests",
            dependencies: [
                "Supervisor", "LocalAccounts", systemPackage,
                .product(name: "Configuration", package: "swift-configuration"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "DaemonTests",
            dependencies: [
                "TerminalTesting", "BusTesting", "Baton", "DBus", "LocalAccounts", "Supervisor", "Supervision",
                "CLinux",
                "batond", "baton-agent", "batonctl", "baton-example-handover", logging, lifecycle,
                systemPackage,
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: strict),
        .testTarget(name: "AgentTests", dependencies: ["Agent", "CLinux", logging], swiftSettings: strict),
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
                "batonctl", "Baton", "LocalAccounts", "DBus", "BusTesting", argumentParser, systemPackage,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "JournalTests",
            dependencies: ["Supervisor", "Supervision", .product(name: "GRDB", package: "GRDB.swift")],
            swiftSettings: strict),

        // The exhaustive exploration of the state machine; optimised, it is a program of its own.
        .target(
            name: "Exploration", dependencies: ["Supervision"], path: "Tests/Exploration", swiftSettings: strict),
        .testTarget(
            name: "SupervisionTests", dependencies: ["Supervision", "Exploration"], swiftSettings: strict),
        .executableTarget(
            name: "baton-explore", dependencies: ["Exploration", "Supervision"], path: "Tests/ExplorationTool",
            swiftSettings: strict),
        .testTarget(name: "DBusTests", dependencies: ["DBus", "BusTesting"], swiftSettings: strict),
        .testTarget(
            name: "BatonContractTests", dependencies: ["BatonContract", "DBus", "BusTesting"], swiftSettings: strict),
    ]
)
