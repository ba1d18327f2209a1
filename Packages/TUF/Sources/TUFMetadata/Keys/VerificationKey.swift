internal import CLibCrypto
import Glibc

/// The part of a public key that verifies signatures.
///
/// Two keys that verify the same signatures are equal, however their texts are written.
struct VerificationKey: Equatable, Sendable {
    private let scheme: SignatureScheme
    private let handle: KeyHandle

    private static let limit = 1 << 14

    /// Parses the public value of a key in metadata, or returns nil for a key that must not be used.
    init?(_ scheme: SignatureScheme, _ text: String) {
        defer { ERR_clear_error() }
        self.scheme = scheme
        if scheme == .ed25519 {
            guard let point = Hexadecimal.bytes(of: text), Ed25519Point.isSecure(point),
                let key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, point, point.count)
            else { return nil }
            handle = KeyHandle(owning: key)
        } else {
            guard text.utf8.count <= Self.limit, let block = PEMBlock(text), block.label == "PUBLIC KEY",
                let key = block.decode({ d2i_PUBKEY(nil, $0, $1) })
            else { return nil }
            handle = KeyHandle(owning: key)
            guard scheme.accepts(key), Self.isSound(key) else { return nil }
        }
    }

    /// Checks the numbers of a key, such as that the point of an elliptic curve is on it.
    private static func isSound(_ key: OpaquePointer) -> Bool {
        let context = EVP_PKEY_CTX_new(key, nil)
        defer { EVP_PKEY_CTX_free(context) }
        return EVP_PKEY_public_check(context) == 1
    }

    static func == (one: Self, other: Self) -> Bool { EVP_PKEY_eq(one.handle.key, other.handle.key) == 1 }

    /// Returns whether a signature is one of this key for a message.
    func isSignature(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        let context = EVP_MD_CTX_new()
        defer {
            EVP_MD_CTX_free(context)
            // The next user of libcrypto in this thread must not find errors of this key in the queue.
            ERR_clear_error()
        }
        var options: OpaquePointer?
        return EVP_DigestVerifyInit(context, &options, scheme.hash, nil, handle.key) == 1 && scheme.configure(options)
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
}

/// A kind of key with its way of signing.
public enum SignatureScheme: String, Hashable, Sendable, CaseIterable {
    /// Ed25519, see RFC 8032.
    case ed25519
    /// ECDSA on the curve P-256 with SHA-256, see FIPS 186-5.
    case ecdsa = "ecdsa-sha2-nistp256"
    /// RSASSA-PSS with SHA-256, a salt of 32 bytes and keys of at least 2048 bits, see RFC 8017.
    case rsa = "rsassa-pss-sha256"

    /// The type of keys that metadata names.
    public var keyType: String {
        switch self {
        case .ed25519: "ed25519"
        case .ecdsa: "ecdsa"
        case .rsa: "rsa"
        }
    }

    /// Creates the scheme of a key. Older repositories name the scheme of ECDSA as the type of its keys, too.
    init?(keyType: String, scheme: String) {
        guard let found = Self(rawValue: scheme) else { return nil }
        guard found.keyType == keyType || (found == .ecdsa && keyType == found.rawValue) else { return nil }
        self = found
    }

    /// The sizes of RSA keys in bits that are accepted. Larger ones cost too much time.
    static let rsaBits: ClosedRange<CInt> = 2048...8192

    /// The kind of its keys in libcrypto.
    var kind: CInt {
        switch self {
        case .ed25519: EVP_PKEY_ED25519
        case .ecdsa: EVP_PKEY_EC
        case .rsa: EVP_PKEY_RSA
        }
    }

    /// Returns whether a key of libcrypto is one of this scheme.
    func accepts(_ key: OpaquePointer) -> Bool {
        guard EVP_PKEY_get_base_id(key) == kind else { return false }
        switch self {
        case .ed25519: return true
        case .ecdsa:
            var name = [CChar](repeating: 0, count: 64)
            return EVP_PKEY_get_group_name(key, &name, name.count, nil) == 1 && strcmp(name, "prime256v1") == 0
        case .rsa: return Self.rsaBits.contains(EVP_PKEY_get_bits(key))
        }
    }

    /// Sets the padding of RSA, which the other schemes do not have. Returns false if libcrypto failed.
    func configure(_ options: OpaquePointer?) -> Bool {
        self != .rsa
            || EVP_PKEY_CTX_set_rsa_padding(options, RSA_PKCS1_PSS_PADDING) == 1
                && EVP_PKEY_CTX_set_rsa_pss_saltlen(options, RSA_PSS_SALTLEN_DIGEST) == 1
    }

    /// The hash function that libcrypto applies to the message, or nil if it is part of the scheme.
    var hash: OpaquePointer? { self == .ed25519 ? nil : EVP_sha256() }
}

/// The public keys of Ed25519 that nobody may use, although libcrypto accepts them.
enum Ed25519Point {
    /// Returns whether a point is encoded in the only way that RFC 8032 allows, and has no small order.
    ///
    /// For a point of small order, anybody can make signatures that are valid for many messages.
    static func isSecure(_ point: [UInt8]) -> Bool {
        guard point.count == 32 else { return false }
        // The highest bit is the sign of the other coordinate. Both signs have the same order.
        let unsigned = Array(point.dropLast()) + point.suffix(1).map { $0 & 0x7F }
        return isBelowPrime(unsigned) && !smallOrder.contains(unsigned)
    }

    /// Returns whether a number in little-endian order is less than 2^255 - 19.
    private static func isBelowPrime(_ number: [UInt8]) -> Bool {
        let prime: [UInt8] = [0xED] + [UInt8](repeating: 0xFF, count: 30) + [0x7F]
        return number.reversed().lexicographicallyPrecedes(prime.reversed())
    }

    /// The canonical points with an order of 1, 2, 4 or 8, without their signs.
    private static let smallOrder: [[UInt8]] = [
        [UInt8](repeating: 0, count: 32),
        [1] + [UInt8](repeating: 0, count: 31),
        [0xEC] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
        [
            0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0,
            0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05,
        ],
        [
            0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f,
            0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a,
        ],
    ]
}
