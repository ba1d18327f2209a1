internal import CDigest
import HostSystem
public import PluginCore

/// An incremental SHA-256. See FIPS 180-4.
package final class SHA256Hasher {
    fileprivate var context = SHA256_CTX()

    package init() { SHA256_Init(&context) }

    /// Appends bytes to the message.
    package func update(_ bytes: UnsafeRawBufferPointer) { SHA256_Update(&context, bytes.baseAddress, bytes.count) }
}

/// SHA-256 in the format of seals: lowercase hexadecimal.
public enum ContentDigest {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Returns whether a text is a SHA-256 in lowercase hexadecimal.
    package static func isValid(_ text: String) -> Bool {
        text.utf8.count == 64 && text.utf8.allSatisfy(digits.contains)
    }

    /// Returns the digest of bytes.
    public static func of(_ bytes: [UInt8]) throws(AtriumError) -> String {
        let hasher = SHA256Hasher()
        bytes.withUnsafeBytes { hasher.update($0) }
        return try finish(hasher)
    }

    /// Returns the digest of a file.
    ///
    /// - Parameter isLinkFollowed: whether the path may be a link to a file.
    static func of(file: FilePath, isLinkFollowed: Bool = true) throws(AtriumError) -> String {
        try of(file: file) { use throws(AtriumError) in
            try FileSystem.read(file, isLinkFollowed: isLinkFollowed, use)
        }
    }

    /// Returns the digest of a file's content, which the caller reads piece by piece.
    package static func of(
        file: FilePath, reading read: ((UnsafeRawBufferPointer) -> Void) throws(AtriumError) -> Void
    ) throws(AtriumError) -> String {
        let hasher = SHA256Hasher()
        try read { hasher.update($0) }
        return try finish(hasher, of: file.string)
    }

    /// Returns the digest of all bytes. No more can be appended then.
    package static func finish(_ hasher: SHA256Hasher, of subject: String = "SHA-256") throws(AtriumError) -> String {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        guard SHA256_Final(&digest, &hasher.context) == 1 else {
            throw AtriumError(.inputOutput, subject, reason: "libcryptoHash")
        }
        return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
