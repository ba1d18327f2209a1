import Console

/// The bundles of an app, what they declare, and the relations between them.
///
/// ```swift
/// var graph = AppGraph(title: "Store")
/// graph.add(GraphNode(kind: .bundle, name: "Shop", id: "bundle shop"))
/// graph.add(GraphNode(kind: .route, name: "shop/item/:id", id: "route shop/item/:id", parent: "bundle shop"))
/// ```
struct AppGraph: JSONConvertible {
    /// The name of the app.
    let title: String
    private(set) var nodes: [GraphNode] = []
    private(set) var edges: [GraphEdge] = []
    /// The routes of the app, by which addresses are found.
    var routes: [RouteListing.Line] = []
    /// The places of the nodes in the list by their identifiers.
    private(set) var positions: [String: Int] = [:]
    private var keys: Set<[String]> = []

    init(title: String) { self.title = title }

    /// Adds a node; a second one with the same identifier is ignored.
    mutating func add(_ node: GraphNode) {
        guard positions[node.id] == nil else { return }
        positions[node.id] = nodes.count
        nodes.append(node)
    }

    /// Adds a relation between two nodes of the graph; a second one of the same kind is ignored.
    mutating func add(_ edge: GraphEdge) {
        guard positions[edge.from] != nil, positions[edge.to] != nil,
            keys.insert([edge.kind.rawValue, edge.from, edge.to]).inserted
        else { return }
        edges.append(edge)
    }

    func node(_ id: String) -> GraphNode? { positions[id].map { nodes[$0] } }

    /// The bundles and the host with what each of them declares, grouped by their teams.
    var teams: [(team: String?, cards: [[GraphNode]])] {
        let parts = Dictionary(grouping: nodes) { $0.parent ?? "" }
        let cards = Dictionary(grouping: nodes.filter { $0.parent == nil }, by: \.team)
        return cards.sorted { $0.key ?? "" < $1.key ?? "" }.map { team, cards in
            (team, cards.map { [$0] + (parts[$0.id] ?? []) })
        }
    }

    /// The graph as a document.
    var json: JSONText {
        ["formatVersion": 1, "title": title, "nodes": nodes, "edges": edges]
    }
}

/// A part of an app: a bundle or the host, or something that one of them declares.
struct GraphNode: JSONConvertible {
    /// The kind of a part.
    enum Kind: String {
        /// The host with what its composition declares.
        case host
        case bundle
        case route
        /// An action of a target, which belongs to the bundle's Interface.
        case action
        /// A service, which belongs to the bundle's Interface.
        case service
        case `extension`
        case extensionPoint
    }

    let kind: Kind
    /// The name, such as a route's pattern.
    let name: String
    /// The identifier, unique in its graph and the same in graphs of other versions.
    let id: String
    /// The identifier of the bundle or host that declares it; nil for these themselves.
    var parent: String?
    /// The team that signed the bundle; nil for other parts, and if it is unknown.
    var team: String?
    /// A Boolean value that indicates whether the part is only named by others, as a bundle that is not installed.
    var isMissing = false
    /// The facts that a reader sees about it; those without a value are left out.
    var facts: [(name: String, value: String?)] = []

    /// Returns the value of a fact.
    func fact(_ name: String) -> String? { facts.first { $0.name == name }?.value }

    /// The name as a reader sees it; that of the route of an empty path is a slash.
    var label: String { name.isEmpty ? "/" : name }

    var json: JSONText {
        let facts: [JSONText] = facts.compactMap { name, value in value.map { ["name": name, "value": $0] } }
        return [
            "id": id, "kind": kind.rawValue, "name": name, "parent": parent, "team": team, "isMissing": isMissing,
            "facts": facts,
        ]
    }
}

/// A relation between two parts of an app.
struct GraphEdge: JSONConvertible {
    /// The kind of a relation.
    enum Kind: String {
        /// A bundle requires another one, which is installed with it.
        case requires
        /// A bundle requires another one, which is installed when it is first needed.
        case requiresOnDemand
        /// A route asks an action before it opens.
        case guards
        /// An extension is for an extension point.
        case extends
        /// A page that is described by data links to a route.
        case links
        /// Addresses without a route open this one instead.
        case fallsBack

        /// The relations whose verbs are not their names.
        fileprivate static let words: [Kind: String] = [
            .requiresOnDemand: "requires on demand", .guards: "asks first", .links: "links to",
            .fallsBack: "falls back to",
        ]
    }

    let kind: Kind
    /// The identifiers of both nodes.
    let from: String
    let to: String
    /// The range of versions of a requirement, or else an empty text.
    var detail = ""

    /// The relation as a reader sees it.
    var label: String { (Kind.words[kind] ?? kind.rawValue) + (detail.isEmpty ? "" : " \(detail)") }

    var json: JSONText {
        ["kind": kind.rawValue, "from": from, "to": to, "label": detail]
    }
}
