import HostSystem
import LibCrypto

/// A hash function that metadata may use.
public enum HashAlgorithm: String, Sendable, CaseIterable {
    /// SHA-256, see FIPS 180-4.
    case sha256
    /// SHA-512, see FIPS 180-4.
    case sha512

    /// Returns the digest of bytes as lowercase hexadecimal digits.
    public func digest(of bytes: [UInt8]) throws(TUFError) -> String {
        try Hashes(of: bytes, [self]).known[self] ?? ""
    }
}

extension HashAlgorithm {
    /// An incremental digest by several algorithms at once.
    public final class Hasher {
        private var hashes: [HashAlgorithm: ContentHash] = [:]

        /// Creates a hasher for an empty message.
        public init(_ algorithms: some Sequence<HashAlgorithm>) {
            for algorithm in algorithms { hashes[algorithm] = ContentHash(algorithm == .sha512 ? .sha512 : .sha256) }
        }

        /// Appends bytes to the message.
        public func update(_ bytes: [UInt8]) {
            for hash in hashes.values { hash.update(bytes) }
        }

        /// Returns the digests as lowercase hexadecimal digits. Only the first call succeeds.
        ///
        /// - Throws: ``TUFError`` with code `cryptoFailed`.
        public func finish() throws(TUFError) -> [HashAlgorithm: String] {
            var digests: [HashAlgorithm: String] = [:]
            for (algorithm, hash) in hashes {
                guard let digest = hash.finish() else { throw .crypto("hash") }
                digests[algorithm] = digest.hexadecimal
            }
            return digests
        }
    }
}

extension TUFError {
    /// Returns the error of an operation that failed, and empties libcrypto's queue of errors.
    static func crypto(_ operation: String) -> TUFError {
        TUFError(.cryptoFailed, detail: operation + (CryptoFailure.cause().map { ": \($0)" } ?? ""))
    }
}

/// The hashes of a file by several algorithms, of which at least one must be known.
public struct Hashes: Hashable, Sendable, JSONConvertible {
    /// The hashes of all algorithms.
    private let json: JSONObject

    /// The hashes of known algorithms, as lowercase hexadecimal digits.
    public var known: [HashAlgorithm: String] {
        var known: [HashAlgorithm: String] = [:]
        for algorithm in HashAlgorithm.allCases {
            if case .string(let digest)? = json[algorithm.rawValue] { known[algorithm] = digest }
        }
        return known
    }

    /// Creates hashes.
    public init(_ known: [HashAlgorithm: String]) {
        var json = JSONObject()
        for (algorithm, digest) in known { json[algorithm.rawValue] = .string(digest) }
        self.json = json
    }

    /// Computes the hashes of bytes.
    public init(of bytes: [UInt8], _ algorithms: [HashAlgorithm] = [.sha256]) throws(TUFError) {
        let hasher = HashAlgorithm.Hasher(algorithms)
        hasher.update(bytes)
        self.init(try hasher.finish())
    }

    init(reading value: JSONValue, _ name: String) throws(TUFError) {
        json = try JSONObject(reading: value, name)
        guard !json.members.isEmpty else { throw JSONValue.problem(name, "an object with a hash") }
        for member in json.members { _ = try String(reading: member.value, "a hash") }
    }

    var jsonValue: JSONValue { .object(json) }

    /// A hash for the name of a target in a consistent snapshot, or nil if no algorithm is known.
    public var forFileName: String? {
        let known = known
        return known[.sha256] ?? known[.sha512]
    }

    /// Throws an error unless bytes have all known hashes.
    public func verify(_ bytes: [UInt8]) throws(TUFError) {
        let hasher = HashAlgorithm.Hasher(known.keys)
        hasher.update(bytes)
        try verify(hasher)
    }

    /// Throws an error unless the message of a hasher for ``known`` has all known hashes, of which there must be one.
    public func verify(_ hasher: HashAlgorithm.Hasher) throws(TUFError) {
        let known = known
        guard !known.isEmpty else { throw TUFError(.hashMismatch, detail: "no hash of a known algorithm") }
        let digests = try hasher.finish()
        for (algorithm, expected) in known where digests[algorithm] != expected {
            throw TUFError(.hashMismatch, detail: algorithm.rawValue)
        }
    }
}
