// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// The settings of every Swift target: docs/architecture.md says why each is on.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
    .treatAllWarnings(as: .error),
]

/// A Swift target under `Sources/` with the shared settings.
func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// A program under `Sources/` with the shared settings.
func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// A test target under `Tests/` with the shared settings; every one may use `KeyfobTestSupport`.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies + ["KeyfobTestSupport"], swiftSettings: settings)
}

let package = Package(
    name: "keyfob",
    products: [
        .library(name: "Security", targets: ["Security"]),
        .library(name: "LocalAuthentication", targets: ["LocalAuthentication"]),
        .library(name: "SecurityEmbedded", targets: ["SecurityEmbedded"]),
        .library(name: "KeychainWrappers", targets: ["KeychainWrappers"]),
        .executable(name: "keyfob", targets: ["keyfob"]),
        .executable(name: "keyfobd", targets: ["keyfobd"]),
        .executable(name: "keyfob-module-host", targets: ["keyfob-module-host"]),
        // For tests only: loaded by its path.
        .library(name: "CKeyfobMockModule", type: .dynamic, targets: ["CKeyfobMockModule"]),
        .executable(name: "keyfob-bench", targets: ["keyfob-bench"]),
    ],
    targets: [
        // C: one module a library, each imported by one Swift target.
        .target(name: "CKeyfobShims"),
        .systemLibrary(name: "CKeyfobP11Kit", pkgConfig: "p11-kit-1", providers: [.apt(["libp11-kit-dev"])]),
        .systemLibrary(name: "CKeyfobLibcrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CKeyfobSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CKeyfobSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .target(name: "CKeyfobBench", dependencies: ["CKeyfobP11Kit", "CKeyfobSQLite"]),
        // 0 memory, 1 base, 2 platform
        library("KeyfobMemory", ["CKeyfobShims"]),
        library("KeyfobModel", ["KeyfobMemory"]),
        library("KeyfobPlatform", ["CKeyfobShims", "KeyfobMemory", "KeyfobModel"]),
        // 3 wrappers
        library("KeyfobWords", ["KeyfobModel", "KeyfobPlatform"]),
        library("KeyfobPKCS11", ["CKeyfobP11Kit", "KeyfobMemory", "KeyfobModel"]),
        library("KeyfobCrypto", ["CKeyfobLibcrypto", "KeyfobMemory"]),
        library("KeyfobSQLite", ["CKeyfobSQLite"]),
        library("KeyfobSystemd", ["CKeyfobSystemd", "KeyfobModel", "KeyfobPlatform"]),
        // 4 domain
        library("KeyfobWire", ["KeyfobMemory", "KeyfobModel"]),
        library("KeyfobVault", ["KeyfobMemory", "KeyfobModel", "KeyfobPKCS11", "KeyfobCrypto"]),
        library("KeyfobStore", ["KeyfobModel", "KeyfobSQLite"]),
        // 5 service
        library(
            "KeyfobEngine",
            [
                "KeyfobMemory", "KeyfobModel", "KeyfobPlatform", "KeyfobCrypto", "KeyfobPKCS11", "KeyfobSQLite",
                "KeyfobVault", "KeyfobStore",
            ]),
        library("KeyfobClient", ["KeyfobMemory", "KeyfobModel", "KeyfobPlatform", "KeyfobWire"]),
        // 6 fronts
        library(
            "Security",
            ["CKeyfobShims", "KeyfobMemory", "KeyfobModel", "KeyfobPlatform", "KeyfobWords", "KeyfobClient"]),
        library(
            "KeyfobCLI",
            ["KeyfobMemory", "KeyfobModel", "KeyfobPlatform", "KeyfobWords", "KeyfobClient", "KeyfobEngine"]),
        library(
            "KeyfobDaemon",
            [
                "KeyfobMemory", "KeyfobModel", "KeyfobPlatform", "KeyfobWords", "KeyfobSystemd", "KeyfobWire",
                "KeyfobEngine",
            ]),
        // 7 rim
        library("LocalAuthentication", ["Security", "KeyfobMemory", "KeyfobModel"]),
        library(
            "SecurityEmbedded",
            ["Security", "KeyfobMemory", "KeyfobModel", "KeyfobPlatform", "KeyfobWords", "KeyfobEngine"]),
        library("KeychainWrappers", ["Security"]),
        program("keyfob", ["KeyfobCLI", "KeyfobWords"]),
        program("keyfob-module-host", ["KeyfobModel", "KeyfobPlatform", "KeyfobPKCS11"]),
        program("keyfobd", ["KeyfobModel", "KeyfobDaemon"]),
        program(
            "keyfob-bench",
            [
                "CKeyfobBench", "Security", "KeyfobMemory", "KeyfobModel", "KeyfobPlatform", "KeyfobPKCS11",
                "KeyfobEngine", "KeyfobClient", "KeyfobDaemon",
            ]),
        // tests
        .target(name: "CKeyfobMockModule", dependencies: ["CKeyfobP11Kit"], path: "Tests/CKeyfobMockModule"),
        .target(
            name: "KeyfobTestSupport",
            dependencies: [
                "KeyfobMemory", "KeyfobModel", "KeyfobPlatform", "KeyfobPKCS11", "KeyfobEngine", "KeyfobClient",
                "KeyfobDaemon", "CKeyfobSQLite",
            ],
            path: "Tests/KeyfobTestSupport", swiftSettings: settings),
        tests("KeyfobMemoryTests", ["KeyfobMemory"]),
        tests("KeyfobModelTests", ["KeyfobModel", "KeyfobMemory"]),
        tests("KeyfobPlatformTests", ["KeyfobPlatform", "KeyfobModel", "KeyfobMemory"]),
        tests(
            "KeyfobPKCS11Tests",
            ["KeyfobPKCS11", "KeyfobModel", "KeyfobMemory", "keyfob-test-program", "keyfob-module-host"]),
        tests("KeyfobCryptoTests", ["KeyfobCrypto", "KeyfobMemory"]),
        tests("KeyfobSQLiteTests", ["KeyfobSQLite"]),
        tests("KeyfobStoreTests", ["KeyfobStore", "KeyfobSQLite", "KeyfobModel"]),
        tests("KeyfobWireTests", ["KeyfobWire", "KeyfobModel", "KeyfobMemory"]),
        tests("KeyfobSystemdTests", ["KeyfobSystemd", "KeyfobPlatform", "KeyfobModel", "keyfob-test-logind"]),
        tests("KeyfobClientTests", ["KeyfobClient", "KeyfobWire", "KeyfobPlatform", "KeyfobModel", "KeyfobMemory"]),
        tests(
            "KeyfobDaemonTests",
            [
                "KeyfobDaemon", "KeyfobClient", "KeyfobWire", "KeyfobEngine", "KeyfobPlatform", "KeyfobModel",
                "KeyfobMemory", "KeyfobPKCS11", "KeyfobSystemd", "KeyfobWords", "keyfobd", "keyfob-test-daemon",
            ]),
        tests("KeyfobVaultTests", ["KeyfobVault", "KeyfobPKCS11", "KeyfobCrypto", "KeyfobModel", "KeyfobMemory"]),
        // A program that the tests run, kill, crash and look into.
        .executableTarget(
            name: "keyfob-test-program",
            dependencies: [
                "Security", "SecurityEmbedded", "KeychainWrappers", "KeyfobMemory", "KeyfobModel", "KeyfobPlatform",
                "KeyfobPKCS11", "KeyfobEngine", "KeyfobClient",
            ],
            path: "Tests/Programs/keyfob-test-program", swiftSettings: settings),
        // What of logind the sleep of the machine needs.
        .executableTarget(
            name: "keyfob-test-logind", dependencies: ["CKeyfobSystemd"], path: "Tests/Programs/keyfob-test-logind"),
        // keyfobd with another service inside.
        .executableTarget(
            name: "keyfob-test-daemon",
            dependencies: ["KeyfobModel", "KeyfobPlatform", "KeyfobSystemd", "KeyfobEngine", "KeyfobDaemon"],
            path: "Tests/Programs/keyfob-test-daemon", swiftSettings: settings),
        tests(
            "KeyfobEngineTests",
            [
                "KeyfobEngine", "KeyfobVault", "KeyfobStore", "KeyfobSQLite", "KeyfobPKCS11", "KeyfobCrypto",
                "KeyfobPlatform", "KeyfobModel", "KeyfobMemory",
            ]),
        tests("SecurityTests", ["Security", "KeyfobModel", "KeyfobMemory"]),
        tests("LocalAuthenticationTests", ["LocalAuthentication", "Security", "KeyfobModel", "KeyfobMemory"]),
        tests("KeychainWrappersTests", ["KeychainWrappers", "Security", "KeyfobModel", "KeyfobMemory"]),
        tests(
            "KeyfobCLITests",
            [
                "KeyfobCLI", "KeyfobWords", "KeyfobEngine", "KeyfobClient", "KeyfobPlatform", "KeyfobModel",
                "KeyfobMemory", "keyfob", "keyfobd",
            ]),
        tests(
            "ConformanceTests",
            [
                "Security", "SecurityEmbedded", "LocalAuthentication", "KeyfobMemory", "KeyfobModel", "KeyfobPlatform",
                "KeyfobPKCS11", "KeyfobSQLite", "KeyfobEngine", "KeyfobClient", "KeyfobDaemon",
            ]),
        // Compiled as programs of others are: an older language mode, no upcoming features, warnings that stay warnings.
        .testTarget(
            name: "SourceCompatibilityTests",
            dependencies: ["Security", "LocalAuthentication", "KeyfobModel", "KeyfobTestSupport"],
            swiftSettings: [.swiftLanguageMode(.v5)]),
        // One suite for every kind of token: scripts/test --tokens.
        tests(
            "TokenContractTests",
            ["KeyfobEngine", "KeyfobVault", "KeyfobPKCS11", "KeyfobCrypto", "KeyfobModel", "KeyfobMemory"]),
        tests(
            "ScenarioTests",
            [
                "Security", "SecurityEmbedded", "KeychainWrappers", "KeyfobClient", "KeyfobModel", "KeyfobMemory",
                "KeyfobPKCS11", "KeyfobPlatform", "keyfob", "keyfobd", "keyfob-module-host", "keyfob-test-program",
                "keyfob-test-logind",
            ]),
    ]
)

// For `scripts/sanitize --only`: the others take most of the time that a build of the tests takes.
if let only = Context.environment["KEYFOB_TEST_TARGET"] {
    package.targets.removeAll { $0.type == .test && $0.name != only }
}
