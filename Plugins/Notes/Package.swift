// swift-tools-version: 6.3
import PackageDescription

let core = Target.Dependency.product(name: "PluginCore", package: "Core")
let package = Package(
    name: "Notes",
    products: [.library(name: "NotesInterface", type: .static, targets: ["NotesInterface"])]
        // The libraries of the plugin and of its extensions, each of which runs in a process of its own.
        + ["Notes", "NotesAction", "NotesDocuments", "NotesKeyboard", "NotesShare"].map {
            .library(name: $0, type: .dynamic, targets: [$0])
        },
    dependencies: [.package(path: "../../Packages/Core"), .package(path: "../../Packages/PluginExtension")],
    targets: [
        .target(name: "NotesInterface", dependencies: [core]),
        // The storage, of which the plugin and two of its extensions each contain a copy: no process loads several.
        .target(name: "NotesStorage", dependencies: [core]),
        .target(name: "Notes", dependencies: ["NotesInterface", "NotesStorage", core]),
        .target(name: "NotesAction", dependencies: ["PluginExtension", core]),
        .target(name: "NotesDocuments", dependencies: ["NotesStorage", "PluginExtension", core]),
        .target(name: "NotesKeyboard", dependencies: ["PluginExtension", core]),
        .target(name: "NotesShare", dependencies: ["NotesStorage", "PluginExtension", core]),
    ]
)

// Common settings, checked by Tests/Architecture.
for target in package.targets { target.swiftSettings = [.unsafeFlags(["@\(Context.packageDirectory)/../settings"])] }
