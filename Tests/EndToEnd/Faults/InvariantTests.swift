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
        try await scene.run("update", Scene.shop)
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

    /// A damage to the sandbox, and the invariants that detect it.
    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let broken: [String]
        let happens: @Sendable (Scene) async throws -> Void

        init(_ description: String, _ broken: [String], _ happens: @escaping @Sendable (Scene) async throws -> Void) {
            (testDescription, self.broken, self.happens) = (description, broken, happens)
        }

        private static let data = "Containers/Data/Plugins/\(Scene.shop)/0/Documents/kept.txt"
        private static let folder = "Containers/Bundle/Plugins/\(Scene.shop)/1.2.0-000000000000"

        static let all = [
            Damage("none", []) { _ in },
            Damage("a damaged registry", ["I1"]) { scene in
                try scene.rewrite(Scene.registry) { bytes in
                    for index in bytes.indices.dropFirst(4096) where index.isMultiple(of: 3) { bytes[index] ^= 0x5A }
                }
            },
            Damage("a changed file of the active version", ["I2", "I4"]) { scene in
                try scene.rewrite(try scene.shopFolder("1.1.0") + "/manifest.json") { $0[0] ^= 1 }
            },
            Damage("a file of the active version with other permissions", ["I2", "I4"]) { scene in
                try scene.rewrite(try scene.shopFolder("1.1.0") + "/manifest.json") { _ in }
            },
            Damage("an incomplete rollback target", ["I4"]) { scene in
                try await scene.removes(try scene.shopFolder("1.0.0") + "/lib")
            },
            Damage("an unexpected active version", ["I3"]) { try await $0.run("rollback", Scene.shop) },
            Damage("a missing bundle", ["I3"]) { try await $0.run("uninstall", Scene.shop) },
            Damage("a leftover in Staging", ["I6"]) { scene in
                try Data().write(to: URL(filePath: scene.path("Containers/Staging/rest")))
            },
            Damage("an unknown version", ["I6"]) { scene in
                try scene.sandbox.root.appending(folder).makeFolder()
            },
            Damage("a changed byte of a plugin's data", ["data"]) { try $0.rewrite(data) { $0[0] ^= 1 } },
            Damage("a missing file of a plugin's data", ["data"]) { try await $0.removes(data) },
        ]
    }

    @Test("Each damage to a sandbox is detected by its invariants, and by no others", arguments: Damage.all)
    func detected(damage: Damage) async throws {
        let (scene, reference) = try await updated()
        try await damage.happens(scene)
        #expect(try broken(scene, reference) == damage.broken)
    }

    @Test("Invariant I7 detects a lost minimum version")
    func minimumVersion() async throws {
        let (scene, reference) = try await updated()
        let lantern = "com.example.assets.lantern"
        // A bundle without code counts as run when it is installed.
        try await scene.run("install", lantern)
        let raised = try scene.state()
        #expect(raised.minimumVersions[lantern] == SemanticVersion(major: 1, minor: 0, patch: 0))
        let later = FaultReference(unchanged: raised)
        #expect(try broken(scene, later) == [])
        #expect(!SandboxInvariant.minimumVersionNeverFalls.violations(in: reference.before, later).isEmpty)
    }
}
