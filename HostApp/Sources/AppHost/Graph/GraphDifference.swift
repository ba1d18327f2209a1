import Console

/// The difference between two graphs, together with a graph that has the parts of both.
struct GraphDifference: Sendable {
    /// The parts and relations of both graphs, with the later facts.
    let graph: AppGraph
    let nodes: ListDifference<String, GraphNode>
    let edges: ListDifference<[String], GraphEdge>

    /// Compares two graphs. The number of observed calls does not matter.
    init(from before: AppGraph, to after: AppGraph) {
        nodes = ListDifference(from: before.nodes, to: after.nodes, by: \.id, comparing: \.self)
        edges = ListDifference(from: before.edges, to: after.edges, by: \.key, comparing: \.label)
        var both = after
        for node in nodes.items(.removed) { both.add(node) }
        for edge in edges.items(.removed) { both.add(edge) }
        graph = both
    }

    /// A Boolean value that indicates whether the graphs are equal.
    var isEmpty: Bool { nodes.entries.isEmpty && edges.entries.isEmpty }

    func text(for terminal: Terminal) -> String {
        guard !isEmpty else { return "Nothing differs.\n" }
        let parts = nodes.lines({ $0.words(in: graph) }, fields: { $1.facts(differingFrom: $0) })
        return (parts + edges.lines { $0.words(in: graph) }).text(for: terminal)
    }

    /// The changes as a document.
    var json: JSONText {
        [
            "nodes": .array(
                nodes.entries.map { entry in
                    let facts = entry.before.map { entry.item.facts(differingFrom: $0) } ?? []
                    return [
                        "change": .string(entry.change.rawValue), "node": entry.item.json,
                        "facts": .array(facts.map(\.json)),
                    ]
                }),
            "edges": .array(
                edges.entries.map { ["change": .string($0.change.rawValue), "edge": $0.item.json] }),
        ]
    }
}

extension GraphNode {
    /// Returns the facts that differ from those of the same part in an earlier graph.
    fileprivate func facts(differingFrom old: GraphNode) -> [ChangedField] {
        func fact(_ name: String, of node: GraphNode) -> String { node.fact(name) ?? "-" }
        return ChangedField.differing(
            [
                ("name", old.name, name), ("team", old.team ?? "-", team ?? "-"),
                ("installed", old.isMissing ? "no" : "yes", isMissing ? "no" : "yes"),
            ] + (old.facts + facts).map(\.name).unique.map { ($0, fact($0, of: old), fact($0, of: self)) })
    }

    /// The part with its kind and the name of the bundle that declares it.
    func words(in graph: AppGraph) -> String {
        let kind = kind == .extensionPoint ? "extension point" : kind.rawValue
        let owner = parent.flatMap(graph.node).map { " of \($0.fact("identifier") ?? $0.name)" } ?? ""
        return "\(kind) \(name.isEmpty ? "/" : name)\(owner)"
    }
}

extension GraphEdge {
    fileprivate func words(in graph: AppGraph) -> String {
        let (from, to) = (graph.node(from), graph.node(to))
        return "\(from?.words(in: graph) ?? "") \(kind.words) \(to?.words(in: graph) ?? "")"
            + (label.isEmpty ? "" : " \(label)")
    }
}
