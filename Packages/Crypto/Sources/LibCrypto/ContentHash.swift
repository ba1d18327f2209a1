import CCrypto

/// A hash function.
package enum HashFunction {
    /// SHA-256, see FIPS 180-4.
    case sha256
    /// SHA-512, see FIPS 180-4.
    case sha512
    /// BLAKE2b-512, see RFC 7693.
    case blake2b

    fileprivate var algorithm: OpaquePointer? {
        switch self {
        case .sha256: EVP_sha256()
        case .sha512: EVP_sha512()
        case .blake2b: EVP_blake2b512()
        }
    }
}

/// An incremental digest.
package final class ContentHash {
    private let context = EVP_MD_CTX_new()
    private let function: HashFunction
    private var isValid = false

    package init(_ function: HashFunction = .sha256) {
        self.function = function
        restart()
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Begins an empty message.
    package func restart() {
        isValid = context != nil && EVP_DigestInit_ex(context, function.algorithm, nil) == 1
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
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard isValid, EVP_DigestFinal_ex(context, &digest, &count) == 1 else { return nil }
        isValid = false
        return Array(digest.prefix(Int(count)))
    }

    /// Returns the digest of bytes, or nil if libcrypto failed.
    package static func digest(of bytes: [UInt8], _ function: HashFunction = .sha256) -> [UInt8]? {
        let hash = ContentHash(function)
        hash.update(bytes)
        return hash.finish()
    }
}

extension Sequence<UInt8> {
    /// The bytes as lowercase hexadecimal digits, two for each byte.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

/// Hexadecimal digits.
package enum Hexadecimal {
    /// Returns the value of a digit in either case.
    private static func value(of digit: UInt8) -> UInt8? {
        Character(Unicode.Scalar(digit)).hexDigitValue.map { UInt8($0) }
    }

    /// Returns the bytes that a text describes, or nil unless it consists of pairs of digits.
    package static func bytes(of text: String) -> [UInt8]? {
        let digits = text.utf8.compactMap(value)
        guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}

/// The errors that libcrypto has noted in this thread.
package enum CryptoFailure {
    /// Returns the cause of a failure, if libcrypto names one, and forgets all errors.
    package static func cause() -> String? {
        // The first error in the queue is the cause. The others only report that it was passed on.
        let number = ERR_get_error()
        clear()
        return number == 0 ? nil : ERR_reason_error_string(number).map { String(cString: $0) }
    }

    /// Forgets all errors, so that the next user of libcrypto in this thread does not find them.
    package static func clear() { ERR_clear_error() }
}
