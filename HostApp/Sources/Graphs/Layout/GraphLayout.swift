package import PluginCore

/// The places of cards, teams and relations, as Graphviz computes them.
///
/// Graphviz gets sizes and numbers alone. The names of plugins never reach it.
package struct GraphLayout: Sendable {
    struct Point: Hashable, Sendable {
        let x, y: Double
    }

    struct Box: Hashable, Sendable {
        let x, y, width, height: Double
    }

    /// A relation as cubic curves and the tip of its arrow.
    struct Curve: Sendable {
        let points: [Point]
        let tip: Point?
    }

    let graph: AppGraph
    let size: (width: Double, height: Double)
    /// The cards with their places, in the order of the graph.
    let cards: [(card: GraphCard, box: Box)]
    /// The places of teams, by their names.
    let teams: [(name: String, box: Box)]
    /// The curves by the position of the relation in the graph.
    let curves: [Int: Curve]

    /// Computes the places with Graphviz.
    ///
    /// - Throws: ``AtriumError`` with code `graphvizMissing` or `graphvizFailed`.
    package init(_ graph: AppGraph, by graphviz: Graphviz = Graphviz()) throws(AtriumError) {
        let parts = graph.parts
        let cards = graph.cards.map { GraphCard($0, parts: parts[$0.id] ?? []) }
        let teams = cards.compactMap(\.node.team).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        let answer = try graphviz.layout(of: Self.dot(graph, cards, teams))
        guard let drawing = try? StrictJSON.decode(Drawing.self, from: answer), let bounds = drawing.bounds else {
            throw Graphviz.failed("graphvizAnswer")
        }
        func flipped(_ point: Point) -> Point { Point(x: point.x, y: bounds.height - point.y) }
        var (boxes, clusters, curves) = ([Int: Box](), [Int: Box](), [Int: Curve]())
        for object in drawing.objects ?? [] {
            guard let id = object.id, let number = Int(id.dropFirst()) else { continue }
            if id.hasPrefix("n"), let center = object.pos.flatMap(Self.point), cards.indices.contains(number) {
                let (center, card) = (flipped(center), cards[number])
                boxes[number] = Box(
                    x: center.x - card.width / 2, y: center.y - card.height / 2, width: card.width,
                    height: card.height)
            } else if id.hasPrefix("t"), let box = object.box {
                let top = bounds.height - box.y - box.height
                clusters[number] = Box(x: box.x, y: top, width: box.width, height: box.height)
            }
        }
        for edge in drawing.edges ?? [] {
            guard let number = edge.id.flatMap({ Int($0.dropFirst()) }), let pos = edge.pos else { continue }
            let words = pos.split(separator: " ")
            let tip = words.first { $0.hasPrefix("e,") }.flatMap { Self.point($0.dropFirst(2)) }
            let points = words.filter { !$0.hasPrefix("e,") && !$0.hasPrefix("s,") }.compactMap(Self.point)
            curves[number] = Curve(points: points.map(flipped), tip: tip.map(flipped))
        }
        guard boxes.count == cards.count else { throw Graphviz.failed("graphvizAnswer") }
        self.graph = graph
        size = (bounds.width, bounds.height)
        self.cards = cards.enumerated().compactMap { index, card in boxes[index].map { (card, $0) } }
        self.teams = teams.enumerated().compactMap { index, team in clusters[index].map { (team, $0) } }
        self.curves = curves
    }

    private static func point(_ text: some StringProtocol) -> Point? {
        let numbers = text.split(separator: ",").compactMap { Double($0) }
        return numbers.count == 2 ? Point(x: numbers[0], y: numbers[1]) : nil
    }

    /// Returns the graph for Graphviz: tables with cells of fixed sizes.
    private static func dot(_ graph: AppGraph, _ cards: [GraphCard], _ teams: [String]) -> String {
        var lines = [
            "digraph {", "rankdir=LR; ranksep=1.1; nodesep=0.3; pad=0;", "node [shape=plain]; edge [arrowsize=0.7];",
        ]
        var ports: [String: String] = [:]
        func write(_ index: Int) {
            let card = cards[index]
            func cell(_ port: Int, _ height: Double) -> String {
                "<TR><TD PORT=\"p\(port)\" FIXEDSIZE=\"TRUE\" WIDTH=\"\(Int(card.width))\" HEIGHT=\"\(Int(height))\"></TD></TR>"
            }
            var cells = [cell(0, GraphCard.titleHeight)]
            ports[card.node.id] = "n\(index):p0"
            for (number, row) in card.rows.enumerated() {
                cells.append(cell(number + 1, row.height))
                if case .part(let node) = row { ports[node.id] = "n\(index):p\(number + 1)" }
            }
            if !card.rows.isEmpty { cells.append(cell(card.rows.count + 1, GraphCard.bottom)) }
            lines.append(
                "n\(index) [id=\"n\(index)\", label=<<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"0\">"
                    + cells.joined() + "</TABLE>>];")
        }
        for (number, team) in teams.enumerated() {
            lines.append("subgraph cluster_\(number) { id=\"t\(number)\"; label=\"team\"; margin=18;")
            for index in cards.indices where cards[index].node.team == team { write(index) }
            lines.append("}")
        }
        for index in cards.indices where cards[index].node.team == nil { write(index) }
        for (index, edge) in graph.edges.enumerated() {
            guard let from = ports[edge.from], let to = ports[edge.to] else { continue }
            lines.append("\(from) -> \(to) [id=\"e\(index)\"];")
        }
        return (lines + ["}", ""]).joined(separator: "\n")
    }
}

extension GraphLayout {
    /// The parts of Graphviz's answer that are used.
    private struct Drawing: Decodable {
        let bb: String?
        let objects: [Object]?
        let edges: [Object]?

        var bounds: Box? { Object(id: nil, pos: nil, bb: bb).box }
    }

    private struct Object: Decodable {
        let id: String?
        let pos: String?
        let bb: String?

        var box: Box? {
            let numbers = (bb ?? "").split(separator: ",").compactMap { Double($0) }
            guard numbers.count == 4 else { return nil }
            return Box(
                x: numbers[0], y: numbers[1], width: numbers[2] - numbers[0], height: numbers[3] - numbers[1])
        }
    }
}
