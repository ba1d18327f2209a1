/// The hashes of a file by several algorithms, of which at least one must be known.
public struct Hashes: Hashable, Sendable {
    /// The hashes of all algorithms.
    let json: JSONObject

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

    init(json: JSONObject) throws(TUFError) {
        guard !json.members.isEmpty else { throw JSONValue.problem("hashes", "an object with a hash") }
        for member in json.members { _ = try member.value.string("a hash") }
        self.json = json
    }

    /// A hash for the name of a target in a consistent snapshot, or nil if no algorithm is known.
    public var forFileName: String? {
        let known = known
        return known[.sha256] ?? known[.sha512]
    }

    /// Throws an error unless bytes have all known hashes.
    public func verify(_ bytes: [UInt8]) throws(TUFError) {
        let hasher = HashAlgorithm.Hasher(Array(known.keys))
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
