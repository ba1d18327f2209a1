import Console

/// The Swift file with a constant for each text of a plugin, which `bundletool texts` writes.
///
/// A text without values is a property, and one with values a function: `item.name` becomes `itemName`, and `item.bought` with the text
/// `Bought {}` becomes `itemBought(_:)`.
package struct TextConstants {
    /// The name of the file in the folder of a module.
    package static let fileName = "Texts.swift"
    /// The table that the constants are of.
    package static let table = "Resources/en.lproj/Localizable.json"
    private static let firstLine = "// Generated from \(table) by \"bundletool texts\"; do not edit."
    private static let usualImport = "import PluginCore"

    /// The reasons why there is no file, such as two keys with the same name in Swift.
    package let problems: [String]
    /// The content of the file.
    package let source: String

    /// Creates the constants of the texts of a table.
    ///
    /// - Parameter old: the content of the file until now, which decides how PluginCore is imported: all files of a module have to agree on it.
    package init(of texts: [String: String], replacing old: String = "") {
        problems = Dictionary(grouping: texts.keys.sorted(), by: Self.name).sorted { $0.key < $1.key }.compactMap {
            name, keys in
            let list = keys.map { quoted($0) }.joined(separator: ", ")
            if name.isEmpty { return "\(list): a key needs a letter or digit of ASCII, for its name in Swift" }
            return keys.count == 1 ? nil : "\(list): each key needs a name of its own in Swift, and these have \(name)"
        }
        let members = texts.sorted { $0.key < $1.key }.map { key, text in
            let values = (0..<LintRule.arguments(in: text)).map { "value\($0 + 1)" }
            let (name, words) = (Self.name(of: key), [key.debugDescription] + values)
            let head = "func \(name)(\(values.map { "_ \($0): any Sendable" }.joined(separator: ", "))) ->"
            let text = "String { _resources.string(\(words.joined(separator: ", "))) }"
            return "    \(values.isEmpty ? "var \(name):" : head) \(text)\n"
        }
        let imported = old.split(separator: "\n").first { $0.hasSuffix(Self.usualImport) }
        source = """
            \(Self.firstLine)
            // swift-format-ignore-file
            \(imported ?? Self.usualImport[...])

            /// The texts of the plugin in the user's language.
            struct Texts: Sendable {
                private let _resources: BundleResources

                init(_ resources: BundleResources) { _resources = resources }

            \(members.joined())}

            extension BundleContext {
                /// The texts of the plugin in the user's language.
                var texts: Texts { Texts(resources) }
            }

            """
    }

    /// Returns whether a source file was written by `bundletool texts`.
    package static func isGenerated(_ source: String) -> Bool { source.hasPrefix(firstLine) }

    /// Returns the name of a key: its words, such as `homeTitle` for `home.title`; empty for a key without letters and digits.
    ///
    /// A reserved word, and a name that would begin with a digit, begin with an underscore.
    static func name(of key: String) -> String {
        let words = key.split { !$0.isASCII || !$0.isLetter && !$0.isNumber }
        guard let first = words.first else { return "" }
        let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
        let name = first.prefix(1).lowercased() + first.dropFirst() + rest.joined()
        return reservedWords.contains(name[...]) || name.first?.isNumber == true ? "_" + name : name
    }

    private static let reservedWords = Set(
        """
        as associatedtype await break case catch class continue default defer deinit do else enum extension \
        fallthrough false fileprivate for func guard if import in init inout internal is let nil operator \
        precedencegroup private protocol public repeat rethrows return self static struct subscript super switch throw \
        throws true try typealias var where while
        """.split(separator: " "))
}
