// swift-tools-version: 6.3
import PackageDescription

// The local packages.
let plugins = ["Account", "Money", "Notes", "Orders", "Photos", "Shop", "Stocks"]
let packages = [
    "Authoring", "Catalog", "Core", "Crypto", "Diagnosis", "Embedding", "Extensions", "PageLayouts", "PluginDatabase",
    "PluginExtension", "Preflight", "Processes", "Resolver", "Router", "Runtime", "SQLite", "System", "TestKit", "TUF",
    "Tools", "Trust", "Zip",
]
let folders = ["HostApp"] + plugins.map { "Plugins/\($0)" } + packages.map { "Packages/\($0)" }
let kernel = ["HostSystem", "PluginCore", "PluginRouter", "PluginRuntime"]
let layers = [
    "Authoring", "Doctor", "ExtensionHost", "PageLayouts", "PluginExtension", "Preflight", "Processes", "RemoteCatalog",
    "Resolver", "Signing", "TUF", "Trust", "Zip",
]
let author = ["PluginCore", "PluginExtension", "PluginTestKit"]

// The workspace: pulls the local packages together, and declares all tests and the programs of Scripts. No product code.
let package = Package(
    name: "Atrium",
    products: [
        // The plugin and the extension that benchmarks load.
        .library(name: "LargePlugin", type: .dynamic, targets: ["LargePlugin"]),
        .library(name: "TrialExtension", type: .dynamic, targets: ["TrialExtension"]),
    ],
    dependencies: folders.map { .package(path: $0) },
    targets: [
        .testTarget(
            name: "EndToEnd", dependencies: needs(["FaultInjection", "PluginCore", "PluginTestKit", "TestServer"]),
            path: "Tests/EndToEnd", exclude: ["Screens/Pinned"]),
        .testTarget(name: "Architecture", path: "Tests/Architecture"),

        // Everything that Scripts/build assembles.
        .target(
            name: "Assembly",
            dependencies: needs([
                "AppHost", "Atrium", "hostapp", "bundletool", "extension-runner", "PluginTestKit", "Money", "Account",
                "Notes", "Orders", "Photos", "Shop", "Stocks", "AccountInterface", "NotesInterface", "OrdersInterface",
                "PhotosInterface", "ShopInterface", "StocksInterface", "NotesAction", "NotesDocuments", "NotesKeyboard",
                "NotesShare", "PhotosEditor", "StocksWidget",
            ]),
            path: "Scripts/assembly"),

        // The tags of all tests.
        .target(name: "TestTags", path: "Tests/Support/TestTags"),
        // nginx on loopback.
        .target(name: "TestServer", path: "Tests/Support/TestServer"),
        // The harness of Scripts/faults, and the program with its options.
        .target(
            name: "FaultInjection",
            dependencies: needs(kernel + ["Doctor", "PluginTestKit", "TUF", "TestServer"]),
            path: "Tests/Support/FaultInjection"),
        .executableTarget(
            name: "Faults", dependencies: needs(["FaultInjection", "PluginCore", "PluginTestKit"]),
            path: "Tests/Support/Faults"),
        // A client with the command line of tuf-conformance, and a program that downloads one file.
        .executableTarget(name: "tuf-client", dependencies: needs(["TUF"]), path: "Tests/Support/TUFClient"),
        .executableTarget(name: "download-file", dependencies: needs(["TUF"]), path: "Tests/Support/DownloadFile"),

        // The programs of Scripts/fuzz.
        fuzzer("LibraryFuzz", with: ["Preflight"]),
        fuzzer("ProtocolFuzz", with: ["ExtensionHost", "HostSystem", "PluginCore", "PluginExtension", "Processes"]),
        fuzzer("ZipFuzz", with: ["Zip"]),

        // The program of Scripts/bench. Its baselines are C code, and a program that links Foundation and does nothing.
        .executableTarget(
            name: "Bench",
            dependencies: needs(kernel + layers + ["CBaseline", "TestServer"]),
            path: "Scripts/benchmarks/Sources/Bench"),
        .target(name: "CBaseline", path: "Scripts/benchmarks/Sources/CBaseline"),
        .executableTarget(name: "EmptyFoundation", path: "Scripts/benchmarks/Sources/EmptyFoundation"),
        // A plugin whose library has about a megabyte.
        .target(name: "CLargeCode", path: "Scripts/benchmarks/Sources/CLargeCode"),
        .target(
            name: "LargePlugin", dependencies: needs(["CLargeCode", "PluginCore"]),
            path: "Scripts/benchmarks/Sources/LargePlugin",
            // Debug information would affect the load without being part of the measurement.
            linkerSettings: [.unsafeFlags(["-Xlinker", "--strip-debug"])]),
        .target(
            name: "TrialExtension", dependencies: needs(["PluginCore", "PluginExtension"]),
            path: "Scripts/benchmarks/Sources/TrialExtension"),
    ]
)

// The tests of each package, because SwiftPM does not build the tests of dependencies: where they are, and what they use.
let tests: KeyValuePairs = [
    "Packages/Core/Tests/PluginCoreTests": ["PluginCore"],
    "Packages/PageLayouts/Tests/PageLayoutsTests": ["PageLayouts", "PluginCore", "PluginTestKit"],
    "Packages/Router/Tests/PluginRouterTests": ["Doctor", "PageLayouts", "PluginCore", "PluginRouter"],
    "Packages/Zip/Tests/ZipTests": ["Authoring", "Zip"],
    "Packages/SQLite/Tests/SQLiteTests": ["SQLite"],
    "Packages/PluginDatabase/Tests/PluginDatabaseTests": ["PluginCore", "PluginDatabase", "PluginTestKit", "SQLite"],
    "Packages/TUF/Tests/TUFMetadataTests": ["HostSystem", "TUF"],
    "Packages/TUF/Tests/HTTPTransferTests": ["TUF", "TestServer", "download-file"],
    "Packages/TUF/Tests/TUFTests": ["HostSystem", "TUF", "tuf-client"],
    "Packages/Catalog/Tests/DeltasTests": ["RemoteCatalog", "TUF", "Zip"],
    "Packages/Runtime/Tests/PluginRuntimeTests": kernel + layers + ["SQLite", "extension-runner"],
    "Packages/System/Tests/HostSystemTests": ["HostSystem", "PluginCore"],
    "Packages/Processes/Tests/ProcessesTests": ["PluginCore", "Processes"],
    "Packages/Crypto/Tests/SigningTests": ["PluginCore", "Signing"],
    "Packages/Resolver/Tests/ResolverTests": kernel + ["Resolver"],
    "Packages/Extensions/Tests/ExtensionActivationTests": kernel + ["ExtensionHost", "PluginExtension"],
    "Packages/Extensions/Tests/ExtensionProtocolTests": kernel + ["ExtensionHost", "PluginExtension", "Processes"],
    "Packages/Extensions/Tests/RemoteObjectsTests": kernel + ["ExtensionHost", "Processes"],
    "Packages/Extensions/Tests/ConfinementTests": kernel + layers + [
        "BreakoutExtension", "breakout", "extension-runner",
    ],
    "Packages/Tools/Tests/ConsoleTests": ["Console", "PluginCore"],
    "Packages/Tools/Tests/TerminalImagesTests": ["Console"],
    "Packages/Tools/Tests/BundleToolTests": kernel + layers + ["BundleTool", "Console", "bundletool"],
    "Packages/TestKit/Tests/PluginTestKitTests": kernel + layers + ["PluginTestKit"],
    "HostApp/Tests/AppScreensTests": ["AppHostObjects", "PluginCore"],
    "HostApp/Tests/AppHostTests": kernel + layers + ["AppHostObjects", "Console"],
    "Plugins/Money/Tests/MoneyTests": author,
    "Plugins/Account/Tests/AccountTests": author + ["AccountInterface"],
    "Plugins/Notes/Tests/NotesTests": author
        + ["Action", "Documents", "Interface", "Keyboard", "Share"].map { "Notes\($0)" },
    "Plugins/Orders/Tests/OrdersTests": author + ["OrdersInterface", "SQLite"],
    "Plugins/Photos/Tests/PhotosTests": author + ["PhotosEditor", "PhotosInterface"],
    "Plugins/Shop/Tests/ShopTests": author + ["ShopInterface"],
    "Plugins/Stocks/Tests/StocksTests": author + ["StocksInterface", "StocksWidget"],
]
for (path, names) in tests {
    let parts = path.split(separator: "/").map(String.init)
    let (folder, name) = (parts[parts.count - 3], parts[parts.count - 1])
    // `package` declarations are those of the tests' own package; the runtime and the packages around it have one name for this.
    let isApart = parts[0] == "Plugins" || ["Core", "TestKit"].contains(folder)
    package.targets.append(
        .testTarget(
            name: name, dependencies: needs(names + (parts[0] == "Plugins" ? [folder] : [])), path: path,
            exclude: ["PluginRouterTests", "TUFMetadataTests", "TUFTests"].contains(name) ? ["Fixtures"] : [],
            packageAccess: false,
            swiftSettings: isApart ? [.unsafeFlags(["-package-name", folder.lowercased()])] : []))
}

/// Declares a program of Scripts/fuzz, which links only with the sanitizer of libFuzzer. Otherwise it is only compiled.
func fuzzer(_ name: String, with names: [String]) -> Target {
    let path = "Scripts/fuzzing/Sources/\(name)"
    guard Context.environment["ATRIUM_FUZZING"] == "1" else {
        return .target(name: name, dependencies: needs(names), path: path, packageAccess: false)
    }
    return .executableTarget(
        name: name, dependencies: needs(names), path: path, packageAccess: false,
        // The sanitizer's library contains the `main` function.
        swiftSettings: [.unsafeFlags(["-parse-as-library"])],
        linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])])
}

/// Returns the dependencies on targets of this package and on products of the others.
func needs(_ names: [String]) -> [Target.Dependency] {
    let others = [
        "AppHost": "HostApp", "AppHostObjects": "HostApp", "Atrium": "Embedding", "BreakoutExtension": "Extensions",
        "BundleTool": "Tools", "Console": "Tools", "Doctor": "Diagnosis", "ExtensionHost": "Extensions",
        "HostSystem": "System", "PluginCore": "Core", "PluginRouter": "Router", "PluginRuntime": "Runtime",
        "PluginTestKit": "TestKit", "RemoteCatalog": "Catalog", "Signing": "Crypto", "breakout": "Extensions",
        "bundletool": "Tools", "extension-runner": "Extensions", "hostapp": "HostApp",
    ]
    // The names of a plugin's other products begin with its own.
    return names.map { name in
        let package = others[name] ?? (plugins + packages).first { name.hasPrefix($0) }
        return package.map { .product(name: name, package: $0) } ?? .target(name: name)
    }
}

// With ATRIUM_TESTS=NAME,... in the environment, only these tests are there, so that no others are compiled. Of them, the files are left out
// whose paths are in the list, too.
let chosen = Context.environment["ATRIUM_TESTS"]?.split(separator: ",").map(String.init)
package.targets.removeAll { $0.type == .test && chosen?.contains($0.name) == false }

// Tests see the tags without an import in each file.
for target in package.targets where target.type == .test {
    let folder = "\(target.path ?? "")/"
    target.exclude += (chosen ?? []).filter { $0.hasPrefix(folder) }.map { String($0.dropFirst(folder.count)) }
    target.dependencies.append("TestTags")
    let flags = ["-Xfrontend", "-import-module", "-Xfrontend", "TestTags"]
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(flags)]
}

// Common settings, checked by Tests/Architecture.
let settings: [SwiftSetting] = [.unsafeFlags(["@\(Context.packageDirectory)/Packages/settings"])]
for target in package.targets { target.swiftSettings = settings + (target.swiftSettings ?? []) }
