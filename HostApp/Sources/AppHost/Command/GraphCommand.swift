import Console
import HostSystem
import PluginCatalog
import PluginCore
import PluginRuntime
import Registry
import SystemLinks

/// The `hostapp graph` command.
let graphCommand = HostCommand(
    description: Command(
        "graph", summary: "Draw the app: its bundles, Interfaces, routes, actions, extensions and teams.",
        discussion: """
            Draws what the installed plugins and bundle.json declare, and loads no code: requirements, guards, links of \
            layouts, extensions. What a plugin's code calls is not declared anywhere; with --calls FILE, a graph also has \
            the calls that a trace shows, which "hostapp --trace FILE COMMAND" writes. Observed calls have bold lines. SVG \
            is drawn by Graphviz from the DOT form.

            --diff compares with another version of the app. A folder is another sandbox and a file is a graph saved with \
            --format json, both taken as the earlier version; ID@VERSION shows what that version of a plugin in the \
            catalog would change, by its manifest. Without --format and --output, only the differences are printed: \
            + added, - removed, ~ changed. Exits with status 1 if any differs.
            """,
        options: [
            .value(
                "format", placeholder: "svg|dot|json",
                help: "The form of the graph; by default that of the output's name, or else svg."),
            .value("output", short: "o", placeholder: "FILE", help: "Write it to a file instead of standard output."),
            .value("calls", placeholder: "FILE", help: "Add the calls that a trace of this app shows."),
            .value("diff", placeholder: "DIR|FILE|ID@VERSION", help: "Compare it with another version of the app."),
        ],
        examples: [
            Command.Example("hostapp graph --output app.svg"),
            Command.Example("hostapp graph --calls trace.json --output calls.svg", "with the calls of a trace"),
            Command.Example("hostapp graph --diff com.example.app.shop@1.1.0", "what this version would change"),
        ]
    )
) { call in
    let format = try GraphFormat(of: call)
    let composed = try call.composition()
    var builder = try AppGraphBuilder(
        of: composed, call.manager.registry, in: call.manager.sandbox, converters: call.manager.offers.converters)
    if let file = call.parsed.value("calls") {
        builder.add(try Trace(document: InputFile.content(of: call.resolve(file)), named: file))
    }
    guard let other = call.parsed.value("diff") else {
        return try format.answer(try format.text(of: builder.graph, nil, in: call), json: builder.graph.json, in: call)
    }
    let (before, after) = try await compared(builder.graph, with: other, in: call, composed)
    let difference = GraphDifference(from: before, to: after)
    let status: Console.ExitStatus = difference.isEmpty ? .done : .different
    guard format.isChosen else {
        return Answer(text: difference.text(for: call.terminal), json: difference.json, status: status)
    }
    var answer = try format.answer(
        try format.text(of: difference.graph, difference, in: call), json: difference.json, in: call)
    answer.status = status
    return answer
}

/// The form in which a graph is written.
@MainActor
private struct GraphFormat {
    private enum Form: String, CaseIterable {
        case svg, dot, json
    }

    private let form: Form
    /// A Boolean value that indicates whether the user has asked for a drawing or a file.
    let isChosen: Bool

    init(of call: HostCall) throws(UsageError) {
        let (format, output) = (call.parsed.value("format"), call.parsed.value("output"))
        isChosen = format != nil || output != nil
        let ending = output.flatMap { $0.split(separator: ".").last.map(String.init) }
        // Such a file had a web page once; a drawing would not open in its place.
        guard let format = format ?? (ending == "html" ? ending : nil) else {
            form = call.isJSON && output == nil ? .json : ending.flatMap(Form.init) ?? .svg
            return
        }
        guard let form = Form(rawValue: format) else {
            throw call.parsed.invalid("--format", format, Form.allCases.map(\.rawValue))
        }
        guard !call.isJSON || output != nil || form == .json else {
            // Standard output has one JSON document.
            throw call.parsed.conflict("json", "output")
        }
        self.form = form
    }

    func text(of graph: AppGraph, _ difference: GraphDifference?, in call: HostCall) throws(AtriumError) -> String {
        switch form {
        case .svg: try Graphviz(searchPath: call.environment.searchPath).svg(of: graph.dot(difference))
        case .dot: graph.dot(difference)
        case .json: (difference?.json ?? graph.json).text(pretty: true) + "\n"
        }
    }

    func answer(_ text: String, json: JSONText, in call: HostCall) throws -> Answer {
        guard let output = call.parsed.value("output") else { return Answer(text: text, json: json) }
        let path = try call.resolve(output)
        try NamedFile.write(text, to: path)
        return Answer(text: "\(printable(path.string))\n", json: ["path": .string(path.string)])
    }
}

/// Reads what the option `--diff` names: a saved graph or another sandbox to compare from, or a version to compare with.
///
/// - Throws: ``AtriumError`` with code `fileUnknown`, `documentInvalid`, `bundleUnknown` and other codes of the catalog.
@MainActor
private func compared(
    _ graph: AppGraph, with word: String, in call: HostCall, _ composed: ComposedRoutes
) async throws -> (before: AppGraph, after: AppGraph) {
    let (manager, converters) = (call.manager, call.manager.offers.converters)
    let path = try call.resolve(word)
    if InputFile.isFolder(path) {
        let sandbox = Sandbox(root: path)
        return (try AppGraphBuilder(of: composed, Registry(sandbox), in: sandbox, converters: converters).graph, graph)
    }
    guard !InputFile.isThere(path), let identity = identity(word) else {
        return (try AppGraph(document: InputFile.content(of: path), named: word), graph)
    }
    let package = try await manager.search { try $0.catalog.package(identity) }
    let installed = try manager.registry.active.bundle(identity.identifier)?.active
    let member = AppGraphBuilder.Member(
        manifest: package.manifest, team: installed?.seal.team,
        folder: installed.map { manager.sandbox.folder(of: $0.identity, digest: $0.digest) })
    let after = try AppGraphBuilder(
        of: composed, manager.registry, in: manager.sandbox, replacing: [member], converters: converters)
    return (graph, after.graph)
}

private func identity(_ word: String) -> BundleIdentity? {
    let parts = word.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let identifier = BundleIdentifier(parts[0]), let version = SemanticVersion(parts[1])
    else { return nil }
    return BundleIdentity(identifier: identifier, version: version)
}
