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
    private static func quoted(_ text: String) -> String {
        "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"") + "\""
    }
}
