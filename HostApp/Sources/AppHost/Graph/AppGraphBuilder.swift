import Console
import HostSystem
import PluginCore
import PluginRouter
import PluginRuntime
import Registry

/// Collects the parts of an app from the manifests of its bundles, its composition and its layouts, without loading code.
struct AppGraphBuilder {
    /// A bundle with its manifest.
    struct Member {
        let manifest: Manifest
        let team: String?
        /// The folder of the installed version, in which the layouts are.
        let folder: FilePath?
    }

    private(set) var graph: AppGraph
    private let routes: [(line: RouteListing.Line, pattern: RoutePattern)]

    /// Builds the graph of a list of bundles and the routes of an app.
    ///
    /// - Parameters:
    ///   - start: the address that opens at start.
    ///   - converters: the types that captures can be converted to.
    init(
        title: String, start: String?, members: [Member], listing: RouteListing,
        converters: RouteConverters = .standard
    ) {
        graph = AppGraph(title: title)
        self.routes = listing.lines.compactMap { line in
            (try? RoutePattern(line.pattern, converters: converters)).map { (line, $0) }
        }
        let routes = self.routes.map(\.line)
        addCards(members, routes, start)
        for line in routes { graph.add(GraphNode(line)) }
        for member in members { addParts(of: member.manifest) }
        for member in members { addRequirements(of: member.manifest) }
        for line in routes { addGuards(of: line) }
        for member in members { addLinks(of: member) }
        for fallback in listing.fallbacks {
            guard let route = route(of: fallback.to) else { continue }
            graph.add(GraphEdge(.fallsBack, from: "host", to: route, label: fallback.of))
        }
    }

    /// Builds the graph of a sandbox.
    ///
    /// - Parameter replacing: versions that take the place of the installed ones.
    init(
        of composed: ComposedRoutes, _ registry: Registry, in sandbox: Sandbox,
        replacing replacements: [Member] = [], converters: RouteConverters
    ) throws {
        let replaced = Set(replacements.map(\.manifest.identity.identifier))
        var members = try registry.active.all().filter { !replaced.contains($0.active.identity.identifier) }.map {
            Member(
                manifest: try registry.versions.manifest(of: $0.active), team: $0.active.seal.team,
                folder: sandbox.folder(of: $0.active.identity, digest: $0.active.digest))
        }
        members += replacements
        members.sort { $0.manifest.identity.identifier.text < $1.manifest.identity.identifier.text }
        var listing = try RouteListing(of: composed, registry, in: sandbox)
        if !replacements.isEmpty {
            let texts = Set(replaced.map(\.text))
            var lines = listing.lines.filter { $0.source != "manifest" || !texts.contains($0.owner) }
            for replacement in replacements {
                lines += try RouteListing.lines(of: replacement.manifest, in: composed, converters: converters)
            }
            listing = RouteListing(lines, fallbacks: listing.fallbacks)
        }
        self.init(
            title: composed.name.isEmpty ? "app" : composed.name, start: composed.start, members: members,
            listing: listing, converters: converters)
    }
}

extension AppGraphBuilder {
    /// Adds the calls that a trace shows.
    mutating func add(_ trace: Trace) {
        var calls: [GraphEdge] = []
        for event in trace.events {
            let target: String? =
                switch event.category {
                case "route": route(of: event.name)
                case "action": "action \(event.name)"
                case "extension": "extension \(event.name)"
                default: nil
                }
            guard let target, let caller = caller(of: event) else { continue }
            calls.append(GraphEdge(.calls, from: caller, to: target, count: 1))
        }
        // The order in which calls happen to run does not matter to the drawing.
        for call in calls.sorted(by: { ($0.from, $0.to) < ($1.from, $1.to) }) { graph.add(call) }
    }

    private func caller(of event: Trace.Event) -> String? {
        // Only hosts run extensions, and their intervals name no caller.
        guard let caller = event.caller else { return event.category == "extension" ? "host" : nil }
        for prefix in ["plugin ", "extension "] where caller.hasPrefix(prefix) {
            return "bundle \(caller.dropFirst(prefix.count))"
        }
        return "host"
    }

    /// Returns the node of the route that matches an address; nil if there is none.
    private func route(of address: String) -> String? {
        guard let uri = try? ResourceURI(address) else { return nil }
        let matches = routes.filter { $0.pattern.matches(uri) }.map(\.line)
        // Rules of the composition take precedence.
        return (matches.first { $0.source != "manifest" } ?? matches.first).map(GraphNode.id)
    }

    private mutating func addCards(_ members: [Member], _ routes: [RouteListing.Line], _ start: String?) {
        var facts = [GraphNode.Fact("identifier", graph.title)]
        if let start { facts.append(.init("start", start)) }
        graph.add(GraphNode(.host, "Host", id: "host", facts: facts))
        for member in members { graph.add(GraphNode(member.manifest, team: member.team)) }
        let named = members.flatMap { $0.manifest.requirements.map(\.identifier.text) } + routes.map(\.owner)
        for identifier in named { graph.add(GraphNode(missing: identifier)) }
    }

    private mutating func addParts(of manifest: Manifest) {
        let owner = "bundle \(manifest.identity.identifier)"
        for target in manifest.targets {
            for action in target.actions {
                let name = "\(target.name).\(action.name)"
                graph.add(
                    GraphNode(
                        .action, name, id: "action \(name)", parent: owner,
                        facts: [.init("exposure", action.exposure.rawValue)]))
            }
        }
        for service in manifest.services {
            graph.add(GraphNode(.service, service, id: "service \(service)", parent: owner))
        }
        for point in manifest.extensionPoints {
            graph.add(GraphNode(.extensionPoint, point.identifier, id: "point \(point.identifier)", parent: owner))
        }
        for found in manifest.extensions {
            graph.add(
                GraphNode(
                    .extension, found.identifier.text, id: "extension \(found.identifier)", parent: owner,
                    facts: [.init("title", found.name), .init("point", found.point)]))
            let point = "point \(found.point)"
            if graph.node(point) == nil, ExtensionPoints.standard.contains(where: { $0.identifier == found.point }) {
                graph.add(GraphNode(.extensionPoint, found.point, id: point, parent: "host"))
            }
        }
    }

    private mutating func addRequirements(of manifest: Manifest) {
        let owner = "bundle \(manifest.identity.identifier)"
        for requirement in manifest.requirements {
            graph.add(
                GraphEdge(
                    requirement.isOnDemand ? .requiresOnDemand : .requires, from: owner,
                    to: "bundle \(requirement.identifier)", label: requirement.versions.description))
        }
        // The point may belong to a bundle that comes later in the list.
        for found in manifest.extensions {
            graph.add(GraphEdge(.extends, from: "extension \(found.identifier)", to: "point \(found.point)"))
        }
    }

    private mutating func addGuards(of line: RouteListing.Line) {
        for interceptor in line.interceptors {
            // A guard of a scheme is listed with the scheme's name before it.
            let name = interceptor.split(separator: " ").last.map(String.init) ?? interceptor
            graph.add(GraphEdge(.guards, from: GraphNode.id(of: line), to: "action \(name)"))
        }
    }

    /// Adds the links of pages that are described by layouts.
    private mutating func addLinks(of member: Member) {
        guard let folder = member.folder else { return }
        for (line, _) in routes where line.owner == member.manifest.identity.identifier.text {
            let words = (line.layout ?? "").split(separator: "/", maxSplits: 1).map(String.init)
            guard words.count == 2,
                let data = try? InputFile.content(of: folder.appending("Resources/Pages/\(words[0]).json")),
                let layout = try? StrictJSON.decode(PageLayout.self, from: data)
            else { continue }
            for action in layout.pages[words[1]]?.actions ?? [] {
                guard let target = route(of: action.open.replacing(#/\{[^}]*\}/#, with: "x")) else { continue }
                graph.add(GraphEdge(.links, from: GraphNode.id(of: line), to: target))
            }
        }
    }
}

extension GraphNode {
    /// Returns the identifier of a route's node.
    static func id(of line: RouteListing.Line) -> String { "route \(line.owner) \(line.source) \(line.pattern)" }

    /// A bundle with the facts of its manifest.
    init(_ manifest: Manifest, team: String?) {
        var facts = [
            ("identifier", manifest.identity.identifier.text), ("version", manifest.identity.version.description),
            ("kind", manifest.kind.rawValue), ("summary", manifest.summary.isEmpty ? nil : manifest.summary),
        ]
        facts += manifest.permissions.map { ("permission", $0.rawValue) }
        facts.append(("isolation", manifest.isolation == .host ? nil : manifest.isolation.rawValue))
        facts.append(("app groups", manifest.appGroups.isEmpty ? nil : manifest.appGroups.joined(separator: ", ")))
        self.init(
            .bundle, manifest.name, id: "bundle \(manifest.identity.identifier)", team: team, facts: Fact.list(facts))
    }

    /// A bundle that others name and that is not installed.
    init(missing identifier: String) {
        let name = identifier.split(separator: ".").last.map(String.init) ?? identifier
        self.init(
            .bundle, name, id: "bundle \(identifier)", isMissing: true, facts: [Fact("identifier", identifier)])
    }

    /// A route with its facts.
    init(_ line: RouteListing.Line) {
        let facts = Fact.list([
            ("kind", line.kind), ("exposure", line.exposure), ("serves", line.service), ("declared in", line.source),
            ("priority", line.priority == 0 ? nil : String(line.priority)),
            ("deadline", line.deadline.map { "\($0) s" }), ("may decline", line.mayDecline ? "yes" : nil),
            ("interceptors", line.interceptors.isEmpty ? nil : line.interceptors.joined(separator: ", ")),
        ])
        self.init(
            .route, line.pattern, id: Self.id(of: line), parent: "bundle \(line.owner)", isMissing: !line.isInstalled,
            facts: facts)
    }
}

extension GraphNode.Fact {
    /// Returns the facts that have a value.
    fileprivate static func list(_ facts: [(name: String, value: String?)]) -> [GraphNode.Fact] {
        facts.compactMap { name, value in value.map { GraphNode.Fact(name, $0) } }
    }
}
