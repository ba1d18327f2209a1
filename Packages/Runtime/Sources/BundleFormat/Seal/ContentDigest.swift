package import PluginCore
import Signing

/// The SHA-256 of some bytes in the format of seals: lowercase hexadecimal.
package enum ContentDigest {
    package static func of(_ bytes: [UInt8]) throws(AtriumError) -> String {
        let hasher = SHA256Hasher()
        bytes.withUnsafeBytes { hasher.update($0) }
        return try finish(hasher)
    }

    static func finish(_ hasher: SHA256Hasher) throws(AtriumError) -> String {
        do throws(SigningError) {
            return try hasher.finish().hexadecimal
        } catch {
            throw AtriumError(.inputOutput, "SHA-256", reason: error.reason)
        }
    }
}
