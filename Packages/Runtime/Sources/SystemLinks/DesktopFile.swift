/// A desktop file, by which a program offers to open the links of some schemes.
///
/// See the Desktop Entry Specification.
struct DesktopFile {
    /// The line by which a host recognizes a file that a host has written.
    static let mark = "X-Atrium-Links=true"

    /// The name that people read.
    let name: String
    /// The program and its arguments, before the link.
    let command: [String]
    /// The schemes.
    let schemes: [String]

    /// The contents.
    var text: String {
        let words = command.map(Self.quoted) + ["%u"]
        return """
            [Desktop Entry]
            Type=Application
            Version=1.0
            Name=\(Self.escaped(name))
            Comment=Opens the links of \(Self.escaped(name))
            Exec=\(words.map(Self.escaped).joined(separator: " "))
            MimeType=\(schemes.map { "\(Self.type(of: $0));" }.joined())
            Terminal=true
            NoDisplay=true
            StartupNotify=false
            \(Self.mark)

            """
    }

    /// The type for links of a scheme.
    static func type(of scheme: String) -> String { "x-scheme-handler/\(scheme)" }

    /// Quotes a word of `Exec`, but only if it must be, because xdg-open understands no quotation marks.
    private static func quoted(_ word: String) -> String {
        var text = word.replacing("%", with: "%%")
        let reserved = " \t\n\"'\\><~|&;$*?#()`"
        guard word.isEmpty || word.contains(where: { reserved.contains($0) }) else { return text }
        for character in ["\\", "\"", "`", "$"] { text = text.replacing(character, with: "\\" + character) }
        return "\"\(text)\""
    }

    /// Escapes a value, after a word of it was quoted.
    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\n", with: "\\n").replacing("\t", with: "\\t")
            .replacing("\r", with: "\\r")
    }
}
