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
        throw call.parsed.conflict(forms[0], forms.count > 1 ? forms[1] : "diff")
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

/// The difference between two route listings, whose routes are identified by pattern and source.
struct RouteDifference {
    let lines: ListDifference<[String], RouteListing.Line>
    let fallbacks: ListDifference<RouteListing.Fallback, RouteListing.Fallback>

    init(from before: RouteListing, to after: RouteListing) {
        lines = ListDifference(from: before.lines, to: after.lines, by: { [$0.source, $0.pattern] }, comparing: \.self)
        fallbacks = ListDifference(from: before.fallbacks, to: after.fallbacks, by: \.self, comparing: \.self)
    }

    /// A Boolean value that indicates whether the listings are equal.
    var isEmpty: Bool { lines.entries.isEmpty && fallbacks.entries.isEmpty }

    func text(for terminal: Terminal) -> String {
        guard !isEmpty else { return localized("No route differs.\n") }
        let routes = lines.lines(
            { localized("\($0.pattern.isEmpty ? "/" : $0.pattern)  \($0.kind) of \($0.owner)") },
            fields: { $1.fields(differingFrom: $0) })
        let others = fallbacks.lines { fallback in
            localized("fallback of \(fallback.of.isEmpty ? localized("all") : fallback.of) to \(fallback.to)")
        }
        return (routes + others).text(for: terminal)
    }

    var json: JSONText {
        [
            "added": .array(lines.items(.added).map(\.json)), "removed": .array(lines.items(.removed).map(\.json)),
            "changed": .array(
                lines.entries.compactMap { entry in
                    entry.before.map { before in
                        [
                            "pattern": .string(entry.item.pattern), "source": .string(entry.item.source),
                            "fields": .array(entry.item.fields(differingFrom: before).map(\.json)),
                        ]
                    }
                }),
            "addedFallbacks": .array(fallbacks.items(.added).map(\.json)),
            "removedFallbacks": .array(fallbacks.items(.removed).map(\.json)),
        ]
    }
}

extension RouteListing.Line {
    /// Returns the fields that differ from those of the same route in an earlier listing.
    func fields(differingFrom before: RouteListing.Line) -> [ChangedField] {
        func seconds(_ deadline: Double?) -> String { deadline.map { "\($0) s" } ?? "-" }
        func word(_ isTrue: Bool) -> String { isTrue ? localized("yes") : localized("no") }
        func list(_ names: [String]) -> String { names.isEmpty ? "-" : names.joined(separator: ", ") }
        return ChangedField.differing([
            (localized("kind"), before.kind, kind), (localized("owner"), before.owner, owner),
            (localized("serves"), before.service, service), (localized("exposure"), before.exposure, exposure),
            (localized("priority"), String(before.priority), String(priority)),
            (localized("deadline"), seconds(before.deadline), seconds(deadline)),
            (localized("may decline"), word(before.mayDecline), word(mayDecline)),
            (localized("interceptors"), list(before.interceptors), list(interceptors)),
            (localized("installed"), word(before.isInstalled), word(isInstalled)),
        ])
    }
}
