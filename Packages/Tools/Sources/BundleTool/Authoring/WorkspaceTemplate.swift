import PluginCore

/// A new workspace: the repository of an app, with its host, two or more plugins that call each other, and its tests.
///
/// The file `workspace-template.txt` has the files that are not those of a plugin. The line `=== PATH: SERVICE` begins a file for a service that
/// runs the tests; `@each,@` repeats a line for each plugin.
struct WorkspaceTemplate {
    /// The services for which there is a file that runs the tests.
    static let services = ["github", "gitlab"]

    /// The name of the app, such as `Acme`; the host's program has it in lower case.
    let name: String
    /// The beginning of the plugins' identifiers, such as `com.acme`.
    let team: BundleIdentifier
    /// The names of the plugins, each of which calls the next.
    let modules: [String]
    /// The service that runs the tests after each change.
    let service: String?

    /// Returns all files.
    ///
    /// - Throws: ``AtriumError`` if the program is not complete.
    func files() throws -> [(path: String, content: String)] {
        let own = try PluginTemplate.sections(of: "workspace-template.txt").compactMap {
            head, lines -> (String, String)? in
            guard let path = head.first, head.count == 1 || head[1] == service?[...] else { return nil }
            return (filled(path), lines.flatMap(written).joined(separator: "\n"))
        }
        let plugins = try modules.enumerated().flatMap { index, module -> [(String, String)] in
            guard let identifier = identifier(of: module) else { return [] }
            let template = PluginTemplate(
                name: module, identifier: identifier, kind: .app, extensions: [], hasInterface: true,
                isModule: true, neighbor: modules[(index + 1) % modules.count])
            return try template.files().map { ("Plugins/\(module)/\($0.path)", $0.content) }
        }
        return own + plugins
    }

    /// Returns the identifier of a plugin; `nil` if it would be too long.
    func identifier(of module: String) -> BundleIdentifier? { BundleIdentifier("\(team).\(module.lowercased())") }

    private func written(_ line: Substring) -> [String] {
        guard let match = line.wholeMatch(of: /@each,@(.*)/) else { return [filled(line)] }
        return modules.map { module in
            let values = ["SEGMENT": module.lowercased(), "IDENTIFIER": "\(team).\(module.lowercased())"]
            return filled(match.1, values) + (module == modules.last ? "" : ",")
        }
    }

    private func filled(_ text: Substring, _ more: [String: String] = [:]) -> String {
        let values = [
            "NAME": name, "PROGRAM": name.lowercased(), "FIRST": modules[0], "FIRSTSEGMENT": modules[0].lowercased(),
            "SECOND": modules[1], "NAMES": "[\(modules.map { "\"\($0)\"" }.joined(separator: ", "))]",
        ]
        return values.merging(more) { $1 }.reduce(String(text)) { $0.replacing("@\($1.key)@", with: $1.value) }
    }
}
