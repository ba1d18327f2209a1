import Console

/// The difference between two graphs, together with a graph that has the parts of both.
struct GraphDifference: Sendable {
    /// The change of a part or a relation.
    enum Change: String, Sendable {
        case added, removed, changed

        /// The sign of the change in texts and drawings.
        var sign: String {
            switch self {
            case .added: "+"
            case .removed: "-"
            case .changed: "~"
            }
        }
    }

    /// The parts and relations of both graphs, with the later facts.
    let graph: AppGraph
    private let before: AppGraph
    private let nodeChanges: [String: Change]
    private let edgeChanges: [[String]: Change]

    /// Compares two graphs. The number of observed calls does not matter.
    init(from before: AppGraph, to after: AppGraph) {
        var (both, nodes, edges) = (after, [String: Change](), [[String]: Change]())
        for node in after.nodes {
            let old = before.node(node.id)
            if old == nil { nodes[node.id] = .added } else if old != node { nodes[node.id] = .changed }
        }
        for node in before.nodes where after.node(node.id) == nil {
            nodes[node.id] = .removed
            both.add(node)
        }
        let known = Dictionary(before.edges.map { ($0.key, $0) }) { first, _ in first }
        for edge in after.edges {
            let old = known[edge.key]
            if old == nil { edges[edge.key] = .added } else if old?.label != edge.label { edges[edge.key] = .changed }
        }
        let remaining = Set(after.edges.map(\.key))
        for edge in before.edges where !remaining.contains(edge.key) {
            edges[edge.key] = .removed
            both.add(edge)
        }
        (self.before, graph, nodeChanges, edgeChanges) = (before, both, nodes, edges)
    }

    func change(of node: GraphNode) -> Change? { nodeChanges[node.id] }
    func change(of edge: GraphEdge) -> Change? { edgeChanges[edge.key] }

    /// A Boolean value that indicates whether the graphs are equal.
    var isEmpty: Bool { nodeChanges.isEmpty && edgeChanges.isEmpty }

    /// The facts of a changed node that differ, with both values.
    func facts(of node: GraphNode) -> [(name: String, before: String, after: String)] {
        guard change(of: node) == .changed, let old = before.node(node.id) else { return [] }
        var pairs = [("name", old.name, node.name), ("team", old.team ?? "-", node.team ?? "-")]
        pairs.append(("installed", old.isMissing ? "no" : "yes", node.isMissing ? "no" : "yes"))
        var names: [String] = []
        for fact in old.facts + node.facts where !names.contains(fact.name) { names.append(fact.name) }
        pairs += names.map { ($0, old.fact($0) ?? "-", node.fact($0) ?? "-") }
        return pairs.filter { $0.1 != $0.2 }
    }
}

extension GraphDifference {
    /// Renders added parts with `+`, removed ones with `-`, and changed ones with `~` and the facts that differ.
    func text(for terminal: Terminal) -> String {
        guard !isEmpty else { return "Nothing differs.\n" }
        var lines: [String] = []
        for change in [Change.removed, .added, .changed] {
            for node in graph.nodes where self.change(of: node) == change {
                lines.append(terminal.styled("\(change.sign) \(printable(node.words(in: graph)))", change.style))
                for fact in facts(of: node) {
                    lines.append("    \(printable(fact.name)): \(printable(fact.before)) -> \(printable(fact.after))")
                }
            }
            for edge in graph.edges where self.change(of: edge) == change {
                lines.append(terminal.styled("\(change.sign) \(printable(edge.words(in: graph)))", change.style))
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The changes as a document.
    var json: JSONText {
        [
            "nodes": .array(
                graph.nodes.compactMap { node in
                    change(of: node).map { change in
                        [
                            "change": .string(change.rawValue), "node": node.json,
                            "facts": .array(
                                facts(of: node).map {
                                    [
                                        "name": .string($0.name), "before": .string($0.before),
                                        "after": .string($0.after),
                                    ]
                                }),
                        ]
                    }
                }),
            "edges": .array(
                graph.edges.compactMap { edge in
                    change(of: edge).map { ["change": .string($0.rawValue), "edge": edge.json] }
                }),
        ]
    }
}

extension GraphDifference.Change {
    fileprivate var style: TextStyle {
        switch self {
        case .added: .green
        case .removed: .red
        case .changed: .yellow
        }
    }
}

extension GraphNode {
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
