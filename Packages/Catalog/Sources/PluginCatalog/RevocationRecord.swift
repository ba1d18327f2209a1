import BundleFormat
import HostSystem
import PluginCore
import Registry

/// The record of the last time that no installed version was revoked, apart from those that are blocked already.
///
/// As long as the same versions are installed and the catalogs have the same state, a refresh need not read what the catalogs say about
/// each of them. The record is a file with a digest of both; without it, everything is read again.
struct RevocationRecord: Sendable {
    let file: FilePath

    init(_ sandbox: Sandbox) {
        file = sandbox.catalogs.appending("not-revoked")
    }

    /// Returns whether the record is of these versions and this state of the catalogs.
    func holds(for installed: [PluginBundle], at stamp: String?) -> Bool {
        guard let content = content(installed, stamp),
            case .file(content, _) = try? FileSystem.contents(of: file, limit: content.count)
        else { return false }
        return true
    }

    /// Writes the record. A failure costs only time at the next refresh.
    func save(_ installed: [PluginBundle], at stamp: String?) {
        guard let content = content(installed, stamp) else { return }
        try? FileSystem.whileLocked(file.parent) { try FileSystem.replace(file, with: content) }
    }

    private func content(_ installed: [PluginBundle], _ stamp: String?) -> [UInt8]? {
        guard let stamp else { return nil }
        let text = ([stamp] + installed.map(\.digest).sorted()).joined(separator: "\n")
        return (try? ContentDigest.of(Array(text.utf8))).map { Array($0.utf8) }
    }
}
