internal import CCrypto
import PluginCore

/// The scrypt parameters for deriving a key from a password, computed from the two limits in a minisign file.
///
/// See RFC 7914.
struct ScryptCost: Hashable {
    let logarithmOfN: UInt64
    let p: UInt64
    static let r: UInt64 = 8

    /// The maximum work, that of libsodium's sensitive limits, which use 1 GiB of memory.
    static let mostWork: UInt64 = 1 << 25
    private static let mostMemory: UInt64 = 1 << 30

    static let excess = SigningError(
        .malformed, reason: "passwordWorkTooLarge")

    /// - Parameter limits: The limits for operations and memory, eight bytes each in little-endian order.
    init(_ limits: some Collection<UInt8>) throws(SigningError) {
        let numbers = [limits.prefix(8), limits.dropFirst(8)].map { bytes in
            bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        guard numbers[0] <= Self.mostWork, numbers[1] <= Self.mostMemory else {
            throw Self.excess
        }
        self.init(work: numbers[0], memory: numbers[1])
    }

    /// Chooses the parameters like libsodium.
    ///
    /// See `crypto_pwhash_scryptsalsa208sha256`.
    private init(work: UInt64, memory: UInt64) {
        let work = max(work, 32_768)
        func logarithm(below most: UInt64) -> UInt64 {
            (1..<63).first { (1 << $0) > most / 2 } ?? 63
        }
        if work < memory / 32 {
            logarithmOfN = logarithm(below: work / (Self.r * 4))
            p = 1
        } else {
            logarithmOfN = logarithm(below: memory / (Self.r * 128))
            p = ((work / 4) >> logarithmOfN) / Self.r
        }
    }

    func stream(password: String, salt: [UInt8], count: Int) throws(SigningError) -> [UInt8] {
        var stream = [UInt8](repeating: 0, count: count)
        // The table itself and its overhead.
        let memory = Self.mostMemory + (1 << 22)
        guard
            EVP_PBE_scrypt(
                password, password.utf8.count, salt, salt.count, 1 << logarithmOfN, Self.r, p, memory, &stream, count)
                == 1
        else { throw .crypto(ErrorReason("libcryptoPassword")) }
        return stream
    }
}
