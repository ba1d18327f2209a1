import HostSystem
import PluginCore
import Signing

/// SHA-256 of files.
enum SHA256 {
    /// Returns the digest of a file, in lowercase hexadecimal.
    ///
    /// - Parameter isLinkFollowed: whether the path may be a link to a file.
    static func digest(of file: FilePath, isLinkFollowed: Bool = true) throws(AtriumError) -> String {
        let hasher = SHA256Hasher()
        try FileSystem.read(file, isLinkFollowed: isLinkFollowed) { hasher.update($0) }
        do throws(SigningError) {
            return try hasher.finish().hexadecimal
        } catch {
            throw AtriumError(.inputOutput, file.string, reason: error.reason)
        }
    }
}
