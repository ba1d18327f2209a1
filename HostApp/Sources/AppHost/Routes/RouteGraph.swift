/// The routes of an app as a picture: which bundle serves which addresses, and what stands before them.
struct RouteGraph {
    /// One thing in the picture.
    private enum Node {
        case bundle, route, interceptor
    }

    private var nodes: [(key: String, kind: Node, label: String)] = []
    private var edges: [(from: String, to: String, label: String)] = []
    private var names: [String: String] = [:]

    /// The picture of a listing.
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

    /// For Graphviz: `hostapp routes --dot | dot -Tsvg`.
    var dot: String {
        var lines = ["digraph routes {", "  rankdir=LR;", "  node [fontname=\"sans-serif\"];"]
        for (key, kind, label) in nodes {
            let shape =
                switch kind {
                case .bundle: "component"
                case .route: "box"
                case .interceptor: "diamond"
                }
            lines.append("  \(key) [shape=\(shape), label=\"\(Self.dotText(label))\"];")
        }
        for (from, to, label) in edges {
            lines.append("  \(from) -> \(to)\(label.isEmpty ? "" : " [label=\"\(Self.dotText(label))\"]");")
        }
        return (lines + ["}", ""]).joined(separator: "\n")
    }

    /// For Mermaid, as many code hosts draw it in a page.
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

    /// In quotation marks, DOT gives a meaning to these marks and to backslashes.
    private static func dotText(_ text: String) -> String {
        String(
            text.unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
                switch scalar {
                case "\"", "\\": ["\\", scalar]
                case _ where scalar.properties.generalCategory == .control: ["?"]
                default: [scalar]
                }
            }.map(Character.init))
    }

    /// Mermaid's way to write a character that has a meaning is `#` and its number.
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
