import Console

/// The option `--converter`, which names the converters that a plugin's hosts register in addition to the standard ones.
enum ConverterOption {
    static let declaration = Command.Option.value(
        "converter", short: "c", placeholder: "name", repeatable: true,
        help: "A converter, as in :item<name>, that every host of this plugin registers.")

    /// Returns the names from the command line.
    ///
    /// - Throws: `UsageError` for a name that cannot stand between `<` and `>` in a pattern.
    static func names(in parsed: ParsedCommand) throws(UsageError) -> [String] {
        let names = parsed.values("converter")
        for name in names where !isName(name) {
            throw UsageError(
                .invalidValue, subject: "--converter", expected: ["a name of letters, digits and underscores"],
                command: ["bundletool"] + parsed.path, value: name
            )
        }
        return names
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty
            && text.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || "0"..."9" ~= $0 || $0 == "_")
            }
    }
}
