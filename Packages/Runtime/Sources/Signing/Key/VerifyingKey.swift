import PluginCore

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
        guard !SmallOrder.contains(point) else {
            throw SigningError(.keyUnfit, reason: "publicKeyWeak")
        }
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

    static let comment = "untrusted comment: "
    static let algorithm = Array("Ed".utf8)
}
