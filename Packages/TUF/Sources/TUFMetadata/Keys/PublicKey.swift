public import HostSystem
import LibCrypto

/// A public key as metadata contains it.
///
/// A key of an unknown kind, or one that must not be used, is kept as it is, but no signature of it counts.
///
/// ```swift
/// let key = try secretKey.publicKey
/// print(key.id)  // 4fa2...
/// ```
public struct PublicKey: Hashable, Sendable {
    /// The object in metadata, with all its fields.
    public let json: JSONObject
    /// The SHA-256 digest of the canonical form of the object.
    public let id: String
    /// The scheme, or nil if the key is of an unknown kind.
    public let scheme: SignatureScheme?
    private let text: String?

    /// Reads a key from metadata.
    public init(json: JSONObject) throws(TUFError) {
        var (keyType, name, value) = ("", "", JSONObject())
        try JSONFields.read(json) { fields throws(TUFError) in
            try fields.pass("keytype", &keyType)
            try fields.pass("scheme", &name)
            try fields.pass("keyval", &value)
        }
        self.json = json
        id = try HashAlgorithm.sha256.digest(of: JSONValue.object(json).canonical)
        scheme = SignatureScheme(keyType: keyType, scheme: name)
        if case .string(let text) = value["public"] { self.text = text } else { text = nil }
    }

    /// The part that verifies signatures, or nil if the key must not be used.
    ///
    /// It is made only when it is needed, because checking the numbers of a key takes milliseconds, and a file may contain thousands.
    var verification: CryptoKey? {
        defer { CryptoFailure.clear() }
        guard let scheme, let text else { return nil }
        let key: CryptoKey?
        if scheme == .ed25519 {
            key = Hexadecimal.bytes(of: text).flatMap { point in
                let isSecure = Ed25519Point.isCanonical(point) && !Ed25519Point.hasSmallOrder(point)
                return isSecure ? CryptoKey(point: point) : nil
            }
        } else {
            key = CryptoKey(publicPEM: text)
        }
        return key?.kind == scheme.kind ? key : nil
    }

    /// A Boolean value that indicates whether the key is of a known kind and secure.
    public var isUsable: Bool { verification != nil }

    /// Creates a key from its public value: hexadecimal digits for Ed25519, a PEM text for the others.
    ///
    /// - Throws: ``TUFError`` with code `keyUnfit`.
    public init(_ scheme: SignatureScheme, public text: String) throws(TUFError) {
        try self.init(json: [
            "keytype": .string(scheme.keyType), "scheme": .string(scheme.rawValue),
            "keyval": ["public": .string(text)],
        ])
        guard isUsable else { throw TUFError(.keyUnfit, detail: scheme.rawValue) }
    }

    /// Returns whether a signature is one of this key for a message.
    public func isSignature(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        verification?.isSignature(signature, of: message) ?? false
    }
}
