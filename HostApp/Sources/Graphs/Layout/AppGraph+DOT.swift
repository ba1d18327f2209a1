extension AppGraph {
    /// The graph in the DOT language, with names, for other tools.
    package var dot: String {
        var lines = [
            "digraph app {", "  rankdir=LR;", "  compound=true;", "  node [fontname=\"sans-serif\", shape=box];",
            "  edge [fontname=\"sans-serif\"];",
        ]
        let parts = parts
        var names: [String: String] = [:]
        for node in nodes { names[node.id] = "n\(names.count + 1)" }
        for (index, card) in cards.enumerated() {
            lines.append("  subgraph cluster_\(index + 1) {")
            let version = card.fact("version").map { " \($0)" } ?? ""
            lines.append("    label=\(DOTText.quoted(card.name + version));")
            for node in [card] + (parts[card.id] ?? []) {
                let shape = node.kind.isCard ? "component" : node.kind == .route ? "box" : "ellipse"
                let label = node.name.isEmpty ? "/" : node.name
                lines.append("    \(names[node.id] ?? "") [shape=\(shape), label=\(DOTText.quoted(label))];")
            }
            lines.append("  }")
        }
        for edge in edges {
            guard let from = names[edge.from], let to = names[edge.to] else { continue }
            let times = edge.count > 1 ? " \(edge.count) times" : ""
            let style = edge.kind.isObserved ? "bold" : edge.kind == .requires ? "solid" : "dashed"
            lines.append("  \(from) -> \(to) [style=\(style), label=\(DOTText.quoted(edge.kind.words + times))];")
        }
        return (lines + ["}", ""]).joined(separator: "\n")
    }
}
