import PluginCore

extension MinisignSignature {
    /// Verifies that a key has signed the message and the trusted comment.
    ///
    /// - Throws: ``SigningError`` with code `keyMismatch` for a signature of another key, `signatureInvalid` for another message, and
    ///   `commentInvalid` for another comment.
    public func verify(_ message: [UInt8], by key: VerifyingKey) throws(SigningError) {
        switch algorithm {
        case .legacy: try verify(signed: message, by: key)
        case .prehashed:
            let prehash = Prehash()
            message.withUnsafeBytes { prehash.update($0) }
            try verify(prehash, by: key)
        }
    }

    /// Verifies that a key has signed an incrementally hashed message and the trusted comment.
    ///
    /// An ``Algorithm/legacy`` signature cannot be verified in this way and fails with `signatureInvalid`.
    public func verify(_ prehash: Prehash, by key: VerifyingKey) throws(SigningError) {
        guard algorithm == .prehashed else {
            throw SigningError(.signatureInvalid, reason: "signatureNotOfHash")
        }
        try verify(signed: try prehash.finish(), by: key)
    }

    private func verify(signed: [UInt8], by key: VerifyingKey) throws(SigningError) {
        guard keyID == key.id else {
            throw SigningError(
                .keyMismatch, reason: "signedWithOtherKey", ["key": "\(keyID)", "expected": "\(key.id)"])
        }
        let handle = try KeyHandle(publicKey: key.point)
        guard try handle.isSignature(signature, of: signed) else {
            throw SigningError(.signatureInvalid, reason: "contentNotSigned", ["key": "\(keyID)"])
        }
        let commented = Self.signedWithComment(signature, trustedComment)
        guard try handle.isSignature(globalSignature, of: commented) else {
            throw SigningError(.commentInvalid, reason: "commentNotSigned", ["key": "\(keyID)"])
        }
    }
}
