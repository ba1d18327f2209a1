// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "TUF",
    products: [
        // One dynamic library with all modules, because a process must have one copy of their types.
        .library(
            name: "TUF", type: .dynamic,
            targets: ["Deltas", "Downloads", "Files", "HTTPTransfer", "Hashing", "TUF", "TUFMetadata", "TUFRepository"]),
        // The web server of tests and benchmarks, which no product links.
        .library(name: "TestServer", type: .static, targets: ["TestServer"]),
        .executable(name: "download-file", targets: ["DownloadCommand"]),
        .executable(name: "tuf-client", targets: ["TUFCommand"]),
    ],
    targets: [
        .systemLibrary(name: "CLibCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        // libcurl is opened with the first request, so that a process without requests does not load it.
        .target(name: "CTransfer", cSettings: [.unsafeFlags(["-fvisibility=hidden"])]),
        // libzstd is opened with the first delta.
        .target(
            name: "CDelta", cSettings: [.unsafeFlags(["-fvisibility=hidden"])], linkerSettings: [.linkedLibrary("z")]),
        // Files that are replaced as a whole: the only Swift target here that makes system calls.
        .target(name: "Files"),
        // Requests over HTTP. Knows nothing of TUF.
        .target(name: "HTTPTransfer", dependencies: ["CTransfer"]),
        // The digest of files while they are read or written.
        .target(name: "Hashing", dependencies: ["CLibCrypto"]),
        // Large files over HTTP, resumed and shared. Knows nothing of TUF.
        .target(name: "Downloads", dependencies: ["Files", "HTTPTransfer", "Hashing"]),
        // Differences between versions of a zipped package. Knows nothing of TUF.
        .target(name: "Deltas", dependencies: ["CDelta", "Files", "Hashing"]),
        // A program that downloads one file: for tests, and for trying a server.
        .executableTarget(name: "DownloadCommand", dependencies: ["Downloads", "HTTPTransfer"]),
        // The format of metadata: canonical JSON, keys, signatures, roles. No files and no network.
        .target(name: "TUFMetadata", dependencies: ["CLibCrypto"]),
        // The client: refresh, search and download.
        .target(name: "TUF", dependencies: ["Files", "HTTPTransfer", "TUFMetadata"]),
        // The repository side: edit, sign and publish.
        .target(name: "TUFRepository", dependencies: ["Files", "TUFMetadata"]),
        .executableTarget(
            name: "TUFCommand", dependencies: ["Files", "HTTPTransfer", "TUF", "TUFMetadata"],
            // The folder of the shared libraries, relative to bin, so that build/ can be moved.
            linkerSettings: [.unsafeFlags(["-Xlinker", "-rpath", "-Xlinker", "$ORIGIN/../lib"])]
        ),
        // nginx on loopback. Knows nothing of the other modules.
        .target(name: "TestServer"),
        .testTarget(name: "TUFMetadataTests", dependencies: ["TUFMetadata"], exclude: ["Fixtures"]),
        .testTarget(name: "DeltasTests", dependencies: ["Deltas", "TUFMetadata"]),
        .testTarget(
            name: "HTTPTransferTests",
            // The tests kill a program that downloads.
            dependencies: ["DownloadCommand", "Downloads", "Files", "HTTPTransfer", "TestServer", "TUFMetadata"]),
        .testTarget(
            name: "TUFTests",
            // The tests start the client as a program of its own.
            dependencies: ["Files", "HTTPTransfer", "TUF", "TUFCommand", "TUFMetadata", "TUFRepository"],
            exclude: ["Fixtures"]),
    ]
)

// Common settings: the same block in every Package.swift, checked by Tests/Architecture.
let commonSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
    .treatAllWarnings(as: .error),  // SE-0480
]
for target in package.targets where target.type != .system && target.type != .binary {
    target.swiftSettings = (target.swiftSettings ?? []) + commonSettings
}
