import Console
import PluginCore
import Testing

@testable import AppHost

extension AppGraph {
    /// Two bundles, one of which requires the other and asks its action first.
    static var sample: AppGraph {
        var graph = AppGraph(title: "Store")
        graph.add(
            GraphNode(kind: .bundle, name: "Shop", id: "shop", team: "com.example", facts: [("version", "1.0.0")]))
        graph.add(GraphNode(kind: .bundle, name: "Account", id: "account"))
        graph.add(
            GraphNode(kind: .route, name: "shop/:id", id: "route", parent: "shop", facts: [("exposure", "external")]))
        graph.add(GraphNode(kind: .action, name: "Account.signIn", id: "action", parent: "account"))
        graph.add(GraphEdge(kind: .requires, from: "shop", to: "account", detail: "^1.0.0"))
        graph.add(GraphEdge(kind: .guards, from: "route", to: "action"))
        return graph
    }
}

@Suite("Graphs as data", .tags(.small))
struct AppGraphTests {
    @Test("A relation counts once, and none leads to an unknown part")
    func relations() {
        var graph = AppGraph.sample
        graph.add(GraphEdge(kind: .guards, from: "route", to: "action"))
        graph.add(GraphEdge(kind: .guards, from: "route", to: "nobody"))
        #expect(graph.edges.map(\.kind) == [.requires, .guards])
    }

    @Test("In DOT, no name ends its quotation, or is an escape or a character reference")
    func hostile() {
        let text = DOTText.quoted("a\"]; evil -> \\N &#8238;\n\u{202E}\u{FFFE}")
        #expect(text == #""a\"]; evil -> \\N &amp;#8238;\\n\\u{202E}"# + "\u{FFFD}\"", "\(text)")
    }
}
