import CCrypto

/// A kind of key with its way of signing, by its name in metadata of The Update Framework.
package enum KeyKind: String, CaseIterable {
    /// Ed25519, see RFC 8032.
    case ed25519
    /// ECDSA on the curve P-256 with SHA-256, see FIPS 186-5.
    case ecdsa
    /// RSASSA-PSS with SHA-256, a salt of 32 bytes and keys of at least 2048 bits, see RFC 8017.
    case rsa

    /// The sizes of RSA keys in bits that are accepted. Larger ones cost too much time.
    private static let rsaBits: ClosedRange<CInt> = 2048...8192

    /// The kind in libcrypto.
    fileprivate var number: CInt {
        switch self {
        case .ed25519: EVP_PKEY_ED25519
        case .ecdsa: EVP_PKEY_EC
        case .rsa: EVP_PKEY_RSA
        }
    }

    /// Returns whether a key of libcrypto is one of this kind.
    fileprivate func accepts(_ key: OpaquePointer) -> Bool {
        guard EVP_PKEY_get_base_id(key) == number else { return false }
        switch self {
        case .ed25519: return true
        case .ecdsa:
            var name = [CChar](repeating: 0, count: 64)
            return EVP_PKEY_get_group_name(key, &name, name.count, nil) == 1 && strcmp(name, "prime256v1") == 0
        case .rsa: return Self.rsaBits.contains(EVP_PKEY_get_bits(key))
        }
    }

    /// Sets what keys are generated. Returns false if libcrypto failed.
    fileprivate func configureGeneration(_ context: OpaquePointer?) -> Bool {
        switch self {
        case .ed25519: true
        case .ecdsa: EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) == 1
        case .rsa: EVP_PKEY_CTX_set_rsa_keygen_bits(context, 3072) == 1
        }
    }

    /// Sets the padding of RSA, which the other kinds do not have. Returns false if libcrypto failed.
    fileprivate func configure(_ options: OpaquePointer?) -> Bool {
        self != .rsa
            || EVP_PKEY_CTX_set_rsa_padding(options, RSA_PKCS1_PSS_PADDING) == 1
                && EVP_PKEY_CTX_set_rsa_pss_saltlen(options, RSA_PSS_SALTLEN_DIGEST) == 1
    }

    /// The hash function that libcrypto applies to the message, or nil if it is part of the scheme.
    fileprivate var hash: OpaquePointer? { self == .ed25519 ? nil : EVP_sha256() }
}

/// A key of libcrypto, which is wiped when it is released. All signatures are made and verified here.
// because: nothing changes the key after init; libcrypto itself counts its users atomically.
package final class CryptoKey: @unchecked Sendable {
    /// The kind of the key, or nil for one that is not used here.
    package let kind: KeyKind?
    let key: OpaquePointer

    /// Takes ownership of a key.
    init?(owning key: OpaquePointer?) {
        guard let key else { return nil }
        self.key = key
        kind = KeyKind.allCases.first { $0.accepts(key) }
    }

    deinit { EVP_PKEY_free(key) }

    /// Generates a key, or returns nil if libcrypto failed.
    package convenience init?(generating kind: KeyKind) {
        let context = EVP_PKEY_CTX_new_id(kind.number, nil)
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1, kind.configureGeneration(context),
            EVP_PKEY_keygen(context, &key) == 1
        else { return nil }
        self.init(owning: key)
    }

    /// Creates a secret key of Ed25519 from its seed of 32 bytes.
    package convenience init?(seed: some Collection<UInt8>) {
        var seed = Array(seed)
        defer { OPENSSL_cleanse(&seed, seed.count) }
        self.init(owning: EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, seed.count))
    }

    /// Creates a public key of Ed25519 from its point of 32 bytes.
    package convenience init?(point: [UInt8]) {
        self.init(owning: EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, point, point.count))
    }

    /// The public point of a key of Ed25519.
    package var point: [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 32)
        var count = bytes.count
        return EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1 && count == 32 ? bytes : nil
    }

    /// Signs a message, or returns nil if libcrypto failed.
    package func signature(of message: [UInt8]) -> [UInt8]? {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        var options: OpaquePointer?
        var count = 0
        guard let kind, EVP_DigestSignInit(context, &options, kind.hash, nil, key) == 1, kind.configure(options),
            EVP_DigestSign(context, nil, &count, message, message.count) == 1
        else { return nil }
        var signature = [UInt8](repeating: 0, count: count)
        guard EVP_DigestSign(context, &signature, &count, message, message.count) == 1 else { return nil }
        return Array(signature.prefix(count))
    }

    /// Returns whether a signature is one of this key for a message, or nil if libcrypto cannot check it.
    package func isSignature(_ signature: [UInt8], of message: [UInt8]) -> Bool? {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        var options: OpaquePointer?
        guard let kind, EVP_DigestVerifyInit(context, &options, kind.hash, nil, key) == 1, kind.configure(options)
        else { return nil }
        // The next user of libcrypto in this thread must not find errors of this key in the queue.
        defer { ERR_clear_error() }
        return EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
}

extension CryptoKey: Equatable {
    /// Compares two keys by what they verify, however their texts are written.
    package static func == (one: CryptoKey, other: CryptoKey) -> Bool { EVP_PKEY_eq(one.key, other.key) == 1 }
}

/// The points of Ed25519 that nobody may use as a key, although libcrypto accepts them. libsodium and therefore minisign does not.
package enum Ed25519Point {
    /// Returns whether a point has an order of 1, 2, 4 or 8, so that signatures can be created without a secret.
    package static func hasSmallOrder(_ point: [UInt8]) -> Bool { smallOrder.contains(unsigned(point)) }

    /// Returns whether a point is encoded in the only way that RFC 8032 allows: its number is less than 2^255 - 19.
    package static func isCanonical(_ point: [UInt8]) -> Bool {
        unsigned(point).reversed().lexicographicallyPrecedes(aroundPrime(0xed).reversed())
    }

    /// Returns a point without the sign of the other coordinate, which is its highest bit. Both signs have the same order.
    private static func unsigned(_ point: [UInt8]) -> [UInt8] { point.dropLast() + point.suffix(1).map { $0 & 0x7f } }

    /// The points, including non-canonical encodings of 0 and 1.
    private static let smallOrder = Set(
        [
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0100000000000000000000000000000000000000000000000000000000000000",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        ].compactMap(Hexadecimal.bytes) + [aroundPrime(0xec), aroundPrime(0xed), aroundPrime(0xee)])

    /// Returns an encoding near the prime 2^255 - 19, whose lowest byte is 0xed.
    private static func aroundPrime(_ lowest: UInt8) -> [UInt8] {
        [lowest] + [UInt8](repeating: 0xff, count: 30) + [0x7f]
    }
}
