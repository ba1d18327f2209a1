import CCrypto
import PluginCore

/// The check of the work that a PEM requires for deriving a key from a password, before that work begins.
///
/// libcrypto does not limit this work. See RFC 8018, RFC 7914 and RFC 7292.
enum PasswordCost {
    private static let mostIterations: UInt64 = 10_000_000
    /// The maximum product of N, r and p, which is that of minisign.
    private static let mostScrypt = ScryptCost.mostWork / 4

    /// Checks the work for opening an encrypted key.
    ///
    /// - Parameter sealed: The `X509_SIG` of the PEM block.
    /// - Throws: ``SigningError`` with code `malformed` for more work than any regular key needs. Data that cannot be parsed is accepted
    ///   here, because libcrypto rejects it as well.
    static func validate(_ sealed: OpaquePointer) throws(SigningError) {
        var algorithm: UnsafePointer<X509_ALGOR>?
        X509_SIG_get0(sealed, &algorithm, nil)
        defer { ERR_clear_error() }
        guard let algorithm else { return }
        guard identifier(of: algorithm) == NID_pbes2 else { return try validateFirstScheme(algorithm) }
        guard let scheme = parameters(of: algorithm, d2i_PBE2PARAM) else { return }
        defer { PBE2PARAM_free(scheme) }
        guard let function = scheme.pointee.keyfunc else { return }
        switch identifier(of: function) {
        case NID_id_pbkdf2: try validatePBKDF2(function)
        case NID_id_scrypt: try validateScrypt(function)
        default: return
        }
    }

    /// Checks the older schemes, PBES1 and those of PKCS #12.
    private static func validateFirstScheme(_ algorithm: UnsafePointer<X509_ALGOR>) throws(SigningError) {
        guard let scheme = parameters(of: algorithm, d2i_PBEPARAM) else { return }
        defer { PBEPARAM_free(scheme) }
        try validate(iterations: scheme.pointee.iter)
    }

    private static func validatePBKDF2(_ function: UnsafePointer<X509_ALGOR>) throws(SigningError) {
        guard let derivation = parameters(of: function, d2i_PBKDF2PARAM) else { return }
        defer { PBKDF2PARAM_free(derivation) }
        try validate(iterations: derivation.pointee.iter)
    }

    private static func validate(iterations: UnsafeMutablePointer<ASN1_INTEGER>?) throws(SigningError) {
        let count = number(iterations)
        guard let count, count <= mostIterations else {
            throw SigningError(
                .malformed, reason: "passwordIterationsTooMany",
                ["count": count.map { "\($0)" } ?? .reason(ErrorReason("tooMany")), "limit": "\(mostIterations)"])
        }
    }

    private static func validateScrypt(_ function: UnsafePointer<X509_ALGOR>) throws(SigningError) {
        guard let derivation = parameters(of: function, d2i_SCRYPT_PARAMS) else { return }
        defer { SCRYPT_PARAMS_free(derivation) }
        let numbers = [
            derivation.pointee.costParameter, derivation.pointee.blockSize,
            derivation.pointee.parallelizationParameter,
        ].map { number($0) }
        let work = numbers.reduce(UInt64(1)) { work, number in
            let (product, overflows) = work.multipliedReportingOverflow(by: number ?? .max)
            return overflows ? .max : product
        }
        guard work <= mostScrypt else { throw ScryptCost.excess }
    }

    private static func identifier(of algorithm: UnsafePointer<X509_ALGOR>) -> Int32 {
        OBJ_obj2nid(algorithm.pointee.algorithm)
    }

    /// Decodes the parameters as DER. The caller must free them.
    private static func parameters<Value>(
        of algorithm: UnsafePointer<X509_ALGOR>,
        _ reading: (
            UnsafeMutablePointer<UnsafeMutablePointer<Value>?>?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, Int
        ) -> UnsafeMutablePointer<Value>?
    ) -> UnsafeMutablePointer<Value>? {
        var (kind, value): (Int32, UnsafeRawPointer?) = (0, nil)
        X509_ALGOR_get0(nil, &kind, &value, algorithm)
        guard kind == V_ASN1_SEQUENCE, let value else { return nil }
        let sequence = value.assumingMemoryBound(to: ASN1_STRING.self)
        var place = ASN1_STRING_get0_data(sequence)
        return reading(nil, &place, Int(ASN1_STRING_length(sequence)))
    }

    /// Returns a number, or nil if it is negative or too large.
    private static func number(_ integer: UnsafeMutablePointer<ASN1_INTEGER>?) -> UInt64? {
        var number: UInt64 = 0
        guard let integer, ASN1_INTEGER_get_uint64(&number, integer) == 1 else { return nil }
        return number
    }
}

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
