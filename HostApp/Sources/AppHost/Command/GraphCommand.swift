import PluginCore
import PluginRuntime
import Console

/// The `hostapp graph` command.
let graphCommand = HostCommand(
    "graph",
    options: [
        .value("format", placeholder: "svg|dot|json"), .value("output", short: "o", placeholder: "FILE"),
    ]
) { call in
    let form = try GraphForm(of: call)
    let graph = try AppGraph(of: call.composition(), call.registry, in: call.sandbox)
    let text =
        switch form {
        case .svg: try Graphviz(searchPath: call.environment.searchPath).svg(of: graph.dot)
        case .dot: graph.dot
        case .json: graph.json.text(pretty: true) + "\n"
        }
    guard let output = call.value("output") else { return Answer(text: text, json: graph.json) }
    let path = try call.resolve(output)
    try NamedFile.write(text, to: path)
    return Answer(text: "\(printable(path.string))\n", json: ["path": path])
}

/// The form in which a graph is written.
private enum GraphForm: String, CaseIterable {
    case svg, dot, json

    /// Returns the form that a user has asked for, also by the name of the output.
    @MainActor
    init(of call: HostCall) throws(UsageError) {
        let (format, output) = (call.value("format"), call.value("output"))
        let ending = output.flatMap { $0.split(separator: ".").last.map(String.init) }
        // Such a file had a web page once; a drawing would not open in its place.
        guard let format = format ?? (ending == "html" ? ending : nil) else {
            self = call.isJSON && output == nil ? .json : ending.flatMap(Self.init) ?? .svg
            return
        }
        self = try call.parsed.choice("--format", format)
        // Standard output has one JSON document.
        if call.isJSON, output == nil, self != .json { throw call.parsed.conflict("json", "output") }
    }
}
