import PluginCore

/// What a sandbox did not have before a bundle was brought into it on demand, so that it can go with the bundle.
struct SupplyTrace {
    /// Whether the bundle's container was there, from an earlier install.
    let hadData: Bool
    private let sandbox: Sandbox
    private let missing: [FilePath]
    private let groups: [String]

    init(of identifier: String, in sandbox: Sandbox) {
        self.sandbox = sandbox
        hadData = FileSystem.isFolder(sandbox.container(of: identifier))
        missing = sandbox.missingFolders
        groups = (try? FileSystem.names(in: sandbox.groups)) ?? []
    }

    /// The folders that came with the bundle, outer ones before inner ones.
    func folders(with bundle: PluginBundle) -> [FilePath] {
        missing + bundle.appGroups.filter { !groups.contains($0) }.map(sandbox.group)
    }
}
