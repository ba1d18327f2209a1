/// A public key: whoever has it can tell what its owner has signed.
///
/// ```swift
/// let key = try VerifyingKey("RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3")
/// print(key.id)  // E7620F1842B4E81F
/// ```
public struct VerifyingKey: Hashable, Sendable {
    /// By which signatures name it. Not derived from the key, so two keys may have the same.
    public let id: KeyID
    /// The point of RFC 8032, 32 bytes: the key itself. One key may go by several ids.
    public let point: [UInt8]

    init(id: KeyID, point: [UInt8]) throws(SigningError) {
        guard !SmallOrder.contains(point) else {
            throw SigningError(.keyUnfit, "the public key is one that anybody can sign for")
        }
        self.id = id
        self.point = point
    }

    /// Reads minisign's `.pub` file, or its second line alone.
    ///
    /// - Throws: ``SigningError`` with code `malformed` for anything that is not spelled as `minisign` does, and `keyUnfit`
    ///   for a key that protects nothing.
    public init(_ text: String) throws(SigningError) {
        let hasComment = text.hasPrefix(Self.comment)
        let lines = TextLines.lines(of: text, count: hasComment ? 2 : 1, limit: 4096, isLastOpen: true)
        guard let lines, let line = lines.last, !hasComment || lines.first.map(TextLines.isOneLine) == true else {
            throw SigningError(
                .malformed, "a public key is the line of base64 that minisign prints, or its file of two lines")
        }
        guard let bytes = Base64.bytes(of: line, count: 42) else {
            throw SigningError(.malformed, "a public key is 42 bytes in base64")
        }
        guard bytes.starts(with: Self.algorithm) else {
            throw SigningError(.malformed, "a public key starts with \"Ed\", for Ed25519")
        }
        try self.init(id: KeyID(bytes[2..<10]), point: Array(bytes[10...]))
    }

    /// The line that `minisign -P` takes.
    public var base64: String { Base64.text(of: Self.algorithm + id.bytes + point) }

    /// The content of a `.pub` file.
    public var text: String { "\(Self.comment)minisign public key \(id)\n\(base64)\n" }

    static let comment = "untrusted comment: "
    static let algorithm = Array("Ed".utf8)
}
