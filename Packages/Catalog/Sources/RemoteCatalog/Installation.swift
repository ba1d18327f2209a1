import BundleFormat
import HostSystem
import PluginCore

/// One installation, with a random name that no server learns.
///
/// It has a place from 0 to 99 for each version, so that a growing share keeps all installations that it had.
struct Installation {
    /// The file with the name.
    let file: FilePath

    /// Returns whether this installation gets a version that is rolled out to some percent of all.
    func gets(_ identity: BundleIdentity, rolledOutTo percent: Int) throws(AtriumError) -> Bool {
        if percent >= 100 { return true }
        let digest = try ContentDigest.of(Array("\(name())\n\(identity)".utf8))
        return Int((UInt64(digest.prefix(15), radix: 16) ?? 0) % 100) < percent
    }

    /// Returns the name, which is chosen at the first call.
    func name() throws(AtriumError) -> String {
        if try FileSystem.item(at: file) == nil { try choose() }
        guard case .file(let bytes, _) = try FileSystem.contents(of: file, limit: 64) else {
            throw AtriumError(.inputOutput, file.string, reason: "fileUnreadable")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Chooses a name, unless another process has done so meanwhile.
    private func choose() throws(AtriumError) {
        _ = try FileSystem.makeFolders(file.parent)
        do {
            try FileSystem.whileLocked(file.parent) {
                guard try FileSystem.item(at: file) == nil else { return }
                try FileSystem.replace(file, with: Array(String(UInt64.random(in: 0 ... .max), radix: 36).utf8))
            }
        } catch {
            throw error as? AtriumError ?? AtriumError(.inputOutput, file.string)
        }
    }
}
