internal import CLibCrypto

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
    var verification: VerificationKey? {
        guard let scheme, let text else { return nil }
        return VerificationKey(scheme, text)
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

/// The only block of a PEM text. Other text may precede it, because tools write comments there. A second block is an error.
struct PEMBlock {
    /// The label after BEGIN.
    let label: String
    private let content: [UInt8]

    init?(_ text: String) {
        let text = Array(text.utf8)
        defer { ERR_clear_error() }
        guard let input = BIO_new_mem_buf(text, Int32(clamping: text.count)) else { return nil }
        defer { BIO_free(input) }
        guard let (label, content) = Self.next(in: input), Self.next(in: input) == nil else { return nil }
        self.label = label
        self.content = content
    }

    private static func next(in input: OpaquePointer) -> (String, [UInt8])? {
        var label: UnsafeMutablePointer<CChar>?
        var header: UnsafeMutablePointer<CChar>?
        var content: UnsafeMutablePointer<UInt8>?
        var count = 0
        guard PEM_read_bio(input, &label, &header, &content, &count) == 1 else { return nil }
        defer {
            CRYPTO_free(label, #file, #line)
            CRYPTO_free(header, #file, #line)
            CRYPTO_clear_free(content, count, #file, #line)
        }
        // A header asks for a password, which is only right for keys older than PKCS #8.
        guard let label, let content, header.map({ $0.pointee == 0 }) ?? true else { return nil }
        return (String(cString: label), Array(UnsafeBufferPointer(start: content, count: count)))
    }

    /// Returns the text that a function of libcrypto writes.
    static func text(_ write: (OpaquePointer) -> CInt) throws(TUFError) -> String {
        guard let output = BIO_new(BIO_s_mem()) else { throw .crypto("write key") }
        defer { BIO_free(output) }
        var text = [UInt8](repeating: 0, count: 1 << 14)
        guard write(output) == 1 else { throw .crypto("write key") }
        let count = BIO_read(output, &text, Int32(text.count))
        guard count > 0 else { throw .crypto("write key") }
        return String(decoding: text.prefix(Int(count)), as: UTF8.self)
    }

    /// Decodes the content as DER. Trailing bytes are an error. The caller must free the value.
    func decode(_ body: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?) -> OpaquePointer? {
        content.withUnsafeBufferPointer { bytes in
            defer { ERR_clear_error() }
            var place = bytes.baseAddress
            guard let value = body(&place, bytes.count) else { return nil }
            return place == bytes.baseAddress.map { $0 + bytes.count } ? value : nil
        }
    }
}
