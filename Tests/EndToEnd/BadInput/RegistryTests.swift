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

    @Test("A truncated registry is rejected", arguments: commands)
    func truncated(arguments: [String]) async throws {
        let scene = try await scene { $0.removeLast($0.count - 5000) }
        try await scene.refuses(arguments, with: Self.refusal("database disk image is malformed (SQLite 11)"))
    }

    @Test("A registry with changed bytes is rejected", arguments: ["list", "update"])
    func flipped(command: String) async throws {
        let scene = try await scene { bytes in
            for index in bytes.indices.dropFirst(4096) where index.isMultiple(of: 3) { bytes[index] ^= 0x5A }
        }
        try await scene.refuses(command, with: Self.refusal("database disk image is malformed (SQLite 11)"))
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

    @Test("A registry of a format before the first release is rejected with the command that rebuilds it")
    func unreleased() async throws {
        let scene = try await scene { $0.replaceSubrange(60..<64, with: [0, 0, 0, 9]) }
        try await scene.refuses("list", with: Self.refusal("it has version 9, which this host does not support"))
    }

    @Test("A folder in place of the registry is rejected", arguments: commands)
    func folder(arguments: [String]) async throws {
        let scene = try await Scene(.another)
        let registry = "Containers/Bundle/registry.sqlite"
        try await scene.removes(registry)
        try FileManager.default.createDirectory(
            atPath: scene.sandbox.root.appending(registry).string, withIntermediateDirectories: false)
        try await scene.refuses(arguments, with: Self.refusal("it is not a regular file"))
    }
}
