import FoundationEssentials
import PluginCore

/// The floors once more, in a file beside the registry, so that they outlive it: `{"com.example.app.shop": "1.1.0"}`.
///
/// Only who rebuilds a registry reads it.
struct FloorFile: Sendable {
    /// Larger files, in bytes, are none of ours.
    private static let sizeLimit = 1 << 24

    private let path: FilePath

    init(_ sandbox: Sandbox) {
        path = sandbox.floors
    }

    /// What is in it; nothing when it is not there, or is no file of floors.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when it can not be read.
    func read() throws(AtriumError) -> [String: SemanticVersion] {
        guard FileSystem.item(at: path) != nil else { return [:] }
        let bytes = try FileSystem.bytes(of: path, limit: Self.sizeLimit)
        let texts = try? JSONDecoder().decode([String: String].self, from: Data(bytes))
        return (texts ?? [:]).compactMapValues { SemanticVersion($0) }
    }

    /// Raises floors; one that is higher already stays.
    ///
    /// - Parameter known: what the registry says, in case the file has lost it.
    func raise(_ identities: [BundleIdentity], besides known: [String: SemanticVersion]) throws {
        try FileSystem.whileLocked(path.parent) {
            let before = try read()
            var floors = before.merging(known) { max($0, $1) }
            for identity in identities {
                floors[identity.identifier] = max(floors[identity.identifier] ?? identity.version, identity.version)
            }
            guard floors != before else { return }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            try FileSystem.replace(path, with: Array(encoder.encode(floors.mapValues(\.description))), mode: 0o644)
        }
    }
}
