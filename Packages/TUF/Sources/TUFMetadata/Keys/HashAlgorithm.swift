internal import CLibCrypto

/// A hash function that metadata may use.
public enum HashAlgorithm: String, Hashable, Sendable, CaseIterable {
    /// SHA-256, see FIPS 180-4.
    case sha256
    /// SHA-512, see FIPS 180-4.
    case sha512

    /// Returns the digest of bytes as lowercase hexadecimal digits.
    public func digest(of bytes: [UInt8]) throws(TUFError) -> String {
        let hasher = Hasher([self])
        hasher.update(bytes)
        return try hasher.finish()[self] ?? ""
    }
}

extension HashAlgorithm {
    /// An incremental digest by several algorithms at once.
    public final class Hasher {
        private let contexts: [(algorithm: HashAlgorithm, context: OpaquePointer)]
        private var isWhole: Bool

        /// Creates a hasher for an empty message.
        public init(_ algorithms: [HashAlgorithm]) {
            var contexts: [(algorithm: HashAlgorithm, context: OpaquePointer)] = []
            var isWhole = true
            for algorithm in HashAlgorithm.allCases where algorithms.contains(algorithm) {
                guard let context = EVP_MD_CTX_new() else {
                    isWhole = false
                    continue
                }
                contexts.append((algorithm, context))
                let function = algorithm == .sha256 ? EVP_sha256() : EVP_sha512()
                if EVP_DigestInit_ex(context, function, nil) != 1 { isWhole = false }
            }
            self.contexts = contexts
            self.isWhole = isWhole
        }

        deinit {
            for (_, context) in contexts { EVP_MD_CTX_free(context) }
        }

        /// Appends bytes to the message.
        public func update(_ bytes: UnsafeRawBufferPointer) {
            guard let start = bytes.baseAddress else { return }
            for (_, context) in contexts where EVP_DigestUpdate(context, start, bytes.count) != 1 { isWhole = false }
        }

        /// Appends bytes to the message.
        public func update(_ bytes: [UInt8]) {
            bytes.withUnsafeBytes { update($0) }
        }

        /// Returns the digests as lowercase hexadecimal digits. Only the first call succeeds.
        ///
        /// - Throws: ``TUFError`` with code `cryptoFailed`.
        public func finish() throws(TUFError) -> [HashAlgorithm: String] {
            var digests: [HashAlgorithm: String] = [:]
            for (algorithm, context) in contexts {
                var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
                var count: UInt32 = 0
                guard isWhole, EVP_DigestFinal_ex(context, &digest, &count) == 1 else { throw .crypto("hash") }
                digests[algorithm] = digest.prefix(Int(count)).hexadecimal
            }
            isWhole = false
            return digests
        }
    }
}

extension TUFError {
    /// Returns the error of an operation that failed, and empties libcrypto's queue of errors.
    static func crypto(_ operation: String) -> TUFError {
        // The first error in the queue is the cause. The others only report that it was passed on.
        let number = ERR_get_error()
        ERR_clear_error()
        let cause = number == 0 ? nil : ERR_reason_error_string(number).map { String(cString: $0) }
        return TUFError(.cryptoFailed, detail: operation + (cause.map { ": \($0)" } ?? ""))
    }
}
