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

/// The difference between two route listings, with the added, removed and changed routes.
struct RouteDifference {
    /// A route that is in both listings with different fields.
    struct Change {
        let before: RouteListing.Line
        let after: RouteListing.Line

        /// The fields that differ, with their names and both values.
        var fields: [(name: String, before: String, after: String)] {
            let pairs: [(String, String, String)] = [
                (localized("kind"), before.kind, after.kind), (localized("owner"), before.owner, after.owner),
                (localized("serves"), before.service, after.service),
                (localized("exposure"), before.exposure, after.exposure),
                (localized("priority"), String(before.priority), String(after.priority)),
                (localized("deadline"), Self.seconds(before.deadline), Self.seconds(after.deadline)),
                (localized("may decline"), Self.word(before.mayDecline), Self.word(after.mayDecline)),
                (localized("interceptors"), Self.list(before.interceptors), Self.list(after.interceptors)),
                (localized("installed"), Self.word(before.isInstalled), Self.word(after.isInstalled)),
            ]
            return pairs.filter { $0.1 != $0.2 }
        }

        private static func seconds(_ deadline: Double?) -> String { deadline.map { "\($0) s" } ?? "-" }

        private static func word(_ isTrue: Bool) -> String { isTrue ? localized("yes") : localized("no") }

        private static func list(_ names: [String]) -> String {
            names.isEmpty ? "-" : names.joined(separator: ", ")
        }
    }

    let added: [RouteListing.Line]
    let removed: [RouteListing.Line]
    let changed: [Change]
    let removedFallbacks: [RouteListing.Fallback]
    let addedFallbacks: [RouteListing.Fallback]

    /// Compares two listings; routes are identified by pattern and source.
    init(from before: RouteListing, to after: RouteListing) {
        let known = Self.byKey(before)
        let now = Self.byKey(after)
        added = after.lines.filter { known[Self.key($0)] == nil }
        removed = before.lines.filter { now[Self.key($0)] == nil }
        changed = after.lines.compactMap { line in
            guard let other = known[Self.key(line)], other != line else { return nil }
            return Change(before: other, after: line)
        }
        addedFallbacks = after.fallbacks.filter { !before.fallbacks.contains($0) }
        removedFallbacks = before.fallbacks.filter { !after.fallbacks.contains($0) }
    }

    /// A Boolean value that indicates whether the listings are equal.
    var isEmpty: Bool {
        added.isEmpty && removed.isEmpty && changed.isEmpty && addedFallbacks.isEmpty && removedFallbacks.isEmpty
    }

    private static func key(_ line: RouteListing.Line) -> [String] { [line.source, line.pattern] }

    private static func byKey(_ listing: RouteListing) -> [[String]: RouteListing.Line] {
        Dictionary(listing.lines.map { (key($0), $0) }) { first, _ in first }
    }
}

extension RouteDifference {
    /// Renders added routes with `+`, removed ones with `-`, and changed ones with `~` and their changed fields.
    func text(for terminal: Terminal) -> String {
        guard !isEmpty else { return localized("No route differs.\n") }
        var lines: [String] = []
        for line in removed { lines.append(terminal.styled("- " + Self.words(line), .red)) }
        for line in added { lines.append(terminal.styled("+ " + Self.words(line), .green)) }
        for fallback in removedFallbacks { lines.append(terminal.styled("- " + Self.words(fallback), .red)) }
        for fallback in addedFallbacks { lines.append(terminal.styled("+ " + Self.words(fallback), .green)) }
        for change in changed {
            lines.append(terminal.styled("~ " + Self.words(change.after), .yellow))
            for (name, before, after) in change.fields {
                lines.append("    \(name): \(printable(before)) -> \(printable(after))")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    var json: JSONText {
        [
            "added": .array(added.map(\.json)), "removed": .array(removed.map(\.json)),
            "changed": .array(
                changed.map { change in
                    [
                        "pattern": .string(change.after.pattern), "source": .string(change.after.source),
                        "fields": .array(
                            change.fields.map {
                                ["name": .string($0.name), "before": .string($0.before), "after": .string($0.after)]
                            }),
                    ]
                }),
            "addedFallbacks": .array(addedFallbacks.map(\.json)),
            "removedFallbacks": .array(removedFallbacks.map(\.json)),
        ]
    }

    private static func words(_ fallback: RouteListing.Fallback) -> String {
        printable(localized("fallback of \(fallback.of.isEmpty ? localized("all") : fallback.of) to \(fallback.to)"))
    }

    private static func words(_ line: RouteListing.Line) -> String {
        let pattern = line.pattern.isEmpty ? "/" : line.pattern
        return printable(localized("\(pattern)  \(line.kind) of \(line.owner)"))
    }
}
