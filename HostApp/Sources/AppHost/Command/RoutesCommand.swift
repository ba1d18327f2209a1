import Console
import PluginCore
import PluginRouter
import PluginRuntime

/// The `hostapp routes` command.
let routesCommand = HostCommand(
    description: Command(
        "routes", summary: "List the routes of the app, or their changes.",
        discussion: """
            Lists every route that the installed plugins and bundle.json declare, with its owner, exposure and \
            interceptors; in a session also the routes that running code has registered. Keep the output of "hostapp routes --json" with your sources, and "hostapp routes --diff" \
            shows in review what a change does to the app's links: + added, - removed, ~ changed. Exits with status 1 \
            if any differs.
            """,
        options: [
            .flag("dot", help: "Print a graph for Graphviz."),
            .flag("mermaid", help: "Print a graph for Mermaid."),
            .value(
                "diff", placeholder: "FILE", kind: .file(ending: ".json"),
                help: "Compare them with a listing saved with --json."),
        ],
        examples: [
            Command.Example("hostapp routes"),
            Command.Example("hostapp routes --dot"),
            Command.Example("hostapp routes --diff routes.json", "what has changed since"),
        ]
    )
) { call in
    let old = call.parsed.value("diff")
    // A difference can also be printed as JSON; a graph cannot.
    let forms = ["dot", "mermaid"].filter(call.parsed.flag) + (call.isJSON ? ["json"] : old == nil ? [] : ["diff"])
    guard forms.count < 2, old == nil || forms == ["json"] || forms == ["diff"] else {
        throw UsageError(
            .conflictingOptions, subject: "--\(forms[0])", expected: ["--\(forms.count > 1 ? forms[1] : "diff")"],
            command: ["hostapp", "routes"])
    }
    let manager = call.manager
    let listing = try RouteListing(
        of: call.composition(), manager.registry, in: manager.sandbox, registered: manager.router.registeredRoutes)
    if let old {
        let before = try RouteListing.read(call.resolve(old))
        let difference = RouteDifference(from: before, to: listing)
        return Answer(
            text: difference.text(for: call.terminal), json: difference.json,
            status: difference.isEmpty ? .done : .different)
    }
    let graph = RouteGraph(listing)
    let text =
        call.parsed.flag("dot")
        ? graph.dot : call.parsed.flag("mermaid") ? graph.mermaid : listing.text(for: call.terminal)
    return Answer(text: text, json: listing.json)
}
