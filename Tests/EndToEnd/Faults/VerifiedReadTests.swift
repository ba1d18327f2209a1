import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing

@Suite("Reads of verified files", .tags(.large))
struct VerifiedReadTests {
    /// Returns the files of Shop that a command opens, with repetitions.
    private func opened(_ scene: Scene, _ words: [String]) async throws -> [String] {
        try await scene.calls("open,openat,openat2", of: words).compactMap { line in
            let words = line.split(separator: "\"", omittingEmptySubsequences: false)
            guard words.count > 1, let range = words[1].firstRange(of: "Bundle/Plugins/\(Scene.shop)/") else {
                return nil
            }
            return words[1][range.upperBound...].split(separator: "/").dropFirst().joined(separator: "/")
        }
    }

    @Test("The signature is read at the first use and again only after it or the seal was touched")
    func seal() async throws {
        let scene = try await Scene(installed: Scene.shop)
        let (list, signature) = ("signature/seal.json", "signature/seal.json.minisig")
        func read(_ address: String) async throws -> [String] {
            try await opened(scene, ["open", address]).filter { $0.hasPrefix("signature/") }.sorted()
        }
        // A command that needs a resource, such as texts, reads the sealed list once.
        #expect(try await read("app://shop/item/42") == [list, list, signature])
        #expect(try await read("app://shop/item/42") == [list])
        #expect(try await read("app://shop/about") == [list])
        for name in [list, signature] {
            let path = scene.path(try scene.shopFolder("1.1.0") + "/" + name)
            try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: path)
            #expect(try await read("app://shop/item/42") == [list, list, signature])
        }
    }

    @Test("A rebuild of the registry reads each manifest once, so that the verified content is recorded")
    func manifest() async throws {
        let scene = try await Scene(installed: "\(Scene.shop)@1.0.0", Scene.shop)
        let found = try await opened(scene, ["doctor", "--rebuild"]).filter { $0 == "manifest.json" }
        #expect(found.count == 2, "one for each version")
    }
}
