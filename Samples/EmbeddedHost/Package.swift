// swift-tools-version: 6.3
import PackageDescription

// "bundletool build" tells the compiler where the SDK is, so no path and no unsafe flag is needed here.
let package = Package(
    name: "EmbeddedHost",
    targets: [
        .executableTarget(
            name: "EmbeddedHost",
            linkerSettings: [
                "HostSystem", "PluginCore", "PluginRouter", "PluginRuntime", "Processes", "RemoteCatalog", "Trust",
            ].map { .linkedLibrary($0) })
    ]
)
