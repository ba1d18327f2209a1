import Console
import PluginCore
import Testing

@testable import Graphs

extension AppGraph {
    /// Two bundles, one of which requires the other and asks its action first.
    static var sample: AppGraph {
        var graph = AppGraph(title: "Store")
        graph.add(GraphNode(.bundle, "Shop", id: "shop", team: "com.example", facts: [.init("version", "1.0.0")]))
        graph.add(GraphNode(.bundle, "Account", id: "account"))
        graph.add(
            GraphNode(.route, "shop/:id", id: "route", parent: "shop", facts: [.init("exposure", "external")]))
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
        let error = #expect(throws: AtriumError.self) {
            try AppGraph(document: Array("{\"formatVersion\":1,\"title\":\"x\",\(fields)}".utf8), named: "old.json")
        }
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

    @Test("The DOT text has each part once, and no name ends its quotation")
    func dot() {
        var graph = AppGraph(title: "x")
        graph.add(GraphNode(.bundle, "a\"]; evil -> \\\n\u{202E}", id: "a"))
        #expect(graph.dot.contains(#"n1 [shape=component, label="a\"]; evil -> \\\\n\\u{202E}"];"#), "\(graph.dot)")
    }
}
