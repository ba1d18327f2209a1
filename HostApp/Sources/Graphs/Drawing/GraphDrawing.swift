import Console
import WebPages

/// A graph as an SVG document.
package struct GraphDrawing {
    private let layout: GraphLayout
    private let difference: GraphDifference?
    private static let margin = 24.0
    private static let legendHeight = 64.0

    /// - Parameter difference: the difference whose changes are shown; its graph is the one of the layout.
    package init(_ layout: GraphLayout, difference: GraphDifference? = nil) {
        self.layout = layout
        self.difference = difference
    }

    /// The drawing as a file.
    package var svg: String { element(isStandalone: true) + "\n" }

    /// The drawing as an element of a page, which has the style sheet and the legend itself.
    var inline: String { element(isStandalone: false) }

    private func element(isStandalone: Bool) -> String {
        let legend = isStandalone ? Self.legendHeight : 0
        let width = max(layout.size.width, isStandalone ? 640 : 0) + 2 * Self.margin
        let height = layout.size.height + 2 * Self.margin + legend
        var lines = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"graph\" viewBox=\"0 0 \(Self.number(width)) \(Self.number(height))\""
                + (isStandalone
                    ? " width=\"\(Self.number(width))\" height=\"\(Self.number(height))\"" : " id=\"drawing\"")
                + " role=\"img\" aria-label=\"\(MarkupText.escaped("Graph of \(layout.graph.title)"))\">"
        ]
        if isStandalone {
            lines.append("<title>\(MarkupText.escaped("Graph of \(layout.graph.title)"))</title>")
            lines.append("<style>\(GraphStyle.drawing.text)</style>")
            lines.append("<rect class=\"back\" width=\"100%\" height=\"100%\"/>")
        }
        lines.append("<g transform=\"translate(\(Self.number(Self.margin)) \(Self.number(Self.margin)))\">")
        for (name, box) in layout.teams {
            lines.append(rectangle("team", box, radius: 10))
            lines.append(
                text("team-name", "team \(GraphCard.cut(name, to: 60))", x: box.x + 12, y: box.y + 17))
        }
        for (index, edge) in layout.graph.edges.enumerated() {
            if let curve = layout.curves[index] { lines.append(drawing(of: edge, index, curve)) }
        }
        for (card, box) in layout.cards { lines += drawing(of: card, in: box) }
        lines.append("</g>")
        if isStandalone { lines += self.legend(at: height - legend) }
        return (lines + ["</svg>"]).joined(separator: "\n")
    }

    private func drawing(of card: GraphCard, in box: GraphLayout.Box) -> [String] {
        let node = card.node
        var lines = [group(node, isCard: true), rectangle("card", box, radius: 8)]
        let head = GraphLayout.Box(
            x: box.x + 1, y: box.y + 1, width: box.width - 2, height: GraphCard.titleHeight - 2)
        lines.append(rectangle("head", head, radius: 7))
        lines.append(text("title", card.title, x: box.x + 14, y: box.y + 20))
        lines.append(text("subtitle", card.subtitle, x: box.x + 14, y: box.y + 36))
        if let change = difference?.change(of: node) {
            lines.append(text("sign", change.sign, x: box.x + box.width - 18, y: box.y + 20))
        }
        var (y, parts) = (box.y + GraphCard.titleHeight, [String]())
        for row in card.rows {
            switch row {
            case .section(let title):
                lines.append(text("section", title.uppercased(), x: box.x + 14, y: y + 15))
            case .part(let node):
                parts += drawing(
                    of: node, in: GraphLayout.Box(x: box.x + 4, y: y + 1, width: box.width - 8, height: row.height - 2))
            }
            y += row.height
        }
        return lines + ["</g>"] + parts
    }

    private func drawing(of node: GraphNode, in box: GraphLayout.Box) -> [String] {
        let baseline = box.y + 13
        var lines = [group(node, isCard: false), rectangle("row", box, radius: 4)]
        if let change = difference?.change(of: node) {
            lines.append(text("sign", change.sign, x: box.x + 7, y: baseline + 1))
        } else {
            lines.append(
                "<circle class=\"mark\" cx=\"\(Self.number(box.x + 12))\" cy=\"\(Self.number(box.y + 9))\" r=\"3\"/>")
        }
        lines.append(text("kind", node.fact("kind") ?? Self.word(node.kind), x: box.x + 19, y: baseline))
        lines.append(text("name", GraphCard.name(of: node), x: box.x + 64, y: baseline))
        if node.isExternal {
            lines.append(text("outside", "external", x: box.x + box.width - 46, y: baseline))
        }
        return lines + ["</g>"]
    }

    private func drawing(of edge: GraphEdge, _ index: Int, _ curve: GraphLayout.Curve) -> String {
        guard let start = curve.points.first, let last = curve.points.last else { return "" }
        let rest = curve.points.dropFirst().map { "\(Self.number($0.x)) \(Self.number($0.y))" }
        let path = "M\(Self.number(start.x)) \(Self.number(start.y))C\(rest.joined(separator: " "))"
        let change = difference?.change(of: edge).map { " \($0.rawValue)" } ?? ""
        var parts = [
            "<g class=\"edge \(edge.kind.rawValue)\(change)\" data-edge=\"\(index)\">", "<path d=\"\(path)\"/>",
        ]
        if let tip = curve.tip { parts.append(arrow(from: last, to: tip)) }
        if edge.count > 1 {
            let middle = curve.points[curve.points.count / 2]
            parts.append(text("count", "\(edge.count)×", x: middle.x, y: middle.y - 5))
        }
        let words = edge.kind.words + (edge.label.isEmpty ? "" : " \(edge.label)")
        parts.append("<title>\(MarkupText.escaped(words))</title></g>")
        return parts.joined()
    }

    private func arrow(from start: GraphLayout.Point, to tip: GraphLayout.Point) -> String {
        let (dx, dy) = (tip.x - start.x, tip.y - start.y)
        let length = max(0.001, (dx * dx + dy * dy).squareRoot())
        let (side, forward) = ((x: -dy / length * 3.6, y: dx / length * 3.6), tip)
        let points = [
            (start.x + side.x, start.y + side.y), (forward.x, forward.y), (start.x - side.x, start.y - side.y),
        ]
        let text = points.map { "\(Self.number($0.0)),\(Self.number($0.1))" }.joined(separator: " ")
        return "<polygon points=\"\(text)\"/>"
    }

    private func group(_ node: GraphNode, isCard: Bool) -> String {
        let change = difference?.change(of: node).map { " \($0.rawValue)" } ?? ""
        let missing = node.isMissing ? " missing" : ""
        let index = layout.graph.position(of: node.id) ?? 0
        return "<g class=\"node \(node.kind.rawValue)\(missing)\(change)\" data-node=\"\(index)\">"
            + "<title>\(MarkupText.escaped(node.words(in: layout.graph)))</title>"
    }

    private func rectangle(_ style: String, _ box: GraphLayout.Box, radius: Double) -> String {
        "<rect class=\"\(style)\" x=\"\(Self.number(box.x))\" y=\"\(Self.number(box.y))\" width=\"\(Self.number(box.width))\""
            + " height=\"\(Self.number(box.height))\" rx=\"\(Self.number(radius))\"/>"
    }

    private func text(_ style: String, _ text: String, x: Double, y: Double) -> String {
        "<text class=\"\(style)\" x=\"\(Self.number(x))\" y=\"\(Self.number(y))\">\(MarkupText.escaped(text))</text>"
    }

    static func word(_ kind: GraphNode.Kind) -> String {
        switch kind {
        case .extensionPoint: "point"
        case .extension: "extends"
        default: kind.rawValue
        }
    }

    /// Returns a number with one decimal, as short as possible.
    private static func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(Double(tenths) / 10)"
    }
}

extension GraphDrawing {
    private func legend(at top: Double) -> [String] {
        let kinds = GraphEdge.Kind.allCases.filter { kind in layout.graph.edges.contains { $0.kind == kind } }
        var (lines, x) = ([String](), Self.margin)
        func sample(_ kind: GraphEdge.Kind, _ y: Double) {
            lines.append(
                "<g class=\"edge \(kind.rawValue)\"><path d=\"M\(Self.number(x)) \(Self.number(y))h28\"/>"
                    + "<polygon points=\"\(Self.number(x + 28)),\(Self.number(y - 3.6)) \(Self.number(x + 35)),\(Self.number(y)) \(Self.number(x + 28)),\(Self.number(y + 3.6))\"/></g>"
            )
            lines.append(text("legend", kind.words, x: x + 41, y: y + 4))
            x += 62 + Double(kind.words.count) * 6.6
        }
        lines.append(text("legend-title", "Declared:", x: x, y: top + 14))
        x += 70
        for kind in kinds where !kind.isObserved { sample(kind, top + 10) }
        x = Self.margin
        lines.append(text("legend-title", "Observed:", x: x, y: top + 38))
        x += 70
        if kinds.contains(.calls) {
            sample(.calls, top + 34)
        } else {
            lines.append(text("legend", "nothing; --calls FILE adds the calls of a trace", x: x, y: top + 38))
            x += 330
        }
        if difference != nil {
            lines.append(text("legend", "+ added   - removed   ~ changed", x: x, y: top + 38))
        }
        return lines
    }
}
