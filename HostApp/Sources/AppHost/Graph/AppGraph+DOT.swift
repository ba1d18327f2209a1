extension AppGraph {
    /// Returns the graph in the DOT language of Graphviz: a frame for each team and each bundle, with the bundle's parts in it.
    ///
    /// Kinds have shapes and changes have signs, so that nothing is told by color alone.
    ///
    /// - Parameter difference: the difference whose changes are shown; this graph is its graph.
    func dot(_ difference: GraphDifference? = nil) -> String {
        var lines = [
            "digraph app {", "  rankdir=LR;", "  fontname=\"sans-serif\";", "  label=\(DOTText.quoted(title));",
            "  node [fontname=\"sans-serif\", fontsize=11, style=filled, fillcolor=white];",
            "  edge [fontname=\"sans-serif\", fontsize=9];",
        ]
        let parts = parts
        let teams = Dictionary(grouping: cards, by: \.team).sorted { $0.key ?? "" < $1.key ?? "" }
        for (number, (team, cards)) in teams.enumerated() {
            if let team {
                lines.append("  subgraph cluster_team\(number) {")
                lines.append("    label=\(DOTText.quoted("team \(team)")); style=dotted;")
            }
            for card in cards {
                let version = card.fact("version").map { " \($0)" } ?? ""
                lines.append("    subgraph cluster_\(name(of: card.id)) {")
                lines.append(
                    "      label=\(DOTText.quoted(card.name + version)); style=\(card.isMissing ? "dashed" : "filled");"
                        + " fillcolor=\"#f6f8fa\";")
                for node in [card] + (parts[card.id] ?? []) {
                    lines.append("      \(name(of: node.id)) [\(attributes(of: node, difference?.change(of: node)))];")
                }
                lines.append("    }")
            }
            if team != nil { lines.append("  }") }
        }
        for edge in edges {
            lines.append(
                "  \(name(of: edge.from)) -> \(name(of: edge.to)) [\(attributes(of: edge, difference?.change(of: edge)))];"
            )
        }
        return (lines + ["}", ""]).joined(separator: "\n")
    }

    /// Returns a name that needs no quotation marks.
    private func name(of id: String) -> String { "n\(position(of: id) ?? 0)" }

    private func attributes(of node: GraphNode, _ change: GraphDifference.Change?) -> String {
        let shape =
            switch node.kind {
            case .host, .bundle: "component"
            case .route: "box"
            case .action: "ellipse"
            case .service: "hexagon"
            case .extension: "house"
            case .extensionPoint: "invhouse"
            }
        let name = (node.name.isEmpty ? "/" : node.name) + (node.fact("exposure") == "external" ? " [external]" : "")
        let label = DOTText.quoted((change.map { "\($0.sign) " } ?? "") + name)
        return "shape=\(shape), label=\(label), tooltip=\(DOTText.quoted(node.words(in: self)))"
            + (node.isMissing ? ", style=dashed" : "") + style(node.kind.rawValue, change)
    }

    private func attributes(of edge: GraphEdge, _ change: GraphDifference.Change?) -> String {
        let words = [change?.sign, edge.kind.words, edge.label.isEmpty ? nil : edge.label]
        let times = edge.count > 1 ? " \(edge.count) times" : ""
        let style = edge.kind.isObserved ? "bold" : edge.kind == .requires ? "solid" : "dashed"
        return "style=\(style), label=\(DOTText.quoted(words.compactMap(\.self).joined(separator: " ") + times))"
            + self.style(edge.kind.rawValue, change)
    }

    /// Returns the class that the element has in an SVG file, and the colors of a change.
    private func style(_ kind: String, _ change: GraphDifference.Change?) -> String {
        guard let change else { return ", class=\(kind)" }
        let color =
            switch change {
            case .added: "#1a7f37"
            case .removed: "#cf222e"
            case .changed: "#9a6700"
            }
        return ", class=\"\(kind) \(change.rawValue)\", color=\"\(color)\", fontcolor=\"\(color)\", penwidth=2"
    }
}
