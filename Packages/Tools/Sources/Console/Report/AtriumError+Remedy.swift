import PluginCore

extension AtriumError {
    /// The remedy for the error's reason, for a subject that can be part of a command, or else for its code.
    ///
    /// It is `nil` for the code of a plugin.
    var knownRemedy: String? {
        let catalog = Localization.current
        guard let remedy = catalog.sentence(.remedies, code.name) else { return nil }
        if let special = reason.flatMap({ catalog.sentence(.reasonRemedies, $0.name) }) { return special }
        guard let command = catalog.sentence(.commands, code.name), nearest.isEmpty, Self.isWord(subject) else {
            return remedy
        }
        // The subject of an installed version is its identity, that of a package is its file.
        let isIdentity = subject.contains("@") && !subject.hasSuffix(".zip")
        guard isIdentity || !command.contains("{identity}") else { return remedy }
        return command.replacing("{id}", with: subject.prefix { $0 != "@" })
            .replacing("{subject}", with: subject).replacing("{identity}", with: subject)
    }

    /// Returns whether a text is an identifier that can be copied into a shell, because subjects can be arbitrary text.
    private static func isWord(_ text: String) -> Bool {
        guard text.utf8.count <= 255, text.utf8.contains(UInt8(ascii: ".")) else { return false }
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII
                && (scalar.properties.isAlphabetic || "0"..."9" ~= scalar || ".-+@".unicodeScalars.contains(scalar))
        }
        return isPlain && text.first?.isLetter == true
    }
}
