import Foundation
import PluginCore
import PluginTestKit
import Testing

/// A version of Shop that is compiled from its sources with some changed lines, as its next release would be.
struct ShopVersion {
    private static let plugin = Workplace.root.appending("Plugins/Shop")

    /// Compiles and packs a version, and returns its package.
    ///
    /// - Parameters:
    ///   - version: The version.
    ///   - changes: Lines of the home page with the lines that take their places.
    ///   - folder: A folder for the sources and the package.
    static func pack(
        _ version: String, changing changes: [String: String] = [:], in folder: ThrowawayFolder, with build: HostApp
    ) async throws -> FilePath {
        let root = folder.appending("Shop-\(version)")
        try FileManager.default.copyItem(atPath: plugin.string, toPath: root.string)
        try replace(["\"version\": \"1.1.0\"": "\"version\": \"\(version)\""], in: root.appending("manifest.json"))
        try replace(changes, in: root.appending("Sources/Shop/Pages/HomePage.swift"))
        let library = root.appending("libShop.so")
        try await compile(root.appending("Sources/Shop"), to: library)
        let key = try #require(SigningIdentity.development).writeKey(in: folder)
        let packages = folder.appending("packages-\(version)")
        try await build.bundletool.run(
            "pack", root.string, "--library", library.string, "--output", packages.string, "--key", key.string,
            "--team", SigningIdentity.sampleTeam, "--dependency",
            build.build.appending("catalog/com.example.lib.money-1.0.0.zip").string
        ).succeeded()
        return packages.appending("com.example.app.shop-\(version).zip")
    }

    private static func replace(_ changes: [String: String], in file: FilePath) throws {
        var text = try String(contentsOfFile: file.string, encoding: .utf8)
        for (old, new) in changes {
            try #require(text.components(separatedBy: old).count == 2, "\(file): \(old)")
            text = text.replacing(old, with: new)
        }
        try text.write(toFile: file.string, atomically: true, encoding: .utf8)
    }

    /// Compiles a library as a release, with the modules and the interfaces that SwiftPM has built for the tests.
    private static func compile(_ sources: FilePath, to library: FilePath) async throws {
        let products = try testProducts
        let names = try FileManager.default.subpathsOfDirectory(atPath: sources.string).sorted()
        let interfaces = try ["ShopInterface", "OrdersInterface", "AccountInterface"].flatMap { name in
            let folder = products.appending("\(name).build")
            // The folder also has the object files of sources that were removed.
            let sources = try String(contentsOfFile: folder.appending("sources").string, encoding: .utf8)
            return sources.split(separator: "\n").map { source in
                folder.appending(source.split(separator: "/").last.map { "\($0).o" } ?? "").string
            }
        }
        let features = [
            "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault",
        ]
        try await Executable("/usr/bin/env").run(
            [
                "swiftc", "-O", "-wmo", "-swift-version", "6", "-no-toolchain-stdlib-rpath", "-emit-library",
                "-module-name", "Shop", "-module-cache-path", products.appending("ModuleCache").string, "-I",
                products.appending("Modules").string, "-Xcc",
                "-fmodule-map-file=\(products.appending("CPluginEntry.build/module.modulemap"))", "-L", products.string,
                "-lPluginCore", "-lMoney", "-o", library.string,
            ] + features.flatMap { ["-enable-upcoming-feature", $0] }
                + names.filter { $0.hasSuffix(".swift") }.map { sources.appending($0).string } + interfaces,
            timeout: .seconds(240)
        ).succeeded()
    }
}
