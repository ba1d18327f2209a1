@testable import PluginRuntime
import CatalogFormat
import RemoteCatalog
import PluginCore
import Registry
import Signing
import Testing
import Trust

@Suite("Icons of bundles", .tags(.medium), .timeLimit(.minutes(2)))
struct BundleIconTests {
    private let host: TestHost

    init() throws { host = try TestHost() }

    private static func sample(_ files: [String: String], version: String = "1.0.0") -> SamplePackage {
        SamplePackage(version: version, kind: "assets", library: nil, files: files)
    }

    @Test(
        "The icon of an installed bundle is found by name, scale and language",
        arguments: [
            (["icon.png": "plain", "icon@2x.png": "double"], "plain"), (["icon@2x.png": "double"], "double"),
            (["en.lproj/icon.png": "english"], "english"), (["de.lproj/icon.png": "german"], nil),
            (["icon.png": String(repeating: "x", count: CatalogLimits.iconSize + 1)], nil),
        ] as [([String: String], String?)])
    func installed(files: [String: String], icon: String?) async throws {
        try host.offer(Self.sample(Dictionary(uniqueKeysWithValues: files.map { ("Resources/\($0)", $1) })))
        _ = try await host.manager.install(.shop)
        let found = try? await host.manager.icon(of: identity("1.0.0"))
        #expect(found == icon.map { Array($0.utf8) })
    }

    @Test("An icon that was changed after the installation is refused")
    func changed() async throws {
        try host.offer(Self.sample(["Resources/icon.png": "icon"]))
        let bundle = try await host.manager.install(.shop).bundle
        let file = host.sandbox.folder(of: bundle).appending("Resources/icon.png")
        try file.remove()
        try file.write("nico")
        try await failingAsync(.sealBroken) { try await host.manager.icon(of: identity("1.0.0")) }
    }

    @Test("The icon of a package in a folder is read only if the host trusts its signer")
    func offered() async throws {
        var foreign = Self.sample(["Resources/icon.png": "foreign"], version: "1.1.0")
        foreign.key = try SigningKey.generate()
        try host.offer(Self.sample(["Resources/icon.png": "icon"]), foreign)
        #expect(try await host.manager.icon(of: identity("1.0.0")) == Array("icon".utf8))
        try await failingAsync(.teamUnknown) { try await host.manager.icon(of: identity("1.1.0")) }
    }
}
