import PluginRuntime
import Console
import Doctor
import PluginCore
import PluginRouter

/// The `hostapp routes` command.
let routesCommand = HostCommand("routes") { call in
    let manager = call.manager
    let listing = try RouteListing(
        of: call.composition(), manager.registry, in: manager.sandbox, registered: manager.router.registeredRoutes)
    return Answer(text: listing.text(for: call.terminal), json: listing.json)
}

/// The `hostapp route` command.
let routeCommand = HostCommand("route", subcommands: [routeExplain], takesEmptyArguments: true)

/// The result of matching an address against patterns that are given on the command line.
struct GivenPatterns: JSONConvertible {
    private let list: RouteList
    private let uri: ResourceURI

    /// Parses the patterns and the address.
    ///
    /// - Throws: ``ReportedError``, for scripts with one of the three codes of the public matching cases.
    init(_ patterns: [String], _ text: String) throws(ReportedError) {
        do {
            list = try RouteList(
                withoutConflicts: patterns.map { text throws(AtriumError) in
                    Route(
                        pattern: try RoutePattern(text), kind: .page, owner: "--pattern",
                        service: .declared(name: "", layout: nil))
                })
            uri = try ResourceURI(text)
        } catch {
            var report = error.report
            report.code =
                switch error.code {
                case .patternMalformed: "badPattern"
                case .routeConflict: "conflict"
                case .uriMalformed: "malformedURL"
                default: error.code.name
                }
            throw ReportedError(report: report, exitStatus: error.exitStatus)
        }
    }

    /// The matching pattern and its captures as JSON.
    var json: JSONText {
        guard let match = list.matches(for: uri).first else { return ["pattern": JSONText.null] }
        return ["pattern": match.route.pattern.text] + Self.members(of: match.captures(from: uri), uri)
    }

    /// Returns the captures of a pattern and the query of the address as JSON members.
    static func members(of captures: RouteCaptures, _ uri: ResourceURI) -> JSONText {
        let texts = captures.values.items.sorted { $0.name < $1.name }.map { ($0.name, JSONText.string($0.value)) }
        var members: JSONText = ["parameters": JSONText.object(texts)]
        if let rest = captures.rest {
            members = members + ["rest": rest.segments]
            if rest.name != RoutePattern.defaultRestName { members = members + ["restName": rest.name] }
        }
        let items = (captures.takesFragment ? uri.addingFragmentParameters() : uri).parameters.items
        if !items.isEmpty { members = members + ["query": items.map { [$0.name, $0.value] }] }
        return members
    }

    func answer(for terminal: Terminal) -> Answer {
        let explanation = RouteExplanation(uri, among: list.routes)
        return Answer(text: explanation.text(for: terminal, naming: false), json: json)
    }
}

private let routeExplain = HostCommand(
    "explain", arguments: [.required("URL", kind: .host(.address))],
    options: [
        .value("pattern", short: "p", placeholder: "PATTERN", repeatable: true), .flag("external"),
        .value("plugin", placeholder: "ID", kind: .host(.installed)), .flag("object"),
    ]
) { call in
    let text = call.argument("URL")
    if call.parsed.count("pattern") > 0 {
        if let other = ["external", "plugin", "object"].first(where: { call.parsed.count($0) > 0 }) {
            // Patterns given on the command line have no owner.
            throw call.parsed.conflict("pattern", other)
        }
        return try GivenPatterns(call.parsed.values("pattern"), text).answer(for: call.terminal)
    }
    let uri = try ResourceURI(text)
    let plugin = call.value("plugin")
    if plugin != nil, call.origin != .host { throw call.parsed.conflict("external", "plugin") }
    let origin = plugin.map { RequestOrigin.plugin($0) } ?? call.origin
    let composed = try call.composition()
    // Only the router of the open session knows what running code has registered.
    let manager = try call.session == nil ? call.manager(for: composed, on: PageStack()) : call.manager
    let kinds: Set<RouteKind> = call.flag("object") ? [.object] : [.page, .handler]
    let explanation = try await manager.router.explain(uri, origin: origin, kinds: kinds)
    let absent = try composed.member(for: uri).flatMap { member in
        try BundleIdentifier(member.pkg).map(manager.offers.isAbsent) == true ? member.pkg : nil
    }
    return Answer(
        text: explanation.text(for: call.terminal, absent: absent), json: explanation.json(absent: absent))
}
