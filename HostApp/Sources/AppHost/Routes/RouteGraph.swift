/// A graph of an app's routes, with the bundles that serve them and the interceptors before them.
struct RouteGraph {
    /// The kind of a node in the graph.
    private enum Node {
        case bundle, route, interceptor
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
            let shape =
                switch kind {
                case .bundle: "component"
                case .route: "box"
                case .interceptor: "diamond"
                }
            lines.append("  \(key) [shape=\(shape), label=\(DOTText.quoted(label))];")
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
            let text = "\"\(Self.mermaidText(label))\""
            switch kind {
            case .bundle: lines.append("  \(key)[[\(text)]]")
            case .route: lines.append("  \(key)[\(text)]")
            case .interceptor: lines.append("  \(key){\(text)}")
            }
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
