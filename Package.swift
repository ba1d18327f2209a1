// swift-tools-version: 6.3
import PackageDescription

// The workspace: pulls the local packages together and owns the tests that only the whole can pass. No product code.
let package = Package(
    name: "Atrium",
    dependencies: [
        .package(path: "Packages/Core"),
        .package(path: "Packages/Router"),
        .package(path: "Packages/Runtime"),
        .package(path: "Packages/SQLite"),
        .package(path: "Packages/TestKit"),
        .package(path: "Packages/TUF"),
        .package(path: "Packages/Tools"),
        .package(path: "Packages/Zip"),
        .package(path: "HostApp"),
        .package(path: "Plugins/Account"),
        .package(path: "Plugins/Money"),
        .package(path: "Plugins/Notes"),
        .package(path: "Plugins/Orders"),
        .package(path: "Plugins/Photos"),
        .package(path: "Plugins/Shop"),
        .package(path: "Plugins/Stocks"),
    ],
    targets: [
        .testTarget(
            name: "EndToEnd",
            dependencies: [
                .product(name: "PluginTestKit", package: "TestKit"),
                .product(name: "PluginCore", package: "Core"),
                .product(name: "TestServer", package: "TUF"),
            ],
            path: "Tests/EndToEnd",
            exclude: ["Screens/Pinned"]
        ),
        .testTarget(name: "Architecture", path: "Tests/Architecture"),

        // Everything that Scripts/build assembles.
        .target(
            name: "Assembly",
            dependencies: products([
                "hostapp", "bundletool", "extension-runner", "tuf-client", "PluginTestKit", "Money", "Account", "Notes", "Orders",
                "Photos", "Shop", "Stocks", "AccountInterface", "NotesInterface", "OrdersInterface", "PhotosInterface",
                "ShopInterface", "StocksInterface", "NotesAction", "NotesDocuments", "NotesKeyboard", "NotesShare",
                "PhotosEditor", "StocksWidget",
            ]),
            path: "Scripts/assembly"),

        fuzzer("LibraryFuzz", with: ["PluginRuntime"]),
        fuzzer("ProtocolFuzz", with: ["PluginCore", "PluginRuntime"], ofPackage: "runtime"),
        fuzzer("ZipFuzz", with: ["Zip"]),
        .executableTarget(
            name: "Faults", dependencies: products(["PluginCore", "PluginTestKit"]),
            path: "Scripts/faulting/Sources/Faults"),

        tests("PluginCoreTests", of: "Packages/Core", with: ["PluginCore"]),
        tests("PluginRouterTests", of: "Packages/Router", with: ["PluginCore", "PluginRouter"], exclude: ["Fixtures"]),
        tests("ZipTests", of: "Packages/Zip", with: ["Zip"]),
        tests("SQLiteTests", of: "Packages/SQLite", with: ["SQLite"]),
        tests("TUFMetadataTests", of: "Packages/TUF", with: ["TUF"], exclude: ["Fixtures"]),
        tests("DeltasTests", of: "Packages/TUF", with: ["TUF"]),
        tests("HTTPTransferTests", of: "Packages/TUF", with: ["TUF", "TestServer", "download-file"]),
        tests("TUFTests", of: "Packages/TUF", with: ["TUF", "tuf-client"], exclude: ["Fixtures"]),
        tests("ExtensionActivationTests", of: "Packages/Runtime", with: ["PluginCore", "PluginRuntime"]),
        tests(
            "ConfinementTests", of: "Packages/Runtime",
            with: ["BreakoutExtension", "PluginCore", "PluginRouter", "PluginRuntime", "breakout", "extension-runner"]),
        tests("ExtensionProtocolTests", of: "Packages/Runtime", with: ["PluginCore", "PluginRuntime"]),
        tests("RemoteObjectsTests", of: "Packages/Runtime", with: ["PluginCore", "PluginRuntime"]),
        tests("HostSystemTests", of: "Packages/Runtime", with: ["PluginRuntime"]),
        tests("ResolverTests", of: "Packages/Runtime", with: ["PluginCore", "PluginRuntime"]),
        tests("SigningTests", of: "Packages/Runtime", with: ["PluginRuntime"]),
        tests("SystemLinksTests", of: "Packages/Runtime", with: ["PluginCore", "PluginRuntime"]),
        tests(
            "PluginRuntimeTests", of: "Packages/Runtime",
            with: ["PluginCore", "PluginRouter", "PluginRuntime", "SQLite", "TUF", "Zip", "extension-runner"]),
        tests("ConsoleTests", of: "Packages/Tools", with: ["Console", "PluginCore"]),
        tests("TerminalImagesTests", of: "Packages/Tools", with: ["TerminalImages"]),
        tests(
            "BundleToolTests", of: "Packages/Tools",
            with: ["BundleTool", "Console", "PluginCore", "PluginRuntime", "TUF", "Zip", "bundletool"]),
        tests(
            "PluginTestKitTests", of: "Packages/TestKit", with: ["PluginCore", "PluginRuntime", "PluginTestKit", "Zip"]),
        tests("TerminalScreenTests", of: "HostApp", with: ["AppHost", "Console"]),
        tests("AppScreensTests", of: "HostApp", with: ["AppHost", "PluginCore"]),
        tests(
            "AppHostTests", of: "HostApp",
            with: ["AppHost", "Console", "PluginCore", "PluginRouter", "PluginRuntime", "TUF", "TerminalImages", "Zip"]),
        tests("MoneyTests", of: "Plugins/Money", with: ["Money", "PluginCore", "PluginTestKit"]),
        tests(
            "AccountTests", of: "Plugins/Account", with: ["Account", "AccountInterface", "PluginCore", "PluginTestKit"]),
        tests(
            "NotesTests", of: "Plugins/Notes",
            with: [
                "Notes", "NotesAction", "NotesDocuments", "NotesInterface", "NotesKeyboard", "NotesShare", "PluginCore",
                "PluginTestKit",
            ]),
        tests(
            "OrdersTests", of: "Plugins/Orders",
            with: ["Orders", "OrdersInterface", "PluginCore", "PluginTestKit", "SQLite"]),
        tests(
            "PhotosTests", of: "Plugins/Photos",
            with: ["Photos", "PhotosEditor", "PhotosInterface", "PluginCore", "PluginTestKit"]),
        tests("ShopTests", of: "Plugins/Shop", with: ["PluginCore", "PluginTestKit", "Shop", "ShopInterface"]),
        tests(
            "StocksTests", of: "Plugins/Stocks",
            with: ["PluginCore", "PluginTestKit", "Stocks", "StocksInterface", "StocksWidget"]),
    ]
)

/// Declares the tests of a package here as well, because SwiftPM does not build the tests of dependencies.
func tests(_ name: String, of folder: String, with names: [String], exclude: [String] = []) -> Target {
    let package = folder.split(separator: "/").last?.lowercased() ?? ""
    return .testTarget(
        name: name,
        dependencies: products(names),
        path: "\(folder)/Tests/\(name)",
        exclude: exclude,
        // `package` declarations are those of the tests' own package.
        packageAccess: false,
        swiftSettings: [.unsafeFlags(["-package-name", package])]
    )
}

/// Declares a program of Scripts/fuzz here as well, so that it is compiled with the tests. It links only with libFuzzer.
func fuzzer(_ name: String, with names: [String], ofPackage package: String? = nil) -> Target {
    .target(
        name: name,
        dependencies: products(names),
        path: "Scripts/fuzzing/Sources/\(name)",
        packageAccess: package == nil,
        swiftSettings: package.map { [.unsafeFlags(["-package-name", $0])] } ?? []
    )
}

/// Returns products of other packages as dependencies.
func products(_ names: [String]) -> [Target.Dependency] {
    let packages = [
        "AccountInterface": "Account", "AppHost": "HostApp", "BreakoutExtension": "Runtime", "BundleTool": "Tools",
        "Console": "Tools", "NotesAction": "Notes", "NotesDocuments": "Notes", "NotesInterface": "Notes",
        "NotesKeyboard": "Notes", "NotesShare": "Notes", "OrdersInterface": "Orders",
        "PhotosEditor": "Photos", "PhotosInterface": "Photos", "PluginCore": "Core", "PluginRouter": "Router",
        "PluginRuntime": "Runtime", "PluginTestKit": "TestKit", "ShopInterface": "Shop", "StocksInterface": "Stocks",
        "StocksWidget": "Stocks", "TerminalImages": "Tools", "TestServer": "TUF", "breakout": "Runtime",
        "download-file": "TUF",
        "extension-runner": "Runtime",
        "bundletool": "Tools", "hostapp": "HostApp", "tuf-client": "TUF",
    ]
    return names.map { .product(name: $0, package: packages[$0] ?? $0) }
}

// Common settings: the same block in every Package.swift, checked by Tests/Architecture.
let commonSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
    .treatAllWarnings(as: .error),  // SE-0480
]
for target in package.targets where target.type != .system && target.type != .binary {
    target.swiftSettings = (target.swiftSettings ?? []) + commonSettings
}
