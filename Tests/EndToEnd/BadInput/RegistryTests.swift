import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing

@Suite("Damaged registries", .tags(.large))
struct RegistryTests {
    private static let commands = [
        ["list"], ["catalog"], ["info", Scene.account], ["history"], ["open", "app://account"],
        ["install", Scene.orders], ["update"], ["rollback", Scene.account], ["uninstall", Scene.account],
    ]

    private static func refusal(_ finding: String) -> Refusal {
        Refusal(
            status: 74, code: "registryDamaged", subject: "SANDBOX/Containers/Bundle/registry.sqlite",
            message: "the registry \"SANDBOX/Containers/Bundle/registry.sqlite\" cannot be read: \(finding)",
            remedy: "run \"hostapp doctor --rebuild\", which rebuilds it from the installed versions")
    }

    private func scene(_ change: (inout [UInt8]) throws -> Void) async throws -> Scene {
        let scene = try await Scene(.another)
        let file = URL(filePath: scene.sandbox.root.appending("Containers/Bundle/registry.sqlite").string)
        var bytes = Array(try Data(contentsOf: file))
        try change(&bytes)
        try Data(bytes).write(to: file)
        return scene
    }

    @Test("A registry that is a text file is rejected and left unchanged", arguments: commands)
    func text(arguments: [String]) async throws {
        let scene = try await scene { $0 = Array(String(repeating: "This is no database. ", count: 500).utf8) }
        try await scene.refuses(arguments, with: Self.refusal("file is not a database (SQLite 26)"))
    }

    @Test("A registry of a newer format is rejected and left unchanged", arguments: commands)
    func newer(arguments: [String]) async throws {
        // The user version is stored at offset 60 in big-endian order; see SQLite's file format, 1.3.
        let scene = try await scene { $0.replaceSubrange(60..<64, with: [0, 0, 0, 99]) }
        try await scene.refuses(
            arguments,
            with: Refusal(
                status: 74, code: "registryNewer", subject: "SANDBOX/Containers/Bundle/registry.sqlite",
                message: "the registry \"SANDBOX/Containers/Bundle/registry.sqlite\" was written by a newer host: "
                    + "it has version 99, which this host does not support",
                remedy: "run that host, or choose another sandbox with \"--sandbox DIR\""))
    }
}
