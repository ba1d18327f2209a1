extension Seal {
    /// Returns the bytes of the seal's file, the only encoding of this seal.
    public func encoded() -> [UInt8] {
        var text = """
            {
              "formatVersion": \(Self.formatVersion),
              "team": \(Self.quoted(team)),
              "signedAt": \(Self.quoted(signedTime)),
              "files": [

            """
        text += files.map(Self.object).joined(separator: ",\n")
        return Array((text + "\n  ]\n}\n").utf8)
    }

    /// Returns the JSON of a file, without a false executable field, as in seals made before the field existed.
    private static func object(_ file: File) -> String {
        let start = "    {\"path\": \(quoted(file.path)), \"size\": \(file.size), \"sha256\": \(quoted(file.sha256))"
        return start + (file.isExecutable ? ", \"executable\": true}" : "}")
    }

    /// Quotes a text, which has neither control characters nor backslashes in a valid seal.
    ///
    /// Works on bytes: a combining accent after a quotation mark forms one `Character` with it, but is two characters in JSON.
    private static func quoted(_ text: String) -> String {
        let mark = UInt8(ascii: "\"")
        let bytes = text.utf8.flatMap { $0 == mark ? [UInt8(ascii: "\\"), mark] : [$0] }
        return "\"" + String(decoding: bytes, as: UTF8.self) + "\""
    }
}
