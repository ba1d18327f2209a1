import PluginCore

/// What a sandbox did not have before bundles were brought into it on demand, so that it can go with them.
struct SupplyTrace: Sendable {
    /// The name of the request that brings them, which no other has.
    let request = String(UInt64.random(in: 0 ... .max), radix: 36)
    private let sandbox: Sandbox
    private let missing: [FilePath]
    /// `nil` when nobody can know which there are.
    private let groups: [String]?
    private let containers: [String]?

    init(of sandbox: Sandbox) {
        self.sandbox = sandbox
        // Without an answer nothing was missing, and nothing is taken away.
        missing = (try? sandbox.missingFolders()) ?? []
        groups = Self.names(in: sandbox.groups)
        containers = Self.names(in: sandbox.containers)
    }

    private static func names(in folder: FilePath) -> [String]? {
        do throws(AtriumError) {
            return try FileSystem.item(at: folder) == nil ? [] : try FileSystem.names(in: folder)
        } catch {
            return nil
        }
    }

    /// Returns whether a bundle's container was made for it, and is none from an earlier install.
    func made(containerOf identifier: String) -> Bool { containers.map { !$0.contains(identifier) } ?? false }

    /// The folders that came with bundles, outer ones before inner ones.
    func folders(with bundles: [PluginBundle]) -> [FilePath] {
        guard let groups else { return missing }
        return missing
            + bundles.flatMap(\.appGroups).filter { !groups.contains($0) }.compactMap { try? sandbox.group($0) }
    }
}
