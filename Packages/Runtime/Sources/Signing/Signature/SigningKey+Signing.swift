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
        let prehash = Prehash()
        message.withUnsafeBytes { prehash.update($0) }
        return try sign(prehash, trustedComment: trustedComment, untrustedComment: untrustedComment)
    }

    /// Signs an incrementally hashed message and a comment. A prehash can be signed or verified only once.
    public func sign(
        _ prehash: Prehash, trustedComment: String, untrustedComment: String? = nil
    ) throws(SigningError) -> MinisignSignature {
        let untrustedComment = untrustedComment ?? "signature by key \(publicKey.id)"
        try MinisignSignature.validate(untrustedComment: untrustedComment, trustedComment: trustedComment)
        let signature = try handle.signature(of: try prehash.finish())
        let commented = MinisignSignature.signedWithComment(signature, trustedComment)
        return MinisignSignature(
            .prehashed, by: publicKey.id, untrustedComment: untrustedComment, trustedComment: trustedComment,
            signature: signature, globalSignature: try handle.signature(of: commented))
    }
}
