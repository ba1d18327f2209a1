// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "TUF",
    products: [
        // One dynamic library with all modules, because a process must have one copy of their types.
        .library(
            name: "TUF", type: .dynamic,
            targets: ["Deltas", "Downloads", "Files", "HTTPTransfer", "Hashing", "TUF", "TUFMetadata", "TUFRepository"])
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
        // The format of metadata: canonical JSON, keys, signatures, roles. No files and no network.
        .target(name: "TUFMetadata", dependencies: ["CLibCrypto"]),
        // The client: refresh, search and download.
        .target(name: "TUF", dependencies: ["Files", "HTTPTransfer", "TUFMetadata"]),
        // The repository side: edit, sign and publish.
        .target(name: "TUFRepository", dependencies: ["Files", "TUFMetadata"]),
    ]
)

// Common settings: the same block in every Package.swift, checked by Tests/Architecture.
let names = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
let all = names.map { SwiftSetting.enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
for target in package.targets where target.type != .system { target.swiftSettings = (target.swiftSettings ?? []) + all }
