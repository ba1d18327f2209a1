import Console
import WebPages

/// A graph as one self-contained web page, with a search, details of the selected part, and a legend that hides relations.
package struct GraphPage {
    private let layout: GraphLayout
    private let difference: GraphDifference?

    package init(_ layout: GraphLayout, difference: GraphDifference? = nil) {
        self.layout = layout
        self.difference = difference
    }

    /// The page as HTML.
    package var html: String {
        let graph = layout.graph
        let bundles = graph.nodes.filter { $0.kind == .bundle }.count
        let counts =
            "\(bundles) bundles, \(graph.nodes.count - graph.cards.count) parts, \(graph.edges.count) relations"
        let changes = difference == nil ? "" : ". + added, - removed, ~ changed"
        let body = """
            <header><h1>\(MarkupText.escaped(graph.title))</h1><span class="muted">\(counts)\(changes)</span><button id="whole">Show all</button></header>
            <aside>
            <input type="search" id="search" placeholder="Search ( / )" aria-label="Search" autocomplete="off" spellcheck="false">
            <div id="count" class="muted" role="status"></div>
            <ul id="results"></ul>
            <div id="detail" aria-live="polite"></div>
            <div id="legend">\(legend)</div>
            </aside>
            <div id="canvas">\(GraphDrawing(layout, difference: difference).inline)</div>
            """
        return WebPage(
            title: "Graph of \(graph.title)", styles: [PageStyle.base, GraphStyle.drawing, GraphPageStyle.page],
            script: GraphPageScript.script, data: data, body: body
        ).html
    }

    private var legend: String {
        func lines(_ kinds: [GraphEdge.Kind]) -> String {
            kinds.map { kind in
                """
                <label><input type="checkbox" checked value="\(kind.rawValue)">\
                <svg class="graph" width="40" height="12"><g class="edge \(kind.rawValue)"><path d="M1 6h30"/><polygon points="31,2.4 38,6 31,9.6"/></g></svg>\
                \(kind.words)</label>
                """
            }.joined()
        }
        let kinds = GraphEdge.Kind.allCases.filter { kind in layout.graph.edges.contains { $0.kind == kind } }
        let observed = kinds.filter(\.isObserved)
        return "<h2>Declared in manifests and layouts</h2>" + lines(kinds.filter { !$0.isObserved })
            + "<h2>Observed in a trace</h2>"
            + (observed.isEmpty
                ? "<p class=\"muted\">Nothing: --calls FILE adds the calls of a trace.</p>" : lines(observed))
    }

    /// The document that the script reads.
    private var data: JSONText {
        let graph = layout.graph
        return [
            "nodes": .array(
                graph.nodes.map { node in
                    let changes = difference?.facts(of: node) ?? []
                    return [
                        "id": .string(node.id), "parent": .string(orNull: node.parent),
                        "label": .string(printable(node.name.isEmpty ? "/" : node.name)),
                        "words": .string(Self.words(node)),
                        "team": .string(orNull: node.team.map { printable($0) }), "isMissing": .bool(node.isMissing),
                        "facts": .array(node.facts.map(Self.fact)),
                        "change": .string(orNull: difference?.change(of: node)?.rawValue),
                        "changes": .array(
                            changes.map {
                                [
                                    "name": .string(printable($0.name)), "before": .string(printable($0.before)),
                                    "after": .string(printable($0.after)),
                                ]
                            }),
                    ]
                }),
            "edges": .array(
                graph.edges.map { edge in
                    let times = edge.count > 1 ? " \(edge.count) times" : ""
                    return [
                        "kind": .string(edge.kind.rawValue), "from": .string(edge.from), "to": .string(edge.to),
                        "words": .string(edge.kind.words + times), "passive": .string(edge.kind.passive + times),
                        "isObserved": .bool(edge.kind.isObserved),
                    ]
                }),
        ]
    }

    private static func words(_ node: GraphNode) -> String {
        switch node.kind {
        case .route: node.fact("kind").map { printable($0) } ?? "route"
        case .extensionPoint: "extension point"
        default: node.kind.rawValue
        }
    }

    private static func fact(_ fact: GraphNode.Fact) -> JSONText {
        ["name": .string(printable(fact.name)), "value": .string(printable(fact.value))]
    }
}

extension GraphEdge.Kind {
    /// The relation as a verb from the other end.
    var passive: String {
        switch self {
        case .requires: "is required by"
        case .requiresOnDemand: "is required on demand by"
        case .guards: "is asked first by"
        case .extends: "is extended by"
        case .links: "is linked from"
        case .fallsBack: "is the fallback of"
        case .calls: "is called by"
        }
    }
}
