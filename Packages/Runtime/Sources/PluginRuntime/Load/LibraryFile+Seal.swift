import HostSystem
import PluginCore
import Signing

extension LibraryFile {
    /// Checks that the content is the sealed one.
    ///
    /// A file that is unchanged since its last verification isn't hashed again.
    ///
    /// - Parameters:
    ///   - digest: the sealed SHA-256, in lowercase hexadecimal.
    ///   - known: the file's stamp at its last verification.
    /// - Returns: the new stamp, if the file was hashed and any later change will alter the stamp.
    /// - Throws: ``AtriumError`` with code `sealBroken` or `inputOutput`.
    func requireSealed(as digest: String, known: String?) throws(AtriumError) -> String? {
        if let known, known == stamp.text { return nil }
        let hasher = SHA256Hasher()
        try read { hasher.update($0) }
        do {
            guard try hasher.finish().hexadecimal == digest else {
                throw AtriumError(
                    .sealBroken, bundle.description, detail: "\(path.lastComponent) is not the file that was sealed")
            }
        } catch let error as AtriumError {
            throw error
        } catch {
            throw AtriumError(.inputOutput, path.string, detail: "libcrypto cannot hash it")
        }
        return try settledStamp()
    }
}
