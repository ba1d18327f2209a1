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
        text += files.map { file in
            "    {\"path\": \(Self.quoted(file.path)), \"size\": \(file.size), \"sha256\": \(Self.quoted(file.sha256))}"
        }
        .joined(separator: ",\n")
        return Array((text + "\n  ]\n}\n").utf8)
    }

    /// In a seal there are neither control characters nor backslashes.
    private static func quoted(_ text: String) -> String {
        "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"") + "\""
    }
}
