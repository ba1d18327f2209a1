import Console

extension AppGraph {
    /// The graph in the DOT language of Graphviz: a frame for each team and each bundle, with the bundle's parts in it.
    ///
    /// Kinds have shapes, so that nothing is told by color alone.
    var dot: String {
        var lines = [
            "digraph app {", "  rankdir=LR;", "  fontname=\"sans-serif\";", "  label=\(DOTText.quoted(title));",
            "  node [fontname=\"sans-serif\", fontsize=11, style=filled, fillcolor=white];",
            "  edge [fontname=\"sans-serif\", fontsize=9];",
        ]
        for (number, (team, cards)) in teams.enumerated() {
            if let team {
                let label = DOTText.quoted("team \(team)")
                lines += ["  subgraph cluster_team\(number) {", "    label=\(label); style=dotted;"]
            }
            for parts in cards {
                let card = parts[0]
                let label = DOTText.quoted(card.name + (card.fact("version").map { " \($0)" } ?? ""))
                let style = card.isMissing ? "dashed" : "filled"
                lines.append("    subgraph cluster_\(name(of: card.id)) {")
                lines.append("      label=\(label); style=\(style); fillcolor=\"#f6f8fa\";")
                lines += parts.map { "      \(name(of: $0.id)) [\(attributes(of: $0))];" } + ["    }"]
            }
            if team != nil { lines.append("  }") }
        }
        lines += edges.map { edge in
            let style = edge.kind == .requires ? "solid" : "dashed"
            let facts = "style=\(style), label=\(DOTText.quoted(edge.label)), class=\(edge.kind.rawValue)"
            return "  \(name(of: edge.from)) -> \(name(of: edge.to)) [\(facts)];"
        }
        return (lines + ["}", ""]).joined(separator: "\n")
    }

    /// Returns a name that needs no quotation marks.
    private func name(of id: String) -> String { "n\(positions[id] ?? 0)" }

    private func attributes(of node: GraphNode) -> String {
        let kind = node.kind == .extensionPoint ? "extension point" : node.kind.rawValue
        let owner = node.parent.flatMap(self.node).map { " of \($0.fact("identifier") ?? $0.name)" } ?? ""
        let tooltip = DOTText.quoted("\(kind) \(node.label)\(owner)")
        let label = DOTText.quoted(node.label + (node.fact("exposure") == "external" ? " [external]" : ""))
        return "shape=\(GraphNode.Kind.shapes[node.kind] ?? "component"), label=\(label), tooltip=\(tooltip)"
            + (node.isMissing ? ", style=dashed" : "") + ", class=\(node.kind.rawValue)"
    }
}

extension GraphNode.Kind {
    /// The shapes in Graphviz of the parts that are no components.
    fileprivate static let shapes: [Self: String] = [
        .route: "box", .action: "ellipse", .service: "hexagon", .extension: "house", .extensionPoint: "invhouse",
    ]
}

/// Untrusted text in Graphviz's DOT language.
enum DOTText {
    /// Special characters. A reference such as &#8238; would become an invisible one; XML, and so SVG, does not allow the last two.
    private static let escapes: [Unicode.Scalar: String] = [
        "\"": "\\\"", "\\": "\\\\", "&": "&amp;", "\u{FFFE}": "\u{FFFD}", "\u{FFFF}": "\u{FFFD}",
    ]

    /// Returns a text in quotation marks, in which Graphviz finds neither an escape nor a character reference.
    static func quoted(_ text: String) -> String {
        "\"" + printable(text).unicodeScalars.map { escapes[$0] ?? String($0) }.joined() + "\""
    }
}
