import HostSystem
package import PluginCore
import Signing

/// SHA-256 of files.
package enum SHA256 {
    /// Returns the digest of a file, in lowercase hexadecimal.
    ///
    /// - Parameter isLinkFollowed: whether the path may be a link to a file.
    static func digest(of file: FilePath, isLinkFollowed: Bool = true) throws(AtriumError) -> String {
        try digest(of: file) { use throws(AtriumError) in
            try FileSystem.read(file, isLinkFollowed: isLinkFollowed, use)
        }
    }

    /// Returns the digest of a file's content, which the caller reads piece by piece, in lowercase hexadecimal.
    package static func digest(
        of file: FilePath, reading read: ((UnsafeRawBufferPointer) -> Void) throws(AtriumError) -> Void
    ) throws(AtriumError) -> String {
        let hasher = SHA256Hasher()
        try read { hasher.update($0) }
        do throws(SigningError) {
            return try hasher.finish().hexadecimal
        } catch {
            throw AtriumError(.inputOutput, file.string, reason: error.reason)
        }
    }
}
