import Foundation

/// The file with the texts of one language, in which each entry of a section has a line of its own.
struct LanguageTable: CheckedFile, Sendable {
    struct Entry: Sendable {
        let section: String
        let key: String
        let text: String
        let line: Int
    }

    static let folder = "Packages/Tools/share/atrium/"
    static let english = folder + "en.json"
    /// The section of the translations of texts in the sources.
    static let texts = "texts"

    let path: String
    let entries: [Entry]

    init(path: String, source: String) {
        self.path = path
        var (section, entries): (String, [Entry]) = ("", [])
        for (offset, line) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if let match = line.wholeMatch(of: #/  "(\w+)": \{\}?,?/#) {
                section = String(match.1)
            } else if let match = line.wholeMatch(of: #/    ("(?:[^"\\]|\\.)*"): ("(?:[^"\\]|\\.)*"),?/#),
                let pair = try? JSONDecoder().decode([String].self, from: Data("[\(match.1),\(match.2)]".utf8))
            {
                entries.append(Entry(section: section, key: pair[0], text: pair[1], line: offset + 1))
            }
        }
        self.entries = entries
    }

    var isEnglish: Bool { path == Self.english }

    /// Returns the entries of a section by their keys.
    func section(_ name: String) -> [String: Entry] {
        Dictionary(entries.filter { $0.section == name }.map { ($0.key, $0) }) { first, _ in first }
    }

    /// Returns the line for a text that has no translation yet.
    static func line(for key: String) -> String {
        let escaped = key.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
        return "\"\(escaped)\": \"\","
    }
}
