import HostSystem
import PluginCore

/// The random name of one installation, which no server learns.
struct Installation {
    /// The file with the name.
    let file: FilePath

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
