// swift-tools-version: 6.3
import PackageDescription

// The folders of the local packages.
let folders = [
    "HostApp", "Plugins/Account", "Plugins/Money", "Plugins/Notes", "Plugins/Orders", "Plugins/Photos", "Plugins/Shop",
    "Plugins/Stocks", "Packages/Authoring", "Packages/Catalog", "Packages/Core", "Packages/Crypto",
    "Packages/Diagnosis", "Packages/Extensions", "Packages/PluginExtension", "Packages/Preflight", "Packages/Processes",
    "Packages/Resolver", "Packages/Router", "Packages/Runtime", "Packages/SQLite", "Packages/System",
    "Packages/TestKit", "Packages/TUF", "Packages/Tools", "Packages/Trust", "Packages/Zip",
]
let kernel = ["HostSystem", "PluginCore", "PluginRouter", "PluginRuntime"]
let layers = ["Authoring", "Preflight", "Processes", "RemoteCatalog", "Resolver", "Signing", "TUF", "Trust", "Zip"]

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
                "hostapp", "bundletool", "extension-runner", "PluginTestKit", "Money", "Account", "Notes", "Orders",
                "Photos", "Shop", "Stocks", "AccountInterface", "NotesInterface", "OrdersInterface", "PhotosInterface",
                "ShopInterface", "StocksInterface", "NotesAction", "NotesDocuments", "NotesKeyboard", "NotesShare",
                "PhotosEditor", "StocksWidget",
            ]),
            path: "Scripts/assembly"),

        // The tags of all tests.
        .target(name: "TestTags", path: "Tests/Support/TestTags"),
        // nginx on loopback.
        .target(name: "TestServer", path: "Tests/Support/TestServer"),
        // The harness of Scripts/faults, and the program with its options.
        .target(
            name: "FaultInjection",
            dependencies: needs([
                "Doctor", "PluginCore", "PluginRouter", "PluginRuntime", "PluginTestKit", "TUF", "TestServer",
            ]), path: "Tests/Support/FaultInjection"),
        .executableTarget(
            name: "Faults", dependencies: needs(["FaultInjection", "PluginCore", "PluginTestKit"]),
            path: "Tests/Support/Faults"),
        // A client with the command line of tuf-conformance, and a program that downloads one file.
        .executableTarget(name: "tuf-client", dependencies: needs(["TUF"]), path: "Tests/Support/TUFClient"),
        .executableTarget(name: "download-file", dependencies: needs(["TUF"]), path: "Tests/Support/DownloadFile"),

        // The programs of Scripts/fuzz.
        fuzzer("LibraryFuzz", with: ["Preflight"]),
        fuzzer("ProtocolFuzz", with: ["ExtensionHost", "HostSystem", "PluginCore", "Processes"], ofPackage: "runtime"),
        fuzzer("ZipFuzz", with: ["Zip"]),

        // The program of Scripts/bench. Its baselines are C code, and a program that links Foundation and does nothing.
        .executableTarget(
            name: "Bench",
            dependencies: needs(kernel + layers + ["CBaseline", "ExtensionHost", "PluginExtension", "TestServer"]),
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

        tests("PluginCoreTests", of: "Packages/Core", with: ["PluginCore"]),
        tests(
            "PluginRouterTests", of: "Packages/Router", with: ["Doctor", "PluginCore", "PluginRouter"],
            exclude: ["Fixtures"]),
        tests("ZipTests", of: "Packages/Zip", with: ["Authoring", "Zip"]),
        tests("SQLiteTests", of: "Packages/SQLite", with: ["SQLite"]),
        tests("TUFMetadataTests", of: "Packages/TUF", with: ["TUF"], exclude: ["Fixtures"]),
        tests("DeltasTests", of: "Packages/Catalog", with: ["RemoteCatalog", "TUF", "Zip"]),
        tests("HTTPTransferTests", of: "Packages/TUF", with: ["TUF", "TestServer", "download-file"]),
        tests("TUFTests", of: "Packages/TUF", with: ["TUF", "tuf-client"], exclude: ["Fixtures"]),
        tests(
            "PluginRuntimeTests", of: "Packages/Runtime",
            with: kernel + layers + ["Doctor", "ExtensionHost", "PluginExtension", "SQLite", "extension-runner"]),
        tests("HostSystemTests", of: "Packages/System", with: ["HostSystem", "PluginCore"]),
        tests("ProcessesTests", of: "Packages/Processes", with: ["PluginCore", "Processes"]),
        tests("SigningTests", of: "Packages/Crypto", with: ["PluginCore", "Signing"]),
        tests("ResolverTests", of: "Packages/Resolver", with: kernel + ["Resolver"]),
        tests(
            "ExtensionActivationTests", of: "Packages/Extensions", with: kernel + ["ExtensionHost", "PluginExtension"]),
        tests(
            "ExtensionProtocolTests", of: "Packages/Extensions",
            with: kernel + ["ExtensionHost", "PluginExtension", "Processes"]),
        tests("RemoteObjectsTests", of: "Packages/Extensions", with: kernel + ["ExtensionHost", "Processes"]),
        tests(
            "ConfinementTests", of: "Packages/Extensions",
            with: kernel + [
                "Authoring", "BreakoutExtension", "ExtensionHost", "PluginExtension", "Preflight", "Resolver",
                "Signing", "Trust", "breakout", "extension-runner",
            ]),
        tests("ConsoleTests", of: "Packages/Tools", with: ["Console", "PluginCore"]),
        tests("TerminalImagesTests", of: "Packages/Tools", with: ["TerminalImages"]),
        tests(
            "BundleToolTests", of: "Packages/Tools", with: kernel + layers + ["BundleTool", "Console", "bundletool"]),
        tests(
            "PluginTestKitTests", of: "Packages/TestKit",
            with: kernel + ["Authoring", "PluginExtension", "PluginTestKit", "Signing", "Trust", "Zip"]),
        tests("SystemLinksTests", of: "HostApp", with: ["AppHost", "PluginCore"]),
        tests("TerminalScreenTests", of: "HostApp", with: ["AppHost"]),
        tests("AppScreensTests", of: "HostApp", with: ["AppHost", "PluginCore"]),
        tests(
            "AppHostTests", of: "HostApp",
            with: kernel + layers + [
                "AppHost", "Console", "Doctor", "ExtensionHost", "PluginExtension", "TerminalImages",
            ]),
        tests(ofPlugin: "Money"),
        tests(ofPlugin: "Account", with: ["AccountInterface"]),
        tests(ofPlugin: "Notes", with: ["Action", "Documents", "Interface", "Keyboard", "Share"].map { "Notes\($0)" }),
        tests(ofPlugin: "Orders", with: ["OrdersInterface", "SQLite"]),
        tests(ofPlugin: "Photos", with: ["PhotosEditor", "PhotosInterface"]),
        tests(ofPlugin: "Shop", with: ["ShopInterface"]),
        tests(ofPlugin: "Stocks", with: ["StocksInterface", "StocksWidget"]),
    ]
)

/// Declares the tests of a package, because SwiftPM does not build the tests of dependencies. `package` declarations are those of the
/// tests' own package; the runtime and the packages around it have one name for this.
func tests(_ name: String, of folder: String, with names: [String] = [], exclude: [String] = []) -> Target {
    let own = folder.split(separator: "/").last ?? ""
    let isApart =
        folder.hasPrefix("Plugins/") || ["HostApp", "Core", "TestKit", "Tools"].contains(own)
    return .testTarget(
        name: name, dependencies: needs(names), path: "\(folder)/Tests/\(name)", exclude: exclude,
        packageAccess: false,
        swiftSettings: [.unsafeFlags(["-package-name", isApart ? own.lowercased() : "runtime"])])
}

/// Declares the tests of a sample plugin.
func tests(ofPlugin name: String, with names: [String] = []) -> Target {
    let all = [name, "PluginCore", "PluginExtension", "PluginTestKit"] + names
    return tests("\(name)Tests", of: "Plugins/\(name)", with: all)
}

/// Declares a program of Scripts/fuzz, which links only with the sanitizer of libFuzzer. Otherwise it is only compiled.
func fuzzer(_ name: String, with names: [String], ofPackage package: String? = nil) -> Target {
    let path = "Scripts/fuzzing/Sources/\(name)"
    let flags = package.map { ["-package-name", $0] } ?? []
    guard Context.environment["ATRIUM_FUZZING"] == "1" else {
        return .target(
            name: name, dependencies: needs(names), path: path, packageAccess: package == nil,
            swiftSettings: flags.isEmpty ? [] : [.unsafeFlags(flags)])
    }
    return .executableTarget(
        name: name, dependencies: needs(names), path: path, packageAccess: package == nil,
        // The sanitizer's library contains the `main` function.
        swiftSettings: [.unsafeFlags(["-parse-as-library"] + flags)],
        linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])])
}

/// Returns the dependencies on targets of this package and on products of the others.
func needs(_ names: [String]) -> [Target.Dependency] {
    let folderNames = folders.compactMap { $0.split(separator: "/").last.map(String.init) }
    let packages = [
        "AppHost": "HostApp", "BreakoutExtension": "Extensions", "BundleTool": "Tools", "Console": "Tools",
        "PluginCore": "Core", "PluginRouter": "Router", "PluginRuntime": "Runtime", "PluginTestKit": "TestKit",
        "TerminalImages": "Tools", "breakout": "Extensions", "bundletool": "Tools", "hostapp": "HostApp",
        "extension-runner": "Extensions", "Doctor": "Diagnosis", "ExtensionHost": "Extensions", "HostSystem": "System",
        "RemoteCatalog": "Catalog", "Signing": "Crypto",
    ]
    // The names of a plugin's other products begin with its own.
    return names.map { name in
        let package = packages[name] ?? folderNames.first { name.hasPrefix($0) }
        return package.map { .product(name: name, package: $0) } ?? .target(name: name)
    }
}

// With ATRIUM_TESTS=NAME,... in the environment, only these tests are there, so that no others are compiled.
if let names = Context.environment["ATRIUM_TESTS"]?.split(separator: ",") {
    package.targets.removeAll { $0.type == .test && !names.contains($0.name[...]) }
}

// Tests see the tags without an import in each file.
for target in package.targets where target.type == .test {
    target.dependencies.append("TestTags")
    target.swiftSettings =
        (target.swiftSettings ?? []) + [.unsafeFlags(["-Xfrontend", "-import-module", "-Xfrontend", "TestTags"])]
}

// Common settings: the same block in every Package.swift, checked by Tests/Architecture.
let names = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
let all = names.map { SwiftSetting.enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
for target in package.targets where target.type != .system { target.swiftSettings = (target.swiftSettings ?? []) + all }
