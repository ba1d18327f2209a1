import PluginCore
import Signing

/// SHA-256 of files.
enum SHA256 {
    /// The digest of a file, in lower-case hexadecimal.
    static func digest(of file: FilePath) throws(AtriumError) -> String {
        let hasher = SHA256Hasher()
        try FileSystem.read(file) { hasher.update($0) }
        do throws(SigningError) {
            return try hasher.finish().hexadecimal
        } catch {
            throw AtriumError(.inputOutput, file.string, detail: error.detail)
        }
    }
}
