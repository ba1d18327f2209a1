import PluginCore

extension MinisignSignature {
    private static let untrustedPrefix = "untrusted comment: "
    private static let trustedPrefix = "trusted comment: "
    /// The maximum size of a comment line that minisign reads, in bytes and without the newline.
    private static let untrustedLimit = 1_022
    private static let trustedLimit = 8_190

    /// Parses a signature file, which has exactly four lines that each end with a newline.
    ///
    /// - Throws: ``SigningError`` with code `malformed`.
    public init(_ text: String) throws(SigningError) {
        let limit = Self.untrustedLimit + Self.trustedLimit + 256
        guard let lines = TextLines.lines(of: text, count: 4, limit: limit) else {
            throw SigningError(.malformed, reason: "signatureForm")
        }
        let untrusted = try Self.comment(lines[0], behind: Self.untrustedPrefix, limit: Self.untrustedLimit)
        guard let bytes = Base64.bytes(of: lines[1], count: 74), let algorithm = Algorithm(bytes.prefix(2)) else {
            throw SigningError(
                .malformed, reason: "signatureSecondLine")
        }
        let trusted = try Self.comment(lines[2], behind: Self.trustedPrefix, limit: Self.trustedLimit)
        guard let global = Base64.bytes(of: lines[3], count: 64) else {
            throw SigningError(.malformed, reason: "signatureFourthLine")
        }
        self.init(
            algorithm, by: KeyID(bytes[2..<10]), untrustedComment: untrusted, trustedComment: trusted,
            signature: Array(bytes[10...]), globalSignature: global)
    }

    private static func comment(
        _ line: Substring, behind prefix: String, limit: Int
    ) throws(SigningError) -> String {
        guard line.utf8.starts(with: prefix.utf8), line.utf8.count <= limit, TextLines.isOneLine(line) else {
            throw SigningError(
                .malformed, reason: "signatureCommentForm", ["prefix": .text(prefix), "limit": .integer(limit)])
        }
        // The prefix is removed by bytes, because its space and a combining mark would be one character.
        return String(decoding: line.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }

    /// The content of a signature file.
    public var text: String {
        let bytes = algorithm.mark + keyID.bytes + signature
        return Self.untrustedPrefix + untrustedComment + "\n" + Base64.text(of: bytes) + "\n"
            + Self.trustedPrefix + trustedComment + "\n" + Base64.text(of: globalSignature) + "\n"
    }

    /// - Throws: ``SigningError`` with code `commentUnwritable` for a comment that is too long or not one line.
    static func validate(untrustedComment: String, trustedComment: String) throws(SigningError) {
        for (comment, prefix, limit) in [
            (untrustedComment, untrustedPrefix, untrustedLimit), (trustedComment, trustedPrefix, trustedLimit),
        ] {
            let most = limit - prefix.utf8.count
            guard comment.utf8.count <= most, TextLines.isOneLine(comment) else {
                throw SigningError(
                    .commentUnwritable, reason: "commentForm", ["limit": .integer(most)])
            }
        }
    }
}

extension MinisignSignature.Algorithm {
    fileprivate init?(_ mark: some Sequence<UInt8>) {
        switch Array(mark) {
        case Self.legacy.mark: self = .legacy
        case Self.prehashed.mark: self = .prehashed
        default: return nil
        }
    }

    fileprivate var mark: [UInt8] {
        switch self {
        case .legacy: Array("Ed".utf8)
        case .prehashed: Array("ED".utf8)
        }
    }
}
