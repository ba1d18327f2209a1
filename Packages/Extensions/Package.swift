// swift-tools-version: 6.3
import PackageDescription

// The products that are used, with their packages.
let used: KeyValuePairs = [
    "PluginCore": "Core", "PluginExtension": "PluginExtension", "Processes": "Processes", "PluginRouter": "Router",
    "PluginRuntime": "Runtime", "HostSystem": "System",
]
let all = used.map { Target.Dependency.byName(name: $0.key) }
// The products that the processes of extensions link.
let few: [Target.Dependency] = ["HostSystem", "PluginCore", "PluginExtension", "Processes"]

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
    dependencies: used.map { .package(name: $0, path: "../\($1)") },
    targets: [
        .target(name: "CKernelFeatures"),
        // The report of a process that has confined itself, for its host.
        .target(name: "ConfinementReporting", dependencies: ["CKernelFeatures"], packageAccess: false),
        // The messages between a host and the processes of its extensions, and the calls of a plugin's, with closures and pages as values.
        .target(name: "ExtensionProtocol", dependencies: ["ConfinementReporting"] + few, packageAccess: false),
        // The processes of extensions: their start, their requests, and their end.
        .target(name: "ExtensionProcess", dependencies: ["ExtensionProtocol"] + few, packageAccess: false),
        // The reports of crashes and hangs.
        .target(name: "CrashReports", dependencies: all, packageAccess: false),
        // The processes of isolated plugins: their start, their calls, and their crashes.
        .target(
            name: "PluginIsolation", dependencies: ["CrashReports", "ExtensionProcess"] + all, packageAccess: false),
        // The extensions of installed bundles: which accept an input, and their runs.
        .target(name: "ExtensionHost", dependencies: ["PluginIsolation"] + all, packageAccess: false),
        .systemLibrary(name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
        // The program with this target defines the exported function for libdispatch (CConfinement/open.c).
        .target(
            name: "CConfinement", dependencies: ["CSeccomp"],
            linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic-symbol=open"])]),
        // The rights of a process that runs plugin code alone. The host does not contain this target, and so needs no libseccomp.
        .target(
            name: "Confinement", dependencies: ["CConfinement", "ConfinementReporting"] + few, packageAccess: false),
        // The program that runs an extension or an isolated plugin in a process of its own.
        .executableTarget(
            name: "ExtensionRunner", dependencies: ["Confinement", "ExtensionProtocol"] + few, packageAccess: false,
            // The folder of the libraries that host and plugins share, relative to bin, so that build/ can be moved.
            linkerSettings: [.unsafeFlags(["-Xlinker", "-rpath", "-Xlinker", "$ORIGIN/../lib"])]),
        // The attempts of the confinement's tests, their program, and their extension.
        .target(name: "CBreakout", path: "Tests/CBreakout"),
        .executableTarget(
            name: "breakout", dependencies: ["CBreakout", "Confinement"] + few, path: "Tests/breakout",
            packageAccess: false),
        .target(
            name: "BreakoutExtension", dependencies: ["CBreakout", "PluginExtension", "PluginCore"],
            path: "Tests/BreakoutExtension", packageAccess: false),
    ]
)

// Common settings, checked by Tests/Architecture.
let settings: [SwiftSetting] = [.unsafeFlags(["@\(Context.packageDirectory)/../settings"])]
for target in package.targets where target.type != .system { target.swiftSettings = settings }
