import Console
import HostSystem
import PluginCore

/// The bundles of an app, what they declare, and the relations between them.
///
/// ```swift
/// var graph = AppGraph(title: "Store")
/// graph.add(GraphNode(.bundle, "Shop", id: "bundle shop"))
/// graph.add(GraphNode(.route, "shop/item/:id", id: "route shop/item/:id", parent: "bundle shop"))
/// ```
struct AppGraph: Hashable, Sendable {
    /// The name of the app.
    let title: String
    private(set) var nodes: [GraphNode] = []
    private(set) var edges: [GraphEdge] = []
    private var positions: [String: Int] = [:]
    private var keys: [[String]: Int] = [:]

    init(title: String) { self.title = title }

    /// Adds a node; a second one with the same identifier is ignored.
    mutating func add(_ node: GraphNode) {
        guard positions[node.id] == nil else { return }
        positions[node.id] = nodes.count
        nodes.append(node)
    }

    /// Adds a relation between two nodes of the graph; another one of the same kind adds to its count.
    mutating func add(_ edge: GraphEdge) {
        guard positions[edge.from] != nil, positions[edge.to] != nil else { return }
        if let known = keys[edge.key] {
            let old = edges[known]
            edges[known] = GraphEdge(
                old.kind, from: old.from, to: old.to, label: old.label, count: old.count + edge.count)
        } else {
            keys[edge.key] = edges.count
            edges.append(edge)
        }
    }

    func node(_ id: String) -> GraphNode? { positions[id].map { nodes[$0] } }

    /// Returns the place of a node in the list of nodes.
    func position(of id: String) -> Int? { positions[id] }

    /// The bundles and the host, in the order in which they were added.
    var cards: [GraphNode] { nodes.filter(\.kind.isCard) }

    /// The parts by the identifier of the card that declares them.
    var parts: [String: [GraphNode]] {
        Dictionary(grouping: nodes.filter { $0.parent != nil }) { $0.parent ?? "" }
    }
}

/// A part of an app: a bundle or the host, or something that one of them declares.
struct GraphNode: Hashable, Sendable, Codable {
    /// The kind of a part.
    enum Kind: String, Hashable, Sendable, Codable {
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

        /// A Boolean value that indicates whether other parts are drawn inside this one.
        var isCard: Bool { self == .host || self == .bundle }
    }

    /// A fact about a part, with its name.
    struct Fact: Hashable, Sendable, Codable {
        let name: String
        let value: String

        init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The identifier, unique in its graph and the same in graphs of other versions.
    let id: String
    let kind: Kind
    /// The name, such as a route's pattern.
    let name: String
    /// The identifier of the bundle or host that declares it; nil for these themselves.
    let parent: String?
    /// The team that signed the bundle; nil for other parts, and if it is unknown.
    let team: String?
    /// A Boolean value that indicates whether the part is only named by others, as a bundle that is not installed.
    let isMissing: Bool
    /// The facts that a reader sees about it.
    let facts: [Fact]

    init(
        _ kind: Kind, _ name: String, id: String, parent: String? = nil, team: String? = nil, isMissing: Bool = false,
        facts: [Fact] = []
    ) {
        self.id = id
        self.kind = kind
        self.name = name
        self.parent = parent
        self.team = team
        self.isMissing = isMissing
        self.facts = facts
    }

    /// Returns the value of a fact.
    func fact(_ name: String) -> String? { facts.first { $0.name == name }?.value }
}

/// A relation between two parts of an app.
struct GraphEdge: Hashable, Sendable, Codable {
    /// The kind of a relation.
    enum Kind: String, Hashable, Sendable, Codable {
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
        /// A trace shows that a bundle or the host opened the route or called the action.
        case calls

        /// The relation as a verb.
        var words: String {
            switch self {
            case .requires: "requires"
            case .requiresOnDemand: "requires on demand"
            case .guards: "asks first"
            case .extends: "extends"
            case .links: "links to"
            case .fallsBack: "falls back to"
            case .calls: "calls"
            }
        }
    }

    let kind: Kind
    /// The identifiers of both nodes.
    let from: String
    let to: String
    /// The range of versions of a requirement, or else an empty text.
    let label: String
    /// The number of observed calls; 0 for a declared relation.
    let count: Int

    init(_ kind: Kind, from: String, to: String, label: String = "", count: Int = 0) {
        self.kind = kind
        self.from = from
        self.to = to
        self.label = label
        self.count = count
    }

    /// The key that identifies the relation in graphs of other versions.
    var key: [String] { [kind.rawValue, from, to] }
}

extension AppGraph {
    private struct Document: Codable {
        let title: String
        let nodes: [GraphNode]
        let edges: [GraphEdge]
    }

    /// The limits of a document that is read: its size in bytes, its values, its nodes and its edges.
    static let limits = (size: 16 << 20, values: 1_000_000, nodes: 10_000, edges: 50_000)

    /// Reads a graph that was written as ``json``.
    ///
    /// - Parameter name: the name of the file, for errors.
    /// - Throws: ``AtriumError`` with code `documentInvalid`.
    init(document bytes: [UInt8], named name: String) throws(AtriumError) {
        let file = SavedDocument(bytes: bytes, name: name)
        let document = try file.decode(
            Document.self, size: Self.limits.size, values: Self.limits.values, otherwise: "notGraph")
        guard document.nodes.count <= Self.limits.nodes, document.edges.count <= Self.limits.edges else {
            throw file.invalid(
                "graphTooLarge", ["nodes": .integer(Self.limits.nodes), "edges": .integer(Self.limits.edges)])
        }
        self.init(title: document.title)
        document.nodes.filter(\.kind.isCard).forEach { add($0) }
        for node in document.nodes where !node.kind.isCard {
            guard node.parent.flatMap(self.node)?.kind.isCard == true else { throw file.invalid("notGraph") }
            add(node)
        }
        guard document.edges.allSatisfy({ 0...1_000_000_000 ~= $0.count }) else { throw file.invalid("notGraph") }
        document.edges.forEach { add($0) }
        // Repeated parts and relations of unknown parts were left out.
        guard nodes.count == document.nodes.count, edges.count == document.edges.count else {
            throw file.invalid("notGraph")
        }
    }

    /// The graph as a document.
    var json: JSONText {
        [
            "formatVersion": .integer(SavedDocument.formatVersion), "title": .string(title),
            "nodes": .array(nodes.map(\.json)), "edges": .array(edges.map(\.json)),
        ]
    }
}

extension GraphNode {
    var json: JSONText {
        [
            "id": .string(id), "kind": .string(kind.rawValue), "name": .string(name),
            "parent": .string(orNull: parent), "team": .string(orNull: team), "isMissing": .bool(isMissing),
            "facts": .array(facts.map { ["name": .string($0.name), "value": .string($0.value)] }),
        ]
    }
}

extension GraphEdge {
    var json: JSONText {
        [
            "kind": .string(kind.rawValue), "from": .string(from), "to": .string(to), "label": .string(label),
            "count": .integer(count),
        ]
    }
}
