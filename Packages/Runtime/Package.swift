// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Runtime",
    products: [
        // One dynamic library with all modules, because a process must have one copy of their types.
        .library(
            name: "PluginRuntime", type: .dynamic,
            targets: [
                "BundleFormat", "BundleStorage", "CatalogFormat", "ConfinementReporting", "CrashReports", "Doctor",
                "ExtensionActivation", "ExtensionHost", "ExtensionProcess", "ExtensionProtocol", "HostSystem",
                "PluginCatalog", "PluginIsolation", "PluginRuntime", "Preflight", "Registry", "RemoteCatalog",
                "RemoteObjects", "Resolver", "Signing", "SystemLinks", "Trust",
            ]
        ),
        // The program that runs an extension in a process of its own.
        .executable(name: "extension-runner", targets: ["ExtensionRunner"]),
        // The program of the confinement's tests.
        .executable(name: "breakout", targets: ["breakout"]),
        // The extension of these tests.
        .library(name: "BreakoutExtension", type: .dynamic, targets: ["BreakoutExtension"]),
    ],
    dependencies: [
        .package(path: "../Core"), .package(path: "../Router"), .package(path: "../SQLite"), .package(path: "../TUF"),
        .package(path: "../Zip"),
    ],
    targets: [
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .target(
            name: "CSystem",
            // Plugins must not find these functions, except for those below.
            cSettings: [.unsafeFlags(["-fvisibility=hidden"])],
            // The library or test program with this target defines these functions for all libraries in its process, plugins included
            // (CSystem/process_end.c). A program needs the option, or the linker does not show them to the loader.
            linkerSettings: [
                .unsafeFlags(
                    [
                        "exit", "quick_exit", "_exit", "_Exit", "execve", "execv", "fexecve", "execvpe", "execvp",
                        "execl", "execle", "execlp",
                    ].flatMap { ["-Xlinker", "--export-dynamic-symbol=\($0)"] }, .when(platforms: [.linux]))
            ]
        ),
        .target(name: "Signing", dependencies: ["CCrypto", .product(name: "PluginCore", package: "Core")]),
        // The operating system: the only Swift target here that imports Glibc or CSystem.
        .target(
            name: "HostSystem", dependencies: ["CSystem", .product(name: "PluginCore", package: "Core")]
        ),
        // The files in a bundle's container.
        .target(
            name: "BundleStorage", dependencies: ["HostSystem", .product(name: "PluginCore", package: "Core")]
        ),
        .executableTarget(
            name: "ExtensionRunner",
            dependencies: [
                "BundleStorage", "Confinement", "ConfinementReporting", "ExtensionProtocol", "HostSystem",
                "RemoteObjects", .product(name: "PluginCore", package: "Core"),
            ],
            // The folder of the libraries that host and plugins share, relative to bin, so that build/ can be moved.
            linkerSettings: [.unsafeFlags(["-Xlinker", "-rpath", "-Xlinker", "$ORIGIN/../lib"])]
        ),
        // The messages between a host and the processes of its extensions.
        .target(
            name: "ExtensionProtocol",
            dependencies: ["ConfinementReporting", "HostSystem", .product(name: "PluginCore", package: "Core")]
        ),
        // The calls between a host and the process of a plugin, with closures and pages as values.
        .target(
            name: "RemoteObjects",
            dependencies: ["ExtensionProtocol", "HostSystem", .product(name: "PluginCore", package: "Core")]
        ),
        // The processes of extensions: their start, their requests, and their end.
        .target(
            name: "ExtensionProcess",
            dependencies: [
                "ExtensionProtocol", "HostSystem", "RemoteObjects", .product(name: "PluginCore", package: "Core"),
            ]
        ),
        // The choice of versions that fit together. No files and no database.
        .target(name: "Resolver", dependencies: ["PluginRuntime", .product(name: "PluginCore", package: "Core")]),
        // The rules by which a host offers an extension for an input. No files and no processes.
        .target(name: "ExtensionActivation", dependencies: [.product(name: "PluginCore", package: "Core")]),
        // The format of a bundle: manifest, seal and package.
        .target(
            name: "BundleFormat",
            dependencies: [
                "ExtensionActivation", "HostSystem", "Signing", .product(name: "PluginCore", package: "Core"),
                .product(name: "PluginRouter", package: "Router"), .product(name: "Zip", package: "Zip"),
            ]
        ),
        // The format of a catalog's targets, for hosts and publishers. No files of a repository and no network.
        .target(
            name: "CatalogFormat",
            dependencies: [
                "BundleFormat", "HostSystem", "PluginRuntime", .product(name: "PluginCore", package: "Core"),
                .product(name: "PluginRouter", package: "Router"), .product(name: "TUF", package: "TUF"),
            ]
        ),
        // The teams that may sign bundles, and the verification of seals.
        .target(
            name: "Trust",
            dependencies: [
                "BundleFormat", "HostSystem", "PluginRuntime", "Registry", "Signing",
                .product(name: "PluginCore", package: "Core"),
                .product(name: "PluginRouter", package: "Router"), .product(name: "Zip", package: "Zip"),
            ]
        ),
        // The checks of a library's file, before any of its code runs.
        .target(
            name: "Preflight",
            dependencies: [
                "BundleFormat", "HostSystem", "PluginRuntime", .product(name: "PluginCore", package: "Core"),
                .product(name: "Zip", package: "Zip"),
            ]
        ),
        // The layout of a sandbox, and the database of installed bundles.
        .target(
            name: "Registry",
            dependencies: [
                "BundleFormat", "HostSystem", .product(name: "PluginCore", package: "Core"),
                .product(name: "PluginRouter", package: "Router"), .product(name: "SQLite", package: "SQLite"),
            ]
        ),
        // Several sources of packages as one, and the questions to those that have to be fetched.
        .target(
            name: "PluginCatalog",
            dependencies: [
                "BundleFormat", "HostSystem", "PluginRuntime", "Registry",
                .product(name: "PluginCore", package: "Core"), .product(name: "PluginRouter", package: "Router"),
            ]
        ),
        // The catalog on a server, protected by The Update Framework.
        .target(
            name: "RemoteCatalog",
            dependencies: [
                "BundleFormat", "CatalogFormat", "HostSystem", "PluginCatalog", "PluginRuntime",
                .product(name: "PluginCore", package: "Core"), .product(name: "PluginRouter", package: "Router"),
                .product(name: "TUF", package: "TUF"),
            ]
        ),
        .target(
            name: "PluginRuntime",
            dependencies: [
                "BundleFormat", "BundleStorage", "HostSystem", "Registry",
                .product(name: "PluginCore", package: "Core"),
                .product(name: "PluginRouter", package: "Router"), .product(name: "SQLite", package: "SQLite"),
                .product(name: "Zip", package: "Zip"),
            ]
        ),
        // The processes of isolated plugins: their start, their calls, and their crashes.
        .target(
            name: "PluginIsolation",
            dependencies: [
                "CrashReports", "ExtensionProcess", "ExtensionProtocol", "HostSystem", "PluginRuntime", "Registry",
                "RemoteObjects", .product(name: "PluginCore", package: "Core"),
                .product(name: "PluginRouter", package: "Router"),
            ]
        ),
        // The reports of crashes and hangs.
        .target(
            name: "CrashReports",
            dependencies: [
                "BundleFormat", "HostSystem", "Preflight", "Registry", .product(name: "PluginCore", package: "Core"),
            ]
        ),
        // The checks of a sandbox, and the rebuilding of a lost registry.
        .target(
            name: "Doctor",
            dependencies: [
                "BundleFormat", "ConfinementReporting", "HostSystem", "PluginRuntime", "Preflight", "Registry",
                .product(name: "PluginCore", package: "Core"),
                .product(name: "PluginRouter", package: "Router"),
            ]
        ),
        // The links that leave an app for the system.
        .target(
            name: "SystemLinks",
            dependencies: [
                "HostSystem", .product(name: "PluginCore", package: "Core"),
                .product(name: "PluginRouter", package: "Router"),
            ]
        ),
        // The extensions of installed bundles: which accept an input, and their runs.
        .target(
            name: "ExtensionHost",
            dependencies: [
                "ConfinementReporting", "ExtensionActivation", "ExtensionProcess", "ExtensionProtocol", "HostSystem",
                "PluginIsolation", "PluginRuntime", "Registry", .product(name: "PluginCore", package: "Core"),
                .product(name: "PluginRouter", package: "Router"),
            ]
        ),
        // The report of a process that has confined itself, for its host.
        .target(name: "CKernelFeatures"),
        .target(name: "ConfinementReporting", dependencies: ["CKernelFeatures"]),
        // The rights of a process that runs plugin code alone. The host does not contain this target, and so needs no libseccomp.
        .systemLibrary(name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
        .target(
            name: "CConfinement", dependencies: ["CSeccomp"],
            // The program with this target defines this function for libdispatch (CConfinement/open.c).
            linkerSettings: [
                .unsafeFlags(["-Xlinker", "--export-dynamic-symbol=open"], .when(platforms: [.linux]))
            ]
        ),
        .target(
            name: "Confinement",
            dependencies: [
                "CConfinement", "ConfinementReporting", "HostSystem", .product(name: "PluginCore", package: "Core"),
            ]
        ),
        .target(name: "CBreakout", path: "Tests/CBreakout"),
        .executableTarget(
            name: "breakout",
            dependencies: [
                "CBreakout", "Confinement", "ConfinementReporting", .product(name: "PluginCore", package: "Core"),
            ],
            path: "Tests/breakout"
        ),
        .target(
            name: "BreakoutExtension", dependencies: ["CBreakout", .product(name: "PluginCore", package: "Core")],
            path: "Tests/BreakoutExtension"
        ),
    ]
)

// With ATRIUM_KERNEL=1 in the environment, only the kernel is there, and its folders are enough. Scripts/test builds it so.
if Context.environment["ATRIUM_KERNEL"] == "1" {
    let kernel = [
        "CCrypto", "CSystem", "Signing", "HostSystem", "BundleStorage", "ExtensionActivation", "BundleFormat",
        "Registry", "PluginRuntime",
    ]
    package.targets.removeAll { !kernel.contains($0.name) }
    package.dependencies.removeAll { if case .fileSystem(_, "../TUF") = $0.kind { true } else { false } }
    package.products = [.library(name: "PluginRuntime", type: .dynamic, targets: kernel.filter { !$0.hasPrefix("C") })]
}

// Common settings: the same block in every Package.swift, checked by Tests/Architecture.
for target in package.targets where target.type != .system {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [.swiftLanguageMode(.v6)]
        + ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
        .map { .enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
}
