import HostSystem
import PluginCore

/// The random name of one installation, which no server learns.
struct Installation {
    /// The file with the name.
    let file: FilePath

    /// Returns the name, which is chosen at the first call.
    func name() throws(AtriumError) -> String {
        if try FileSystem.item(at: file) == nil {
            _ = try FileSystem.makeFolders(file.parent)
            let name = String(UInt64.random(in: 0 ... .max), radix: 36)
            try FileSystem.replace(file, with: Array(name.utf8))
        }
        guard case .file(let bytes, _) = try FileSystem.contents(of: file, limit: 64) else {
            throw AtriumError(.inputOutput, file.string, reason: "fileUnreadable")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
