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

    @Test("The DOT text has a frame for each team and bundle, and each part and relation once")
    func dot() {
        #expect(
            AppGraph.sample.dot == """
                digraph app {
                  rankdir=LR;
                  fontname="sans-serif";
                  label="Store";
                  node [fontname="sans-serif", fontsize=11, style=filled, fillcolor=white];
                  edge [fontname="sans-serif", fontsize=9];
                    subgraph cluster_n1 {
                      label="Account"; style=filled; fillcolor="#f6f8fa";
                      n1 [shape=component, label="Account", tooltip="bundle Account", class=bundle];
                      n3 [shape=ellipse, label="Account.signIn", tooltip="action Account.signIn of Account", class=action];
                    }
                  subgraph cluster_team1 {
                    label="team com.example"; style=dotted;
                    subgraph cluster_n0 {
                      label="Shop 1.0.0"; style=filled; fillcolor="#f6f8fa";
                      n0 [shape=component, label="Shop", tooltip="bundle Shop", class=bundle];
                      n2 [shape=box, label="shop/:id [external]", tooltip="route shop/:id of Shop", class=route];
                    }
                  }
                  n0 -> n1 [style=solid, label="requires ^1.0.0", class=requires];
                  n2 -> n3 [style=dashed, label="asks first", class=guards];
                }

                """)
    }

    @Test("In DOT, no name ends its quotation, or is an escape or a character reference")
    func hostile() {
        let text = DOTText.quoted("a\"]; evil -> \\N &#8238;\n\u{202E}\u{FFFE}")
        #expect(text == #""a\"]; evil -> \\N &amp;#8238;\\n\\u{202E}"# + "\u{FFFD}\"", "\(text)")
    }
}
