internal import CLibCrypto

/// An incremental SHA-256 digest, or the longer one of SHA-512.
package final class ContentHash {
    private let context = EVP_MD_CTX_new()
    private let isLong: Bool
    private var isValid = false

    package init(isLong: Bool = false) {
        self.isLong = isLong
        restart()
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Begins an empty message.
    package func restart() {
        isValid = context != nil && EVP_DigestInit_ex(context, isLong ? EVP_sha512() : EVP_sha256(), nil) == 1
    }

    /// Appends bytes to the message.
    package func update(_ bytes: UnsafeRawBufferPointer) {
        guard isValid, let start = bytes.baseAddress else { return }
        isValid = EVP_DigestUpdate(context, start, bytes.count) == 1
    }

    /// Appends bytes to the message.
    package func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

    /// Returns the digest, or nil if libcrypto failed. The next message must be begun with `restart`.
    package func finish() -> [UInt8]? {
        var digest = [UInt8](repeating: 0, count: isLong ? 64 : 32)
        guard isValid, EVP_DigestFinal_ex(context, &digest, nil) == 1 else { return nil }
        isValid = false
        return digest
    }
}

extension Sequence<UInt8> {
    /// The bytes as lowercase hexadecimal digits, two for each byte.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
