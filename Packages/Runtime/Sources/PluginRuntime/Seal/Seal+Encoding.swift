extension Seal {
    /// The bytes of `seal.json`: the only ones that mean this seal.
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

    /// A file that may not be executed says nothing of it, as none did before this was sealed.
    private static func object(_ file: File) -> String {
        let start = "    {\"path\": \(quoted(file.path)), \"size\": \(file.size), \"sha256\": \(quoted(file.sha256))"
        return start + (file.isExecutable ? ", \"executable\": true}" : "}")
    }

    /// In a seal there are neither control characters nor backslashes.
    ///
    /// Byte by byte: an accent that follows a quotation mark makes another `Character` of it, and no other JSON.
    private static func quoted(_ text: String) -> String {
        let mark = UInt8(ascii: "\"")
        let bytes = text.utf8.flatMap { $0 == mark ? [UInt8(ascii: "\\"), mark] : [$0] }
        return "\"" + String(decoding: bytes, as: UTF8.self) + "\""
    }
}
