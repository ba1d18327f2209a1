import PluginCore
import PluginTestKit
import Testing

@Suite("Registries that cannot be read", .tags(.large))
struct RegistryTests {
    private static let commands = [
        ["list"], ["catalog"], ["info", Scene.account], ["history"], ["open", "app://account"],
        ["install", Scene.orders], ["update"], ["rollback", Scene.account], ["uninstall", Scene.account],
    ]

    @Test("A registry that is a text file, or of a newer format, is rejected and left unchanged")
    func refused() async throws {
        let scene = try await Scene(installed: Scene.account)
        // The user version is stored at offset 60 in big-endian order; see SQLite's file format, 1.3.
        try scene.rewrite(Scene.registry) { $0.replaceSubrange(60..<64, with: [0, 0, 0, 99]) }
        for arguments in Self.commands {
            try await scene.refuses(
                arguments, status: 74, code: "registryNewer", saying: "version 99, which this host does not support")
        }
        try scene.rewrite(Scene.registry) { $0 = Array(String(repeating: "This is no database. ", count: 500).utf8) }
        for arguments in Self.commands {
            try await scene.refuses(
                arguments, status: 74, code: "registryDamaged", saying: "file is not a database (SQLite 26)")
        }
    }
}
