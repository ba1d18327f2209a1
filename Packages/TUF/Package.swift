// swift-tools-version: 6.3
import PackageDescription

let system: Target.Dependency = .product(name: "HostSystem", package: "System")
// Digests and keys: its module LibCrypto.
let crypto: Target.Dependency = .product(name: "Signing", package: "Crypto")

let package = Package(
    name: "TUF",
    products: [
        // One dynamic library with all modules, because a process must have one copy of their types.
        .library(
            name: "TUF", type: .dynamic,
            targets: ["Downloads", "HTTPTransfer", "TUF", "TUFMetadata", "TUFRepository"])
    ],
    dependencies: [.package(path: "../Crypto"), .package(path: "../System")],
    targets: [
        // libcurl is opened with the first request, so that a process without requests does not load it.
        .target(name: "CTransfer", cSettings: [.unsafeFlags(["-fvisibility=hidden"])]),
        // Requests over HTTP. Knows nothing of TUF.
        .target(name: "HTTPTransfer", dependencies: ["CTransfer"], packageAccess: false),
        // Large files over HTTP, resumed and shared. Knows nothing of TUF.
        .target(name: "Downloads", dependencies: ["HTTPTransfer", crypto, system], packageAccess: false),
        // The format of metadata: canonical JSON, keys, signatures, roles. No files and no network.
        .target(name: "TUFMetadata", dependencies: [crypto, system], packageAccess: false),
        // The client: refresh, search and download.
        .target(name: "TUF", dependencies: ["HTTPTransfer", "TUFMetadata", system], packageAccess: false),
        // The repository side: edit, sign and publish.
        .target(name: "TUFRepository", dependencies: ["TUFMetadata", system], packageAccess: false),
    ]
)

// The modules of the repository that use the declarations of HostSystem are one package of that name.
let shared: [SwiftSetting] = [.unsafeFlags(["-package-name", "runtime"])]
for target in package.targets where target.type != .system { target.swiftSettings = shared }

// Common settings: the same block in every Package.swift, checked by Tests/Architecture.
let names = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
let all = names.map { SwiftSetting.enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
for target in package.targets where target.type != .system { target.swiftSettings = (target.swiftSettings ?? []) + all }
