import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing

extension Scene {
    static let registry = "Containers/Bundle/registry.sqlite"

    /// How commands may end that find a sandbox damaged, or somebody at work in it.
    static let documented: Set<Int32> = [0, 65, 66, 69, 74, 75, 77]

    func path(_ name: String) -> String { sandbox.root.appending(name).string }

    func bytes(of name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: path(name))))
    }

    /// Changes a file behind the host's back, whatever its rights.
    func rewrite(_ name: String, _ change: (inout [UInt8]) -> Void) throws {
        var bytes = try bytes(of: name)
        change(&bytes)
        try FileManager.default.removeItem(atPath: path(name))
        try Data(bytes).write(to: URL(filePath: path(name)))
    }

    /// Puts a file into a plugin's container.
    func keep(_ text: String, for identifier: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path("Containers/Data/Plugins/\(identifier)/Documents/kept.txt")))
    }

    /// Copies the sandbox somewhere else, as another scene of the same catalog's host.
    func copied() throws -> Scene {
        let copy = try Scene()
        try FileManager.default.copyItem(atPath: sandbox.root.string, toPath: copy.sandbox.root.string)
        return copy
    }

    /// The folder of a version of Shop, as the registry names it.
    func shopFolder(_ version: String) throws -> String {
        let state = try state()
        let named = try state.registry.get().named
        return state.folder(
            of: try #require(
                named.first { $0.identity.identifier == Scene.shop && $0.identity.version.description == version }))
    }

    /// What is in the sandbox now.
    func state() throws -> SandboxState {
        let scratch = try ThrowawayFolder()
        return try SandboxState(of: sandbox.sandbox, copyingTo: scratch.appending("registry"))
    }
}

extension FaultReference {
    /// Every version of the sample plugins as it is installed, to hold others against.
    static func samples() async throws -> FaultReference {
        let scene = try await Scene(installed: "\(Scene.shop)@1.0.0", Scene.shop, Scene.account, Scene.orders)
        let state = try scene.state()
        return FaultReference(
            operation: FaultOperation("none", preparation: [], command: []), before: state, after: state,
            repeated: state,
            repeatedStatus: 0)
    }
}
