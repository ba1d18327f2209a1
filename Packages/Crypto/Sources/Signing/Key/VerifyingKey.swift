import LibCrypto

/// A public key, which verifies the signatures of its owner.
///
/// ```swift
/// let key = try VerifyingKey("RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3")
/// print(key.id)  // E7620F1842B4E81F
/// ```
public struct VerifyingKey: Hashable, Sendable {
    /// The identifier in signatures. It is not derived from the key, so two keys may have the same one.
    public let id: KeyID
    /// The public point of 32 bytes, which is the key itself. A key may have several identifiers.
    ///
    /// See RFC 8032.
    public let point: [UInt8]

    init(id: KeyID, point: [UInt8]) throws(SigningError) {
        guard !Ed25519Point.hasSmallOrder(point) else { throw SigningError(.keyUnfit, reason: "publicKeyWeak") }
        self.id = id
        self.point = point
    }

    /// Parses a public key file of minisign, or its second line alone.
    ///
    /// - Throws: ``SigningError`` with code `malformed` for any text that `minisign` would not write, and `keyUnfit` for a key without
    ///   security.
    public init(_ text: String) throws(SigningError) {
        let hasComment = text.hasPrefix(Self.comment)
        let lines = TextLines.lines(of: text, count: hasComment ? 2 : 1, limit: 4096, isLastOpen: true)
        guard let lines, let line = lines.last, !hasComment || lines.first.map(TextLines.isOneLine) == true else {
            throw SigningError(
                .malformed, reason: "publicKeyForm")
        }
        guard let bytes = Base64.bytes(of: line, count: 42) else {
            throw SigningError(.malformed, reason: "publicKeyLength")
        }
        guard bytes.starts(with: Self.algorithm) else {
            throw SigningError(.malformed, reason: "publicKeyStart")
        }
        try self.init(id: KeyID(bytes[2..<10]), point: Array(bytes[10...]))
    }

    /// The line that minisign accepts as an option.
    public var base64: String { Base64.text(of: Self.algorithm + id.bytes + point) }

    /// The content of a public key file.
    public var text: String { "\(Self.comment)minisign public key \(id)\n\(base64)\n" }

    /// Returns whether a signature is one of this key for a message.
    func isSignature(_ signature: [UInt8], of message: [UInt8]) throws(SigningError) -> Bool {
        guard let key = CryptoKey(point: point) else { throw .crypto("libcryptoPublicKey") }
        guard let isValid = key.isSignature(signature, of: message) else {
            throw .crypto("libcryptoVerify")
        }
        return isValid
    }

    static let comment = "untrusted comment: "
    static let algorithm = Array("Ed".utf8)
}

/// The identifier by which a signature refers to its key.
///
/// It has eight bytes. It proves nothing, because anyone can create a key with a given identifier.
public struct KeyID: Hashable, Sendable {
    /// The bytes in the order of files.
    public let bytes: [UInt8]

    /// - Parameter bytes: Eight bytes.
    init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    /// Parses the textual form of an identifier.
    ///
    /// Both cases are accepted, and leading zeros may be missing, because `minisign` omits them.
    public init(_ text: String) throws(SigningError) {
        guard (1...16).contains(text.utf8.count), !text.hasPrefix("+"), let number = UInt64(text, radix: 16) else {
            throw SigningError(.malformed, reason: "keyIDForm")
        }
        bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}

extension KeyID: CustomStringConvertible {
    /// The identifier as 16 uppercase hexadecimal digits, last byte first, as in the messages of minisign.
    public var description: String { bytes.reversed().hexadecimal.uppercased() }
}
