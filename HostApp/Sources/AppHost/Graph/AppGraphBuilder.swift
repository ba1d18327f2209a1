import HostSystem
import PageLayouts
import ExtensionHost
import PluginRouter
import PluginCore
import PluginExtension
import Registry

extension AppGraph {
    /// Collects the parts of an app from the manifests of its bundles, its composition and its layouts, without loading code.
    init(of composed: ComposedRoutes, _ registry: Registry, in sandbox: Sandbox) throws {
        self.init(title: composed.name.isEmpty ? "app" : composed.name)
        let listing = try RouteListing(of: composed, registry, in: sandbox)
        routes = listing.lines
        let bundles = try registry.active.all().map(\.active)
            .sorted { $0.identifier.text < $1.identifier.text }
        let manifests = try bundles.map { try registry.versions.manifest(of: $0) }
        let facts = [("identifier", title), ("start", composed.start)]
        add(GraphNode(kind: .host, name: "Host", id: "host", facts: facts))
        for (manifest, bundle) in zip(manifests, bundles) { add(GraphNode(manifest, team: bundle.seal.team)) }
        let required = manifests.flatMap(\.requirements).map(\.identifier.text)
        for identifier in required + routes.map(\.route.owner) { add(GraphNode(missing: identifier)) }
        for line in routes { add(GraphNode(line)) }
        for manifest in manifests { addParts(of: manifest) }
        for manifest in manifests { addRelations(of: manifest) }
        for line in routes {
            // A guard of a scheme is listed with the scheme's name before it.
            for action in line.interceptors.compactMap({ $0.split(separator: " ").last }) {
                add(GraphEdge(kind: .guards, from: GraphNode.id(of: line), to: "action \(action)"))
            }
        }
        for bundle in bundles { addLinks(of: bundle, in: sandbox) }
        for fallback in listing.fallbacks {
            guard let route = route(of: fallback.to) else { continue }
            add(GraphEdge(kind: .fallsBack, from: "host", to: route, detail: fallback.of))
        }
    }

    /// Returns the node of the route that matches an address; nil if there is none.
    private func route(of address: String) -> String? {
        guard let uri = try? ResourceURI(address) else { return nil }
        let matches = routes.filter { $0.route.pattern.matches(uri) }
        // Rules of the composition take precedence.
        return (matches.first { $0.source != "manifest" } ?? matches.first).map(GraphNode.id)
    }

    private mutating func addParts(of manifest: Manifest) {
        let owner = "bundle \(manifest.identifier)"
        func part(_ kind: GraphNode.Kind, _ name: String, _ facts: [(String, String?)] = []) -> GraphNode {
            GraphNode(kind: kind, name: name, id: "\(kind.rawValue) \(name)", parent: owner, facts: facts)
        }
        for target in manifest.targets {
            for action in target.actions {
                add(part(.action, "\(target.name).\(action.name)", [("exposure", action.exposure.rawValue)]))
            }
        }
        for service in manifest.services { add(part(.service, service)) }
        for point in manifest.extensionPoints { add(GraphNode(point: point.identifier, of: owner)) }
        let standard = ExtensionPoints.standard.map(\.identifier)
        for found in manifest.extensions {
            add(part(.extension, found.identifier.text, [("title", found.name), ("point", found.point)]))
            if standard.contains(found.point) { add(GraphNode(point: found.point, of: "host")) }
        }
    }

    /// Adds requirements, and the points of extensions, which may belong to bundles that come later in the list.
    private mutating func addRelations(of manifest: Manifest) {
        for requirement in manifest.requirements {
            add(
                GraphEdge(
                    kind: requirement.isOnDemand ? .requiresOnDemand : .requires,
                    from: "bundle \(manifest.identifier)", to: "bundle \(requirement.identifier)",
                    detail: requirement.versions.description))
        }
        for found in manifest.extensions {
            add(GraphEdge(kind: .extends, from: "extension \(found.identifier)", to: "point \(found.point)"))
        }
    }

    /// Adds the links of pages that are described by layouts.
    private mutating func addLinks(of bundle: PluginBundle, in sandbox: Sandbox) {
        let folder = sandbox.folder(of: bundle.identity, digest: bundle.digest)
        for line in routes where line.route.owner == bundle.identifier.text {
            let words = (line.declared.layout ?? "").split(separator: "/", maxSplits: 1).map(String.init)
            guard words.count == 2,
                let data = try? InputFile.content(of: folder.appending("Resources/Pages/\(words[0]).json")),
                let layout = try? StrictJSON.decode(PageLayout.self, from: data)
            else { continue }
            for action in layout.pages[words[1]]?.actions ?? [] {
                guard let target = route(of: action.open.replacing(#/\{[^}]*\}/#, with: "x")) else { continue }
                add(GraphEdge(kind: .links, from: GraphNode.id(of: line), to: target))
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
            ("identifier", manifest.identifier.text), ("version", manifest.version.description),
            ("kind", manifest.kind.rawValue), ("summary", manifest.summary.isEmpty ? nil : manifest.summary),
        ]
        facts += manifest.permissions.map { ("permission", $0.rawValue) }
        facts.append(("isolation", manifest.isolation == .host ? nil : manifest.isolation.rawValue))
        facts.append(("app groups", manifest.appGroups.isEmpty ? nil : manifest.appGroups.joined(separator: ", ")))
        self.init(
            kind: .bundle, name: manifest.name, id: "bundle \(manifest.identifier)", team: team, facts: facts)
    }

    /// An extension point of a bundle or of the host.
    fileprivate init(point: String, of owner: String) {
        self.init(kind: .extensionPoint, name: point, id: "point \(point)", parent: owner)
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
