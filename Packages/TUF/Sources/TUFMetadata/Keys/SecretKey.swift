internal import CLibCrypto

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
    private let handle: SecretKeyHandle

    private init(_ handle: SecretKeyHandle) throws(TUFError) {
        guard let scheme = SignatureScheme.allCases.first(where: { $0.accepts(handle.key) }) else {
            throw TUFError(.keyUnfit, detail: "not one of \(SignatureScheme.allCases.map(\.rawValue))")
        }
        self.scheme = scheme
        self.handle = handle
        publicKey = try PublicKey(scheme, public: try handle.publicText(scheme))
    }

    /// Generates a key.
    public static func generate(_ scheme: SignatureScheme) throws(TUFError) -> SecretKey {
        try SecretKey(SecretKeyHandle.generate(scheme))
    }

    /// Reads a PKCS #8 key in PEM, encrypted or not. The password is ignored for one that is not.
    ///
    /// - Throws: ``TUFError`` with code `malformed`, `keyUnfit` or `passwordWrong`.
    public init(pem: String, password: String?) throws(TUFError) {
        try self.init(SecretKeyHandle(pem: pem, password: password))
    }

    /// Returns the content of a key file, encrypted with AES-256 and a key that scrypt derives from the password.
    ///
    /// - Throws: ``TUFError`` with code `passwordWrong` for an empty password.
    public func pem(password: String) throws(TUFError) -> String {
        guard !password.isEmpty else { throw TUFError(.passwordWrong, detail: "empty") }
        return try handle.pem(password: password)
    }

    /// Signs the canonical form of metadata.
    public func signature(of payload: [UInt8]) throws(TUFError) -> Signature {
        Signature(keyID: publicKey.id, text: try handle.sign(payload, scheme).hexadecimal)
    }
}
