import LibCrypto

/// A secret key, which signs metadata.
///
/// ```swift
/// let key = try SecretKey.generate(.ed25519)
/// try key.pem(password: password)  // for a file
/// let signed = try metadata.signed(by: [key])
/// ```
public struct SecretKey: Sendable {
    /// The scheme.
    public let scheme: SignatureScheme
    /// The public key.
    public let publicKey: PublicKey
    private let key: CryptoKey

    private init(_ key: CryptoKey) throws(TUFError) {
        guard let scheme = SignatureScheme.allCases.first(where: { $0.kind == key.kind }) else {
            throw TUFError(.keyUnfit, detail: "not one of \(SignatureScheme.allCases.map(\.rawValue))")
        }
        guard let text = scheme == .ed25519 ? key.point?.hexadecimal : key.publicPEM else {
            throw .crypto("public key")
        }
        self.scheme = scheme
        self.key = key
        publicKey = try PublicKey(scheme, public: text)
    }

    /// Generates a key.
    public static func generate(_ scheme: SignatureScheme) throws(TUFError) -> SecretKey {
        guard let key = CryptoKey(generating: scheme.kind) else { throw .crypto("generate") }
        return try SecretKey(key)
    }

    /// Reads a PKCS #8 key in PEM, encrypted or not. The password is ignored for one that is not.
    ///
    /// - Throws: ``TUFError`` with code `malformed`, `keyUnfit` or `passwordWrong`.
    public init(pem: String, password: String?) throws(TUFError) {
        let key: CryptoKey
        do {
            key = try CryptoKey.secret(pem: pem, password: password)
        } catch {
            throw switch error {
            case .passwordMissing: TUFError(.passwordWrong, detail: "missing")
            case .passwordWrong: TUFError(.passwordWrong)
            case .form: TUFError(.malformed, detail: "not a single PEM block")
            case .label(let label): TUFError(.malformed, detail: "a PEM block of \(label.debugDescription)")
            case .costly: TUFError(.malformed, detail: "the password requires too much work")
            case .damaged, .unsupported: TUFError(.malformed, detail: "the key")
            }
        }
        try self.init(key)
    }

    /// Returns the content of a key file, encrypted with AES-256 and a key that scrypt derives from the password.
    ///
    /// - Throws: ``TUFError`` with code `passwordWrong` for an empty password.
    public func pem(password: String) throws(TUFError) -> String {
        guard !password.isEmpty else { throw TUFError(.passwordWrong, detail: "empty") }
        guard let text = key.secretPEM(password: password) else { throw .crypto("write key") }
        return text
    }

    /// Signs the canonical form of metadata.
    public func signature(of payload: [UInt8]) throws(TUFError) -> Signature {
        guard let signature = key.signature(of: payload) else { throw .crypto("sign") }
        return Signature(keyID: publicKey.id, text: signature.hexadecimal)
    }
}
