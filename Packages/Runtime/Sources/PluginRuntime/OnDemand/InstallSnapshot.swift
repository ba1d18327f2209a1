import Registry
import HostSystem
import PluginCore

/// The state of a sandbox before an on-demand install, which allows reverting it.
struct InstallSnapshot: Sendable {
    /// The unique name of the on-demand install.
    let request = String(UInt64.random(in: 0 ... .max), radix: 36)
    private let sandbox: Sandbox
    private let missing: [FilePath]
    /// The existing app groups; `nil` if unknown.
    private let groups: [String]?
    private let containers: [String]?

    init(of sandbox: Sandbox) {
        self.sandbox = sandbox
        // If unknown, nothing counts as missing, so that nothing is removed.
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

    /// Returns whether a bundle's container was created by this install.
    func made(containerOf identifier: BundleIdentifier) -> Bool {
        containers.map { !$0.contains(identifier.text) } ?? false
    }

    /// Returns the folders that were created for bundles, outermost first.
    func folders(with bundles: [PluginBundle]) -> [FilePath] {
        guard let groups else { return missing }
        return missing
            + bundles.flatMap(\.appGroups).filter { !groups.contains($0) }
            .flatMap { (try? sandbox.folders(ofGroup: $0)) ?? [] }
    }
}
