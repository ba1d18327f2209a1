import LibCrypto
import PluginCore

/// A signature in minisign's format with the identifier of its key and a signed comment.
///
/// ```swift
/// let signature = try MinisignSignature(text)
/// try signature.verify(message, by: key)
/// print(signature.trustedComment)
/// ```
public struct MinisignSignature: Hashable, Sendable {
    /// The signed data: the message or its hash.
    public enum Algorithm: String, Sendable {
        /// The message itself, as minisign before 0.10 signed it by default.
        case legacy = "Ed"
        /// The BLAKE2b-512 hash of the message.
        case prehashed = "ED"
    }

    /// The signed data.
    public let algorithm: Algorithm
    /// The identifier of the key that claims to have signed.
    public let keyID: KeyID
    /// The comment that is not signed.
    public let untrustedComment: String
    /// The comment that is signed together with the message. It can be trusted only after verification.
    public let trustedComment: String
    /// The signature of the message, 64 bytes.
    let signature: [UInt8]
    /// The signature of the first signature and the trusted comment, 64 bytes.
    let globalSignature: [UInt8]

    /// Returns the data of the global signature.
    static func signedWithComment(_ signature: [UInt8], _ trustedComment: String) -> [UInt8] {
        signature + Array(trustedComment.utf8)
    }
}

extension SigningKey {
    /// Signs the hash of a message and a comment, like the sign command of minisign.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - trustedComment: One line of at most 8,173 bytes, which is also signed.
    ///   - untrustedComment: One line of at most 1,003 bytes, which is not signed. By default, it names the key.
    /// - Throws: ``SigningError`` with code `commentUnwritable` or `cryptoFailed`.
    public func sign(
        _ message: [UInt8], trustedComment: String, untrustedComment: String? = nil
    ) throws(SigningError) -> MinisignSignature {
        let untrustedComment = untrustedComment ?? "signature by key \(publicKey.id)"
        try MinisignSignature.validate(untrustedComment: untrustedComment, trustedComment: trustedComment)
        let signature = try signed(Hash.blake2b(message))
        let commented = MinisignSignature.signedWithComment(signature, trustedComment)
        return MinisignSignature(
            algorithm: .prehashed, keyID: publicKey.id, untrustedComment: untrustedComment,
            trustedComment: trustedComment, signature: signature, globalSignature: try signed(commented))
    }

    private func signed(_ message: [UInt8]) throws(SigningError) -> [UInt8] {
        guard let signature = key.signature(of: message) else { throw .crypto("libcryptoSign") }
        return signature
    }
}

extension MinisignSignature {
    /// Verifies that a key has signed the message and the trusted comment.
    ///
    /// - Throws: ``SigningError`` with code `keyMismatch` for a signature of another key, `signatureInvalid` for another message, and
    ///   `commentInvalid` for another comment.
    public func verify(_ message: [UInt8], by key: VerifyingKey) throws(SigningError) {
        guard keyID == key.id else {
            throw SigningError(
                .keyMismatch, reason: "signedWithOtherKey", ["key": "\(keyID)", "expected": "\(key.id)"])
        }
        let signed = algorithm == .legacy ? message : try Hash.blake2b(message)
        guard try key.isSignature(signature, of: signed) else {
            throw SigningError(.signatureInvalid, reason: "contentNotSigned", ["key": "\(keyID)"])
        }
        let commented = Self.signedWithComment(signature, trustedComment)
        guard try key.isSignature(globalSignature, of: commented) else {
            throw SigningError(.commentInvalid, reason: "commentNotSigned", ["key": "\(keyID)"])
        }
    }

    private static let untrustedPrefix = VerifyingKey.comment
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
        guard let bytes = Base64.bytes(of: lines[1], count: 74),
            let algorithm = Algorithm(rawValue: String(decoding: bytes.prefix(2), as: UTF8.self))
        else { throw SigningError(.malformed, reason: "signatureSecondLine") }
        let trusted = try Self.comment(lines[2], behind: Self.trustedPrefix, limit: Self.trustedLimit)
        guard let global = Base64.bytes(of: lines[3], count: 64) else {
            throw SigningError(.malformed, reason: "signatureFourthLine")
        }
        self.init(
            algorithm: algorithm, keyID: KeyID(bytes[2..<10]), untrustedComment: untrusted, trustedComment: trusted,
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
        let bytes = Array(algorithm.rawValue.utf8) + keyID.bytes + signature
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
