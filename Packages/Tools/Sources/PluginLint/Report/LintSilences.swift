import Console
package import PluginCore

/// The codes that an author has silenced: those of `lint.json`, and those of the command line.
///
/// ```json
/// { "allow": { "icon-missing": "Our catalog shows no icons." } }
/// ```
package struct LintSilences: Sendable {
    /// The name of the file in the plugin's folder.
    package static let fileName = "lint.json"
    /// The size of the largest file that is read, in bytes.
    package static let sizeLimit = 1 << 16

    /// The reasons by code.
    package private(set) var reasons: [String: String] = [:]
    private var places: [String: String] = [:]

    package init() {}

    /// Returns where a code is silenced.
    func place(of code: String) -> String { places[code] ?? Self.fileName }

    /// Adds a code of the command line, which must be that of a rule.
    package mutating func allow(_ code: String) {
        reasons[code] = "--allow"
        places[code] = "--allow"
    }

    /// Reads a file.
    ///
    /// - Throws: ``LintError`` for anything but an object with reasons by code.
    package init(_ bytes: [UInt8], of path: FilePath) throws(LintError) {
        let file: [String: [String: String]]
        do {
            file = try StrictJSON.decode([String: [String: String]].self, from: bytes)
        } catch {
            throw .fileInvalid(path, [StrictJSON.finding(error)])
        }
        var problems = file.keys.filter { $0 != "allow" }.sorted().map {
            "\(quoted($0)): unknown field; expected \"allow\""
        }
        reasons = file["allow"] ?? [:]
        for (code, reason) in reasons.sorted(by: { $0.key < $1.key }) {
            if LintRule.named(code) == nil {
                let nearest = Nearest.words(to: code, in: LintRule.all.map(\.code)).first
                problems.append(
                    "allow: there is no code \(quoted(code))" + (nearest.map { "; did you mean \"\($0)\"?" } ?? ""))
            }
            if !reason.contains(where: { !$0.isWhitespace }) {
                problems.append("allow.\(printable(code)): the reason is empty; say why the plugin is right")
            }
        }
        guard problems.isEmpty else { throw .fileInvalid(path, problems) }
    }
}

/// An error of `bundletool lint` itself.
package enum LintError: Error, Sendable, Equatable {
    /// The file with silenced codes is not valid.
    case fileInvalid(FilePath, [String])
    /// A folder is neither a published catalog nor a folder of packages.
    case noCatalog(FilePath)
}
