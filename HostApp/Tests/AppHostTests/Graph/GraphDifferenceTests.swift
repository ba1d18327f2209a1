import Console
import Testing

@testable import AppHost

@Suite("Differences of graphs", .tags(.small))
struct GraphDifferenceTests {
    private var later: AppGraph {
        var graph = AppGraph(title: "Store")
        graph.add(GraphNode(.bundle, "Shop", id: "shop", team: "com.example", facts: [.init("version", "1.1.0")]))
        graph.add(GraphNode(.bundle, "Account", id: "account"))
        graph.add(GraphNode(.route, "shop/deals", id: "deals", parent: "shop"))
        graph.add(GraphNode(.action, "Account.signIn", id: "action", parent: "account"))
        graph.add(GraphEdge(.requires, from: "shop", to: "account", label: "^1.1.0"))
        return graph
    }

    @Test("The text has removed, added and changed parts and relations, with the facts that differ")
    func text() {
        let difference = GraphDifference(from: .sample, to: later)
        #expect(
            difference.text(for: Terminal(isTerminal: false, columns: nil) { _ in nil }) == """
                - route shop/:id of Shop
                - route shop/:id of Shop asks first action Account.signIn of Account
                + route shop/deals of Shop
                ~ bundle Shop
                    version: 1.0.0 -> 1.1.0
                ~ bundle Shop requires bundle Account ^1.1.0

                """)
        #expect(difference.graph.nodes.count == 5 && difference.graph.edges.count == 2)
    }

    @Test("Equal graphs do not differ, however often something was called")
    func equal() {
        var called = AppGraph.sample
        called.add(GraphEdge(.calls, from: "shop", to: "action", count: 1))
        var again = called
        again.add(GraphEdge(.calls, from: "shop", to: "action", count: 5))
        #expect(GraphDifference(from: called, to: again).isEmpty)
        #expect(!GraphDifference(from: .sample, to: called).isEmpty)
    }
}
