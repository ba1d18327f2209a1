import Console

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
                    lines.append("      \(name(of: node.id)) [\(attributes(of: node, difference?.nodes[node.id]))];")
                }
                lines.append("    }")
            }
            if team != nil { lines.append("  }") }
        }
        for edge in edges {
            lines.append(
                "  \(name(of: edge.from)) -> \(name(of: edge.to)) [\(attributes(of: edge, difference?.edges[edge.key]))];"
            )
        }
        return (lines + ["}", ""]).joined(separator: "\n")
    }

    /// Returns a name that needs no quotation marks.
    private func name(of id: String) -> String { "n\(position(of: id) ?? 0)" }

    private func attributes(of node: GraphNode, _ change: ItemChange?) -> String {
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
        let label = DOTText.quoted((change.map { "\($0.mark.sign) " } ?? "") + name)
        return "shape=\(shape), label=\(label), tooltip=\(DOTText.quoted(node.words(in: self)))"
            + (node.isMissing ? ", style=dashed" : "") + style(node.kind.rawValue, change)
    }

    private func attributes(of edge: GraphEdge, _ change: ItemChange?) -> String {
        let words = [change?.mark.sign, edge.kind.words, edge.label.isEmpty ? nil : edge.label]
        let times = edge.count > 1 ? " \(edge.count) times" : ""
        let style = edge.kind == .calls ? "bold" : edge.kind == .requires ? "solid" : "dashed"
        return "style=\(style), label=\(DOTText.quoted(words.compactMap(\.self).joined(separator: " ") + times))"
            + self.style(edge.kind.rawValue, change)
    }

    /// Returns the class that the element has in an SVG file, and the colors of a change.
    private func style(_ kind: String, _ change: ItemChange?) -> String {
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

/// A graph of an app's routes, with the bundles that serve them and the interceptors before them.
struct RouteGraph {
    /// The kind of a node in the graph.
    private enum Node {
        case bundle, route, interceptor

        /// The shape in Graphviz, and the brackets that mean one in Mermaid.
        var shape: (name: String, start: String, end: String) {
            switch self {
            case .bundle: ("component", "[[", "]]")
            case .route: ("box", "[", "]")
            case .interceptor: ("diamond", "{", "}")
            }
        }
    }

    private var nodes: [(key: String, kind: Node, label: String)] = []
    private var edges: [(from: String, to: String, label: String)] = []
    private var names: [String: String] = [:]

    /// Creates the graph of a listing.
    init(_ listing: RouteListing) {
        for line in listing.lines {
            let bundle = node("bundle " + line.owner, .bundle, line.owner)
            let label = line.pattern.isEmpty ? "/" : line.pattern
            let route = node(
                "route \(line.source) \(line.pattern)", .route,
                label + (line.exposure == "plugins" ? "" : " [\(line.exposure)]"))
            edges.append((route, bundle, line.served))
            for interceptor in line.interceptors {
                edges.append((node("interceptor " + interceptor, .interceptor, interceptor), route, ""))
            }
        }
    }

    /// The graph in the DOT language of Graphviz, as used by `hostapp routes --dot | dot -Tsvg`.
    var dot: String {
        var lines = ["digraph routes {", "  rankdir=LR;", "  node [fontname=\"sans-serif\"];"]
        for (key, kind, label) in nodes {
            lines.append("  \(key) [shape=\(kind.shape.name), label=\(DOTText.quoted(label))];")
        }
        for (from, to, label) in edges {
            lines.append("  \(from) -> \(to)\(label.isEmpty ? "" : " [label=\(DOTText.quoted(label))]");")
        }
        return (lines + ["}", ""]).joined(separator: "\n")
    }

    /// The graph in Mermaid, which many code hosts render in Markdown.
    var mermaid: String {
        var lines = ["flowchart LR"]
        for (key, kind, label) in nodes {
            let (_, start, end) = kind.shape
            lines.append("  \(key)\(start)\"\(Self.mermaidText(label))\"\(end)")
        }
        for (from, to, label) in edges {
            lines.append("  \(from) -->\(label.isEmpty ? "" : "|\"\(Self.mermaidText(label))\"|") \(to)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private mutating func node(_ key: String, _ kind: Node, _ label: String) -> String {
        if let name = names[key] { return name }
        let name = "n\(nodes.count + 1)"
        names[key] = name
        nodes.append((name, kind, label))
        return name
    }

    /// Escapes special characters for Mermaid as `#` and their number.
    private static func mermaidText(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { written, scalar in
            if scalar.properties.generalCategory == .control {
                written += "?"
            } else if "\"#;<>&`*_".unicodeScalars.contains(scalar) {
                written += "#\(scalar.value);"
            } else {
                written.unicodeScalars.append(scalar)
            }
        }
    }
}

/// Untrusted text in Graphviz's DOT language.
enum DOTText {
    /// Returns a text in quotation marks, in which Graphviz finds neither an escape nor a character reference.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in printable(text).unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            // A reference such as &#8238; would become an invisible character of the drawing.
            case "&": result += "&amp;"
            // XML, and so SVG, allows no other characters.
            case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
