import FoundationEssentials
import HostSystem
import PluginCore

/// A check of a plugin's string tables: all languages have the same texts, including all that sources and layouts use.
///
/// ```swift
/// let problems = try StringsContract(PluginFolder()).problems()
/// #expect(problems == [])
/// ```
public struct StringsContract: Sendable {
    private let plugin: PluginFolder

    /// Creates a check for the plugin in a folder.
    public init(_ plugin: PluginFolder) {
        self.plugin = plugin
    }

    /// Returns all problems, one line each.
    ///
    /// Keys in the sources are found if they are literals, as in `string("home.title")`.
    ///
    /// - Throws: The errors of reading the files.
    public func problems() throws -> [String] {
        let tables = try self.tables()
        guard let english = tables["en"] else { return ["there is no en.lproj/Localizable.json"] }
        var problems: [String] = []
        for (language, table) in tables.sorted(by: { $0.key < $1.key }) where language != "en" {
            problems += Set(english.keys).subtracting(table.keys).sorted().map { "\(language) lacks \($0)" }
            problems += Set(table.keys).subtracting(english.keys).sorted().map {
                "en lacks \($0), which \(language) has"
            }
            for (key, text) in english.sorted(by: { $0.key < $1.key }) {
                guard let other = table[key], Self.holes(in: other) != Self.holes(in: text) else { continue }
                problems.append("\(key) does not take the same arguments in en and \(language)")
            }
        }
        let asked = try keys(in: "Sources", ending: ".swift", after: "string(\"")
            .union(keys(in: "Resources/Pages", ending: ".json", after: "\"@"))
        return problems + asked.subtracting(english.keys).sorted().map { "nothing is there for \($0)" }
    }

    private func tables() throws -> [String: [String: String]] {
        var tables: [String: [String: String]] = [:]
        for folder in try FileManager.default.contentsOfDirectory(atPath: plugin.resources.string) {
            guard folder.hasSuffix(".lproj") else { continue }
            let file = plugin.resources.appending(folder).appending("Localizable.json")
            let data = try Data(contentsOf: URL(filePath: file.string))
            tables[String(folder.dropLast(".lproj".count))] = try StrictJSON.decode(
                [String: String].self, from: [UInt8](data))
        }
        return tables
    }

    private func keys(in folder: String, ending: String, after mark: String) throws -> Set<String> {
        let root = plugin.root.appending(folder)
        // A plugin without page layouts has no folder for them.
        guard FileManager.default.fileExists(atPath: root.string) else { return [] }
        var keys: Set<String> = []
        for file in try FileManager.default.subpathsOfDirectory(atPath: root.string) where file.hasSuffix(ending) {
            let text = try String(contentsOf: URL(filePath: root.appending(file).string), encoding: .utf8)
            for piece in text.split(separator: mark, omittingEmptySubsequences: false).dropFirst() {
                let key = String(piece.prefix { $0 != "\"" })
                if !key.contains("\\") { keys.insert(key) }
            }
        }
        return keys
    }

    private static func holes(in text: String) -> Int {
        text.split(separator: "{}", omittingEmptySubsequences: false).count
    }
}
