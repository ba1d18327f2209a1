import Console
import PluginCore
import Testing

@testable import AppHost

extension AppGraph {
    /// Two bundles, one of which requires the other and asks its action first.
    static var sample: AppGraph {
        var graph = AppGraph(title: "Store")
        graph.add(GraphNode(.bundle, "Shop", id: "shop", team: "com.example", facts: [.init("version", "1.0.0")]))
        graph.add(GraphNode(.bundle, "Account", id: "account"))
        graph.add(GraphNode(.route, "shop/:id", id: "route", parent: "shop", facts: [.init("exposure", "external")]))
        graph.add(GraphNode(.action, "Account.signIn", id: "action", parent: "account"))
        graph.add(GraphEdge(.requires, from: "shop", to: "account", label: "^1.0.0"))
        graph.add(GraphEdge(.guards, from: "route", to: "action"))
        return graph
    }
}

@Suite("Graphs as data", .tags(.small))
struct AppGraphTests {
    @Test("A graph that was written is read back unchanged")
    func roundTrip() throws {
        var graph = AppGraph.sample
        graph.add(GraphEdge(.calls, from: "shop", to: "action", count: 3))
        #expect(try AppGraph(document: Array(graph.json.text(pretty: true).utf8), named: "old.json") == graph)
    }

    @Test("Calls between the same parts are counted, and relations to unknown parts are left out")
    func calls() {
        var graph = AppGraph.sample
        for _ in 0..<3 { graph.add(GraphEdge(.calls, from: "shop", to: "action", count: 1)) }
        graph.add(GraphEdge(.calls, from: "shop", to: "nobody", count: 1))
        #expect(graph.edges.filter { $0.kind == .calls }.map(\.count) == [3])
    }

    @Test(
        "A document with contradictions is rejected",
        arguments: [
            #""nodes":[{"id":"a","kind":"route","name":"","parent":"b","isMissing":false,"facts":[]}],"edges":[]"#,
            #""nodes":[{"id":"a","kind":"bundle","name":"","isMissing":false,"facts":[]},{"id":"a","kind":"bundle","name":"","isMissing":false,"facts":[]}],"edges":[]"#,
            #""nodes":[],"edges":[{"kind":"calls","from":"a","to":"b","label":"","count":1}]"#,
            #""nodes":[{"id":"a","kind":"bundle","name":"","isMissing":false,"facts":[]}],"edges":[{"kind":"calls","from":"a","to":"a","label":"","count":-1}]"#,
            #""nodes":[{"id":"a","kind":"planet","name":"","isMissing":false,"facts":[]}],"edges":[]"#,
        ])
    func contradictions(fields: String) {
        let document = Array("{\"formatVersion\":1,\"title\":\"x\",\(fields)}".utf8)
        let error = #expect(throws: AtriumError.self) { try AppGraph(document: document, named: "old.json") }
        #expect(error?.reason?.name == "notGraph")
    }

    @Test("A document of an unknown format version and one that is too large are rejected with the reason")
    func bounds() {
        func reason(_ bytes: [UInt8]) -> String? {
            #expect(throws: AtriumError.self) { try AppGraph(document: bytes, named: "old.json") }?.reason?.name
        }
        #expect(reason(Array(#"{"formatVersion":2,"title":"x","nodes":[],"edges":[]}"#.utf8)) == "formatExpected")
        #expect(reason(Array(repeating: 0x20, count: AppGraph.limits.size + 1)) == "fileTooLarge")
        let node = { (id: Int) in #"{"id":"\#(id)","kind":"bundle","name":"","isMissing":false,"facts":[]}"# }
        let many = (0...AppGraph.limits.nodes).map(node).joined(separator: ",")
        #expect(
            reason(Array(#"{"formatVersion":1,"title":"x","nodes":[\#(many)],"edges":[]}"#.utf8)) == "graphTooLarge")
    }

    @Test("The DOT text has a frame for each team and bundle, and each declared or observed part and relation once")
    func dot() {
        var graph = AppGraph.sample
        graph.add(GraphEdge(.calls, from: "shop", to: "action", count: 3))
        #expect(
            graph.dot() == """
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
                  n0 -> n3 [style=bold, label="calls 3 times", class=calls];
                }

                """)
    }

    @Test("In DOT, no name ends its quotation, or is an escape or a character reference")
    func hostile() {
        let text = DOTText.quoted("a\"]; evil -> \\N &#8238;\n\u{202E}\u{FFFE}")
        #expect(text == #""a\"]; evil -> \\N &amp;#8238;\\n\\u{202E}"# + "\u{FFFD}\"", "\(text)")
    }

    @Test("In DOT, changes have signs, not colors alone")
    func signs() {
        var later = AppGraph.sample
        later.add(GraphNode(.route, "shop/deals", id: "deals", parent: "shop"))
        later.add(GraphEdge(.links, from: "deals", to: "route"))
        let difference = GraphDifference(from: .sample, to: later)
        let dot = difference.graph.dot(difference)
        #expect(dot.contains(##"label="+ shop/deals""##) && dot.contains(#"class="route added""#), "\(dot)")
        #expect(dot.contains(##"label="+ links to""##), "\(dot)")
    }
}
