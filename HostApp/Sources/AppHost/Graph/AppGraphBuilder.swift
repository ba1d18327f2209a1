import Console
import HostSystem
import PluginCore
import PluginExtension
import PluginRouter
import PluginRuntime
import Registry

/// Collects the parts of an app from the manifests of its bundles, its composition and its layouts, without loading code.
struct AppGraphBuilder {
    private(set) var graph: AppGraph
    private let routes: [RouteListing.Line]

    /// Builds the graph of a sandbox.
    init(of composed: ComposedRoutes, _ registry: Registry, in sandbox: Sandbox) throws {
        graph = AppGraph(title: composed.name.isEmpty ? "app" : composed.name)
        let listing = try RouteListing(of: composed, registry, in: sandbox)
        routes = listing.lines
        let bundles = try registry.active.all().map(\.active)
            .sorted { $0.identity.identifier.text < $1.identity.identifier.text }
        let manifests = try bundles.map { try registry.versions.manifest(of: $0) }
        addCards(zip(manifests, bundles.map(\.seal.team)), start: composed.start)
        for line in routes { graph.add(GraphNode(line)) }
        for manifest in manifests { addParts(of: manifest) }
        for manifest in manifests { addRequirements(of: manifest) }
        for line in routes { addGuards(of: line) }
        for bundle in bundles { addLinks(of: bundle, in: sandbox) }
        for fallback in listing.fallbacks {
            guard let route = route(of: fallback.to) else { continue }
            graph.add(GraphEdge(kind: .fallsBack, from: "host", to: route, detail: fallback.of))
        }
    }

    /// Adds the calls that a trace shows.
    mutating func add(_ trace: Trace) {
        var calls: [GraphEdge] = []
        for event in trace.events {
            let target: String? =
                switch event.cat {
                case "route": route(of: event.name)
                case "action": "action \(event.name)"
                case "extension": "extension \(event.name)"
                default: nil
                }
            guard let target, let caller = caller(of: event) else { continue }
            calls.append(GraphEdge(kind: .calls, from: caller, to: target, count: 1))
        }
        // The order in which calls happen to run does not matter to the drawing.
        for call in calls.sorted(by: { ($0.from, $0.to) < ($1.from, $1.to) }) { graph.add(call) }
    }

    private func caller(of event: Trace.Event) -> String? {
        // Only hosts run extensions, and their intervals name no caller.
        guard let caller = event.caller else { return event.cat == "extension" ? "host" : nil }
        for prefix in ["plugin ", "extension "] where caller.hasPrefix(prefix) {
            return "bundle \(caller.dropFirst(prefix.count))"
        }
        return "host"
    }

    /// Returns the node of the route that matches an address; nil if there is none.
    private func route(of address: String) -> String? {
        guard let uri = try? ResourceURI(address) else { return nil }
        let matches = routes.filter { $0.route.pattern.matches(uri) }
        // Rules of the composition take precedence.
        return (matches.first { $0.source != "manifest" } ?? matches.first).map(GraphNode.id)
    }

    private mutating func addCards(_ members: some Sequence<(Manifest, String)>, start: String?) {
        graph.add(
            GraphNode(
                kind: .host, name: "Host", id: "host", facts: [("identifier", graph.title), ("start", start)]))
        for (manifest, team) in members { graph.add(GraphNode(manifest, team: team)) }
        let required = members.flatMap { manifest, _ in manifest.requirements.map(\.identifier.text) }
        for identifier in required + routes.map(\.route.owner) { graph.add(GraphNode(missing: identifier)) }
    }

    private mutating func addParts(of manifest: Manifest) {
        let owner = "bundle \(manifest.identity.identifier)"
        for target in manifest.targets {
            for action in target.actions {
                let name = "\(target.name).\(action.name)"
                graph.add(
                    GraphNode(
                        kind: .action, name: name, id: "action \(name)", parent: owner,
                        facts: [("exposure", action.exposure.rawValue)]))
            }
        }
        for service in manifest.services {
            graph.add(GraphNode(kind: .service, name: service, id: "service \(service)", parent: owner))
        }
        for point in manifest.extensionPoints.map(\.identifier) {
            graph.add(GraphNode(kind: .extensionPoint, name: point, id: "point \(point)", parent: owner))
        }
        for found in manifest.extensions {
            graph.add(
                GraphNode(
                    kind: .extension, name: found.identifier.text, id: "extension \(found.identifier)", parent: owner,
                    facts: [("title", found.name), ("point", found.point)]))
            let point = "point \(found.point)"
            if graph.node(point) == nil, ExtensionPoints.standard.contains(where: { $0.identifier == found.point }) {
                graph.add(GraphNode(kind: .extensionPoint, name: found.point, id: point, parent: "host"))
            }
        }
    }

    private mutating func addRequirements(of manifest: Manifest) {
        let owner = "bundle \(manifest.identity.identifier)"
        for requirement in manifest.requirements {
            graph.add(
                GraphEdge(
                    kind: requirement.isOnDemand ? .requiresOnDemand : .requires, from: owner,
                    to: "bundle \(requirement.identifier)", detail: requirement.versions.description))
        }
        // The point may belong to a bundle that comes later in the list.
        for found in manifest.extensions {
            graph.add(
                GraphEdge(kind: .extends, from: "extension \(found.identifier)", to: "point \(found.point)"))
        }
    }

    private mutating func addGuards(of line: RouteListing.Line) {
        for interceptor in line.interceptors {
            // A guard of a scheme is listed with the scheme's name before it.
            let name = interceptor.split(separator: " ").last.map(String.init) ?? interceptor
            graph.add(GraphEdge(kind: .guards, from: GraphNode.id(of: line), to: "action \(name)"))
        }
    }

    /// Adds the links of pages that are described by layouts.
    private mutating func addLinks(of bundle: PluginBundle, in sandbox: Sandbox) {
        let folder = sandbox.folder(of: bundle.identity, digest: bundle.digest)
        for line in routes where line.route.owner == bundle.identity.identifier.text {
            let words = (line.declared.layout ?? "").split(separator: "/", maxSplits: 1).map(String.init)
            guard words.count == 2,
                let data = try? InputFile.content(of: folder.appending("Resources/Pages/\(words[0]).json")),
                let layout = try? StrictJSON.decode(PageLayout.self, from: data)
            else { continue }
            for action in layout.pages[words[1]]?.actions ?? [] {
                guard let target = route(of: action.open.replacing(#/\{[^}]*\}/#, with: "x")) else { continue }
                graph.add(GraphEdge(kind: .links, from: GraphNode.id(of: line), to: target))
            }
        }
    }
}

extension GraphNode {
    /// Returns the identifier of a route's node.
    static func id(of line: RouteListing.Line) -> String {
        "route \(line.route.owner) \(line.source) \(line.route.pattern.text)"
    }

    /// A bundle with the facts of its manifest.
    fileprivate init(_ manifest: Manifest, team: String?) {
        var facts: [(String, String?)] = [
            ("identifier", manifest.identity.identifier.text), ("version", manifest.identity.version.description),
            ("kind", manifest.kind.rawValue), ("summary", manifest.summary.isEmpty ? nil : manifest.summary),
        ]
        facts += manifest.permissions.map { ("permission", $0.rawValue) }
        facts.append(("isolation", manifest.isolation == .host ? nil : manifest.isolation.rawValue))
        facts.append(("app groups", manifest.appGroups.isEmpty ? nil : manifest.appGroups.joined(separator: ", ")))
        self.init(
            kind: .bundle, name: manifest.name, id: "bundle \(manifest.identity.identifier)", team: team, facts: facts)
    }

    /// A bundle that others name and that is not installed.
    fileprivate init(missing identifier: String) {
        let name = identifier.split(separator: ".").last.map(String.init) ?? identifier
        self.init(
            kind: .bundle, name: name, id: "bundle \(identifier)", isMissing: true,
            facts: [("identifier", identifier)])
    }

    /// A route with its facts.
    fileprivate init(_ line: RouteListing.Line) {
        let route = line.route
        let guards = line.interceptors.joined(separator: ", ")
        self.init(
            kind: .route, name: route.pattern.text, id: Self.id(of: line), parent: "bundle \(route.owner)",
            isMissing: !line.isInstalled,
            facts: [
                ("kind", route.kind.rawValue), ("exposure", route.exposure.rawValue), ("serves", line.service),
                ("declared in", line.source), ("priority", route.priority == 0 ? nil : String(route.priority)),
                ("deadline", line.deadline.map { "\($0) s" }), ("may decline", route.mayDecline ? "yes" : nil),
                ("interceptors", guards.isEmpty ? nil : guards),
            ])
    }
}
