internal import CLibCrypto

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

    /// Returns whether a key of libcrypto is one of this scheme.
    func accepts(_ key: OpaquePointer) -> Bool {
        switch self {
        case .ed25519:
            return EVP_PKEY_get_base_id(key) == EVP_PKEY_ED25519
        case .ecdsa:
            var name = [CChar](repeating: 0, count: 64)
            guard EVP_PKEY_get_base_id(key) == EVP_PKEY_EC,
                EVP_PKEY_get_group_name(key, &name, name.count, nil) == 1
            else { return false }
            return name.prefix { $0 != 0 }.elementsEqual("prime256v1".utf8.map { CChar(bitPattern: $0) })
        case .rsa:
            return EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA && Self.rsaBits.contains(EVP_PKEY_get_bits(key))
        }
    }

    /// The hash function that libcrypto applies to the message, or nil if it is part of the scheme.
    var hash: OpaquePointer? { self == .ed25519 ? nil : EVP_sha256() }
}
