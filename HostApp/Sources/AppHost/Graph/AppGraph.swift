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
