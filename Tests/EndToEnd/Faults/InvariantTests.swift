import FoundationEssentials
import PluginCore
import PluginTestKit
import FaultInjection
import Testing

@Suite("Invariants of a sandbox", .tags(.large))
struct InvariantTests {
    /// Creates a sandbox in which Shop was updated, and the reference of this update.
    private func updated() async throws -> (Scene, FaultReference) {
        let scene = try await Scene(installed: "\(Scene.shop)@1.0.0")
        try scene.storeData("an order", for: Scene.shop)
        let before = try scene.state()
        try await scene.does("update", Scene.shop)
        let after = try scene.state()
        let operation = FaultOperation("update", preparation: [], command: ["update", Scene.shop])
        return (
            scene,
            FaultReference(operation: operation, before: before, after: after, repeated: after, repeatedStatus: 0)
        )
    }

    /// Returns the names of the violated invariants.
    private func broken(_ scene: Scene, _ reference: FaultReference) throws -> [String] {
        let state = try scene.state()
        let all = [SandboxInvariant].standard + [.diskHoldsWhatIsNamed]
        return all.filter { !$0.violations(in: state, reference).isEmpty }.map(\.name)
    }

    @Test("All invariants hold for an undamaged sandbox")
    func holds() async throws {
        let (scene, reference) = try await updated()
        #expect(try broken(scene, reference) == [])
    }

    @Test("Invariant I1 detects a damaged registry")
    func registry() async throws {
        let (scene, reference) = try await updated()
        try scene.rewrite(Scene.registry) { bytes in
            for index in bytes.indices.dropFirst(4096) where index.isMultiple(of: 3) { bytes[index] ^= 0x5A }
        }
        #expect(try broken(scene, reference) == ["I1"])
    }

    @Test("Invariants I2 and I4 detect a changed, missing or additional file of the active version")
    func activeFiles() async throws {
        let (scene, reference) = try await updated()
        let manifest = try scene.shopFolder("1.1.0") + "/manifest.json"
        let original = try scene.bytes(of: manifest)
        try scene.rewrite(manifest) { $0[0] ^= 1 }
        #expect(try broken(scene, reference) == ["I2", "I4"])
        try await scene.removes(manifest)
        #expect(try broken(scene, reference) == ["I2", "I4"])
        try Data(original).write(to: URL(filePath: scene.path(manifest)))
        // Permissions are part of the installed version.
        #expect(try broken(scene, reference) == ["I2", "I4"])
    }

    @Test("Invariant I4 detects an incomplete rollback target")
    func previousFiles() async throws {
        let (scene, reference) = try await updated()
        try await scene.removes(try scene.shopFolder("1.0.0") + "/lib")
        #expect(try broken(scene, reference) == ["I4"])
    }

    @Test("Invariant I3 detects a missing bundle and an unexpected active version")
    func active() async throws {
        let (scene, reference) = try await updated()
        try await scene.does("rollback", Scene.shop)
        #expect(try broken(scene, reference) == ["I3"])
        try await scene.does("uninstall", Scene.shop)
        #expect(try broken(scene, reference) == ["I3"])
    }

    @Test("Invariant I6 detects an unknown version and a leftover in Staging")
    func disk() async throws {
        let (scene, reference) = try await updated()
        let staging = scene.path("Containers/Staging/rest")
        try Data().write(to: URL(filePath: staging))
        #expect(try broken(scene, reference) == ["I6"])
        try FileManager.default.removeItem(atPath: staging)
        try FileManager.default.createDirectory(
            atPath: scene.path("Containers/Bundle/Plugins/\(Scene.shop)/1.2.0-000000000000"),
            withIntermediateDirectories: false)
        #expect(try broken(scene, reference) == ["I6"])
    }

    @Test("Invariant I7 detects a lost minimum version")
    func minimumVersion() async throws {
        let (scene, reference) = try await updated()
        let lantern = "com.example.assets.lantern"
        // A bundle without code counts as run when it is installed.
        try await scene.does("install", lantern)
        let raised = try scene.state()
        #expect(raised.minimumVersions[lantern] == SemanticVersion(major: 1, minor: 0, patch: 0))
        let later = FaultReference(
            operation: reference.operation, before: raised, after: raised, repeated: raised, repeatedStatus: 0)
        #expect(try broken(scene, later) == [])
        #expect(!SandboxInvariant.minimumVersionNeverFalls.violations(in: reference.before, later).isEmpty)
    }

    @Test("The invariant about data detects a changed byte and a missing file")
    func data() async throws {
        let (scene, reference) = try await updated()
        let kept = "Containers/Data/Plugins/\(Scene.shop)/0/Documents/kept.txt"
        try scene.rewrite(kept) { $0[0] ^= 1 }
        #expect(try broken(scene, reference) == ["data"])
        try await scene.removes(kept)
        #expect(try broken(scene, reference) == ["data"])
    }
}
