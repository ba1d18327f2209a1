// swift-tools-version: 6.3
import PackageDescription

let router: Target.Dependency = .product(name: "PluginRouter", package: "Router")
let runtime: Target.Dependency = .product(name: "PluginRuntime", package: "Runtime")
let core: Target.Dependency = .product(name: "PluginCore", package: "Core")
let system: Target.Dependency = .product(name: "HostSystem", package: "System")
// The dependencies of nearly all targets.
let base: [Target.Dependency] = ["Processes", system, core]

let package = Package(
    name: "Extensions",
    products: [
        .library(
            name: "ExtensionHost", type: .dynamic,
            targets: [
                "ConfinementReporting", "CrashReports", "ExtensionHost", "ExtensionProcess", "ExtensionProtocol",
                "PluginIsolation",
            ]),
        .executable(name: "extension-runner", targets: ["ExtensionRunner"]),
        .executable(name: "breakout", targets: ["breakout"]),
        .library(name: "BreakoutExtension", type: .dynamic, targets: ["BreakoutExtension"]),
    ],
    dependencies: ["Core", "PluginExtension", "Processes", "Router", "Runtime", "System"].map {
        .package(path: "../\($0)")
    },
    targets: [
        .target(name: "CKernelFeatures"),
        // The report of a process that has confined itself, for its host.
        .target(name: "ConfinementReporting", dependencies: ["CKernelFeatures"], packageAccess: false),
        // The messages between a host and the processes of its extensions, and the calls of a plugin's, with closures and pages as values.
        .target(
            name: "ExtensionProtocol", dependencies: ["ConfinementReporting", "PluginExtension"] + base,
            packageAccess: false),
        // The processes of extensions: their start, their requests, and their end.
        .target(
            name: "ExtensionProcess", dependencies: ["ExtensionProtocol", "PluginExtension"] + base,
            packageAccess: false),
        // The reports of crashes and hangs.
        .target(name: "CrashReports", dependencies: [runtime] + base, packageAccess: false),
        // The processes of isolated plugins: their start, their calls, and their crashes.
        .target(
            name: "PluginIsolation",
            dependencies: ["CrashReports", "ExtensionProcess", "ExtensionProtocol", "PluginExtension", router, runtime]
                + base, packageAccess: false),
        // The extensions of installed bundles: which accept an input, and their runs.
        .target(
            name: "ExtensionHost",
            dependencies: [
                "ConfinementReporting", "ExtensionProcess", "ExtensionProtocol", "PluginExtension", "PluginIsolation",
                system, core, router, runtime,
            ], packageAccess: false),
        .systemLibrary(name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
        // The program with this target defines the exported function for libdispatch (CConfinement/open.c).
        .target(
            name: "CConfinement", dependencies: ["CSeccomp"],
            linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic-symbol=open"])]),
        // The rights of a process that runs plugin code alone. The host does not contain this target, and so needs no libseccomp.
        .target(
            name: "Confinement", dependencies: ["CConfinement", "ConfinementReporting"] + base, packageAccess: false),
        // The program that runs an extension or an isolated plugin in a process of its own.
        .executableTarget(
            name: "ExtensionRunner",
            dependencies: ["Confinement", "ConfinementReporting", "ExtensionProtocol", "PluginExtension"] + base,
            packageAccess: false,
            // The folder of the libraries that host and plugins share, relative to bin, so that build/ can be moved.
            linkerSettings: [.unsafeFlags(["-Xlinker", "-rpath", "-Xlinker", "$ORIGIN/../lib"])]),
        // The attempts of the confinement's tests, their program, and their extension.
        .target(name: "CBreakout", path: "Tests/CBreakout"),
        .executableTarget(
            name: "breakout", dependencies: ["CBreakout", "Confinement", "ConfinementReporting", core],
            path: "Tests/breakout", packageAccess: false),
        .target(
            name: "BreakoutExtension", dependencies: ["CBreakout", "PluginExtension", core],
            path: "Tests/BreakoutExtension", packageAccess: false),
    ]
)

// The runtime and the packages around it share their `package` declarations, as one package of that name.
let shared: [SwiftSetting] = [.unsafeFlags(["-package-name", "runtime"])]
for target in package.targets where target.type != .system { target.swiftSettings = shared }

// Common settings: the same block in every Package.swift, checked by Tests/Architecture.
let names = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
let all = names.map { SwiftSetting.enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
for target in package.targets where target.type != .system { target.swiftSettings = (target.swiftSettings ?? []) + all }
