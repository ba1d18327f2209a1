import PluginCore

/// What a sandbox did not have before bundles were brought into it on demand, so that it can go with them.
struct SupplyTrace {
    private let sandbox: Sandbox
    private let missing: [FilePath]
    private let groups: [String]
    private let containers: [String]

    init(of sandbox: Sandbox) {
        self.sandbox = sandbox
        missing = sandbox.missingFolders
        groups = (try? FileSystem.names(in: sandbox.groups)) ?? []
        containers = (try? FileSystem.names(in: sandbox.containers)) ?? []
    }

    /// Whether a bundle's container was there, from an earlier install.
    func hadData(of identifier: String) -> Bool { containers.contains(identifier) }

    /// The folders that came with bundles, outer ones before inner ones.
    func folders(with bundles: [PluginBundle]) -> [FilePath] {
        missing + bundles.flatMap(\.appGroups).filter { !groups.contains($0) }.compactMap { try? sandbox.group($0) }
    }
}
