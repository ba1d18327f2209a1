import Console
import HostSystem
import PluginCore
import PluginLint

/// The `bundletool texts` command.
let textsCommand = ProgramCommand("texts", arguments: [projectArgument]) { parsed, _ in
    let project = try PluginProject.at(parsed.argument(projectArgument.name))
    guard let module = PluginProject.module(of: try project.outline().entry) else {
        return Answer(text: "This bundle has no code.\n", json: ["files": [String]()])
    }
    let files = try project.writeTexts(creating: module)
    return Answer(
        text: files.map { "Wrote \(printable($0))\n" }.joined(), json: ["files": files.map(\.string)])
}

extension PluginProject {
    /// The size of the largest file that is read, in bytes.
    private static let sizeLimit = ResourceValidator.sizeLimit

    /// Brings the constants of the texts up to date in all modules that have them.
    ///
    /// A module gets them by the command, or by an empty file of their name.
    ///
    /// - Parameter module: The module that gets them if it has none.
    /// - Returns: The files with constants.
    /// - Throws: ``CommandError`` for a file that somebody wrote, and for texts that cannot have constants.
    @discardableResult
    func writeTexts(creating module: String? = nil) throws -> [FilePath] {
        let sources = folder.appending("Sources")
        let modules = Set(sources.isFolder ? try Files.names(in: sources) : []).union([module].compactMap(\.self))
        let files = try modules.sorted().compactMap { name -> (path: FilePath, old: String)? in
            let path = sources.appending(name).appending(TextConstants.fileName)
            if !path.exists { return name == module ? (path, "") : nil }
            let old = String(decoding: try Files.bytes(of: path, limit: Self.sizeLimit), as: UTF8.self)
            if old.isEmpty || TextConstants.isGenerated(old) { return (path, old) }
            if name == module { throw CommandError.alreadyThere(path, remedy: "texts") }
            return nil
        }
        if files.isEmpty { return [] }
        let table = folder.appending(TextConstants.table)
        let bytes = try Files.bytes(of: table, limit: Self.sizeLimit, remedy: "table")
        func invalid(_ problems: [String]) -> CommandError {
            CommandError(.badInput, table, reason: "textsInvalid", details: problems)
        }
        let texts: [String: String]
        do {
            texts = try StrictJSON.decode([String: String].self, from: bytes)
        } catch {
            throw invalid(["\(ErrorReason.finding(error))"])
        }
        for (path, old) in files {
            let constants = TextConstants(of: texts, replacing: old)
            if !constants.problems.isEmpty { throw invalid(constants.problems) }
            if constants.source != old { try Files.replace(path, with: constants.source) }
        }
        return files.map(\.path)
    }

    /// Returns the name of the module that a library is built from, such as `Shop` for `libShop.so`.
    static func module(of library: String?) -> String? {
        library?.wholeMatch(of: /lib(\w+)\.so/).map { String($0.1) }
    }
}
