// swift-tools-version: 6.3
import PackageDescription

// Digests and keys: its module LibCrypto.

let package = Package(
    name: "TUF",
    products: [
        // One dynamic library with all modules, because a process must have one copy of their types.
        .library(
            name: "TUF", type: .dynamic,
            targets: ["Downloads", "HTTPTransfer", "TUF", "TUFMetadata", "TUFRepository"])
    ],
    dependencies: [.package(name: "Signing", path: "../Crypto"), .package(name: "HostSystem", path: "../System")],
    targets: [
        // libcurl is opened with the first request, so that a process without requests does not load it.
        .target(name: "CTransfer", cSettings: [.unsafeFlags(["-fvisibility=hidden"])]),
        // Requests over HTTP. Knows nothing of TUF.
        .target(name: "HTTPTransfer", dependencies: ["CTransfer"], packageAccess: false),
        // Large files over HTTP, resumed and shared. Knows nothing of TUF.
        .target(name: "Downloads", dependencies: ["HTTPTransfer", "Signing", "HostSystem"], packageAccess: false),
        // The format of metadata: canonical JSON, keys, signatures, roles. No files and no network.
        .target(name: "TUFMetadata", dependencies: ["Signing", "HostSystem"], packageAccess: false),
        // The client: refresh, search and download.
        .target(name: "TUF", dependencies: ["HTTPTransfer", "TUFMetadata", "HostSystem"], packageAccess: false),
        // The repository side: edit, sign and publish.
        .target(name: "TUFRepository", dependencies: ["TUFMetadata", "HostSystem"], packageAccess: false),
    ]
)

// Common settings, checked by Tests/Architecture.
for target in package.targets { target.swiftSettings = [.unsafeFlags(["@\(Context.packageDirectory)/../settings"])] }
