// A file can be signed in several places: export its bytes, sign each copy, and add the signatures of the copies.
extension SignedMetadata {
    /// Returns the file with the signatures of more keys. A signature of the same key is replaced.
    ///
    /// The content is not encoded again, so fields that this module does not know stay signed.
    public func signed(by keys: [SecretKey]) throws(TUFError) -> SignedMetadata {
        var added: [Signature] = []
        for key in keys { added.append(try key.signature(of: payload)) }
        return try adding(added)
    }

    /// Returns the file with more signatures. One of the same key is replaced.
    public func adding(_ added: [Signature]) throws(TUFError) -> SignedMetadata {
        let ids = Set(added.map(\.keyID))
        var file = try JSONValue(parsing: bytes).object("the file")
        let all = signatures.filter { !ids.contains($0.keyID) } + added
        file["signatures"] = .array(all.map(\.json))
        return try SignedMetadata(JSONValue.object(file).text)
    }

    /// Returns the file with the signatures of a copy that was signed elsewhere.
    ///
    /// - Throws: ``TUFError`` with code `editInvalid` if the copy has another content.
    public func adding(signaturesOf copy: SignedMetadata) throws(TUFError) -> SignedMetadata {
        guard copy.payload == payload else { throw TUFError(.editInvalid, detail: "signatures of another content") }
        return try adding(copy.signatures)
    }
}
