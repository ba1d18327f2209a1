import FoundationEssentials
import PluginCore
@testable import PluginTestKit
import Testing

@Suite("A host with the plugin under test", .tags(.medium))
struct OfferingTests {
    @Test("The library is found next to the test bundle, and the error for a missing one says what to do")
    func library() throws {
        let folder = try ThrowawayFolder()
        let library = try folder.write("", to: "debug/libHello.so")
        let bundle = folder.appending("debug/HelloPackageTests.xctest")
        #expect(try PluginFolder.builtLibrary(named: "libHello.so", beside: bundle) == library)
        let other = "libOther.so"
        let error = #expect(throws: FixtureError.self) { try PluginFolder.builtLibrary(named: other, beside: bundle) }
        #expect(error?.description.contains("library product of type .dynamic") == true)
    }

    @Test(
        "The signing team may own the bundle's identifier",
        arguments: [("org.acme.notes", "org.acme"), ("acme.x", "acme.x")])
    func signer(bundle: String, team: String) throws {
        #expect(try SigningIdentity(forBundle: bundle).team == team)
    }

    @Test("The error for a plugin that cannot be packed says why")
    func refused() async throws {
        let folder = try ThrowawayFolder()
        for name in ["hostapp", "bundletool"] {
            try folder.write(program: "echo it is unsound >&2; exit 65", to: "build/bin/\(name)")
        }
        let manifest =
            #"{"formatVersion": 1, "identifier": "org.acme.theme", "version": "1.0.0", "name": "N", "kind": "assets"}"#
        try folder.write(manifest, to: "Theme/manifest.json")
        let file = try folder.write("", to: "Theme/Tests/ThemeTests.swift")
        let error = await #expect(throws: FixtureError.self) { try await HostApp.offering(from: file.string) }
        #expect(error?.description.contains("it is unsound") == true)
    }
}
