import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing

@Suite("An invariant")
struct InvariantTests {
    /// A sandbox with both versions of Shop, the newer one active; and the reference of an update that has led there.
    private func updated() async throws -> (Scene, FaultReference) {
        let scene = try await Scene(installed: "\(Scene.shop)@1.0.0")
        try scene.keep("an order", for: Scene.shop)
        let before = try scene.state()
        try await scene.does("update", Scene.shop)
        let after = try scene.state()
        let operation = FaultOperation("update", preparation: [], command: ["update", Scene.shop])
        return (
            scene,
            FaultReference(operation: operation, before: before, after: after, repeated: after, repeatedStatus: 0)
        )
    }

    /// The names of the invariants that do not hold.
    private func broken(_ scene: Scene, _ reference: FaultReference) throws -> [String] {
        let state = try scene.state()
        let all = standardInvariants + [DiskHoldsWhatIsNamed()]
        return all.filter { !$0.violations(in: state, reference).isEmpty }.map(\.name)
    }

    @Test("holds for what nothing has happened to")
    func holds() async throws {
        let (scene, reference) = try await updated()
        #expect(try broken(scene, reference) == [])
    }

    @Test("I1 sees a registry that is damaged")
    func registry() async throws {
        let (scene, reference) = try await updated()
        try scene.rewrite(Scene.registry) { bytes in
            for index in bytes.indices.dropFirst(4096) where index.isMultiple(of: 3) { bytes[index] ^= 0x5A }
        }
        #expect(try broken(scene, reference) == ["I1"])
    }

    @Test("I2 and I4 see a file of the active version that is changed, missing or new")
    func activeFiles() async throws {
        let (scene, reference) = try await updated()
        let manifest = try scene.shopFolder("1.1.0") + "/manifest.json"
        let original = try scene.bytes(of: manifest)
        try scene.rewrite(manifest) { $0[0] ^= 1 }
        #expect(try broken(scene, reference) == ["I2", "I4"])
        try await scene.removes(manifest)
        #expect(try broken(scene, reference) == ["I2", "I4"])
        try Data(original).write(to: URL(filePath: scene.path(manifest)))
        // The rights are part of what was installed.
        #expect(try broken(scene, reference) == ["I2", "I4"])
    }

    @Test("I4 sees a version to go back to that is not whole")
    func previousFiles() async throws {
        let (scene, reference) = try await updated()
        try await scene.removes(try scene.shopFolder("1.0.0") + "/lib")
        #expect(try broken(scene, reference) == ["I4"])
    }

    @Test("I3 sees a bundle that is gone, and one that is neither old nor new")
    func active() async throws {
        let (scene, reference) = try await updated()
        try await scene.does("rollback", Scene.shop)
        #expect(try broken(scene, reference) == ["I3"])
        try await scene.does("uninstall", Scene.shop)
        #expect(try broken(scene, reference) == ["I3"])
    }

    @Test("I6 sees a version that nobody names, and what is left in Staging")
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

    @Test("I7 sees a floor that is gone")
    func floor() async throws {
        let (scene, reference) = try await updated()
        let lantern = "com.example.assets.lantern"
        // What has no code has run when it is installed.
        try await scene.does("install", lantern)
        let raised = try scene.state()
        #expect(raised.floors[lantern] == SemanticVersion(major: 1, minor: 0, patch: 0))
        let later = FaultReference(
            operation: reference.operation, before: raised, after: raised, repeated: raised, repeatedStatus: 0)
        #expect(try broken(scene, later) == [])
        #expect(!FloorNeverFalls().violations(in: reference.before, later).isEmpty)
    }

    @Test("of data sees a byte that is changed, and a file that is gone")
    func data() async throws {
        let (scene, reference) = try await updated()
        let kept = "Containers/Data/Plugins/\(Scene.shop)/Documents/kept.txt"
        try scene.rewrite(kept) { $0[0] ^= 1 }
        #expect(try broken(scene, reference) == ["data"])
        try await scene.removes(kept)
        #expect(try broken(scene, reference) == ["data"])
    }
}
