import LibCrypto

/// A kind of key with its way of signing.
public enum SignatureScheme: String, Sendable, CaseIterable {
    /// Ed25519, see RFC 8032.
    case ed25519
    /// ECDSA on the curve P-256 with SHA-256, see FIPS 186-5.
    case ecdsa = "ecdsa-sha2-nistp256"
    /// RSASSA-PSS with SHA-256, a salt of 32 bytes and keys of at least 2048 bits, see RFC 8017.
    case rsa = "rsassa-pss-sha256"

    /// The type of keys that metadata names.
    public var keyType: String { kind.rawValue }

    /// Creates the scheme of a key. Older repositories name the scheme of ECDSA as the type of its keys, too.
    init?(keyType: String, scheme: String) {
        guard let found = Self(rawValue: scheme) else { return nil }
        guard found.keyType == keyType || (found == .ecdsa && keyType == found.rawValue) else { return nil }
        self = found
    }

    /// The kind of its keys in libcrypto.
    var kind: KeyKind {
        switch self {
        case .ed25519: .ed25519
        case .ecdsa: .ecdsa
        case .rsa: .rsa
        }
    }
}
