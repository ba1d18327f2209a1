// swift-tools-version: 6.3
import PackageDescription

let core: Target.Dependency = .product(name: "PluginCore", package: "Core")
let extensions: Target.Dependency = .product(name: "PluginExtension", package: "PluginExtension")

let package = Package(
    name: "Notes",
    products: [
        // The static library that other plugins link, with names but no code of the plugin.
        .library(name: "NotesInterface", type: .static, targets: ["NotesInterface"]),
        // The library that the host loads.
        .library(name: "Notes", type: .dynamic, targets: ["Notes"]),
        // The libraries of the extensions, each of which runs in a process of its own.
        .library(name: "NotesAction", type: .dynamic, targets: ["NotesAction"]),
        .library(name: "NotesDocuments", type: .dynamic, targets: ["NotesDocuments"]),
        .library(name: "NotesKeyboard", type: .dynamic, targets: ["NotesKeyboard"]),
        .library(name: "NotesShare", type: .dynamic, targets: ["NotesShare"]),
    ],
    dependencies: [.package(path: "../../Packages/Core"), .package(path: "../../Packages/PluginExtension")],
    targets: [
        .target(name: "NotesInterface", dependencies: [core]),
        // The storage, of which the plugin and two of its extensions each contain a copy: no process loads several.
        .target(name: "NotesStorage", dependencies: [core]),
        .target(name: "Notes", dependencies: ["NotesInterface", "NotesStorage", core]),
        .target(name: "NotesAction", dependencies: [core, extensions]),
        .target(name: "NotesDocuments", dependencies: ["NotesStorage", core, extensions]),
        .target(name: "NotesKeyboard", dependencies: [core, extensions]),
        .target(name: "NotesShare", dependencies: ["NotesStorage", core, extensions]),
    ]
)

// Common settings: the same in every plugin, checked by Tests/Architecture.
let names = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
let all = names.map { SwiftSetting.enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
for target in package.targets where target.type != .system { target.swiftSettings = (target.swiftSettings ?? []) + all }
