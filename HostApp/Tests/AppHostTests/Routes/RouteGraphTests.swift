import Testing

@testable import AppHost

@Suite("Graphs of routes", .tags(.small))
struct RouteGraphTests {
    private let graph = RouteGraph(
        RouteListing([
            .sample("orders", interceptors: ["Account.requireSignIn"]),
            .sample("orders/:id", exposure: "external", interceptors: ["Account.requireSignIn"]),
        ]))

    @Test("The DOT graph contains each bundle, route and interceptor once, with their edges")
    func dot() {
        #expect(
            graph.dot == """
                digraph routes {
                  rankdir=LR;
                  node [fontname="sans-serif"];
                  n1 [shape=component, label="com.example.shop"];
                  n2 [shape=box, label="orders"];
                  n3 [shape=diamond, label="Account.requireSignIn"];
                  n4 [shape=box, label="orders/:id [external]"];
                  n2 -> n1 [label="page"];
                  n3 -> n2;
                  n4 -> n1 [label="page"];
                  n3 -> n4;
                }

                """)
    }

    @Test("The Mermaid graph contains each bundle, route and interceptor once, with their edges")
    func mermaid() {
        #expect(
            graph.mermaid == """
                flowchart LR
                  n1[["com.example.shop"]]
                  n2["orders"]
                  n3{"Account.requireSignIn"}
                  n4["orders/:id [external]"]
                  n2 -->|"page"| n1
                  n3 --> n2
                  n4 -->|"page"| n1
                  n3 --> n4

                """)
    }

    @Test("Special characters of a pattern are escaped in labels")
    func hostile() {
        let hostile = RouteGraph(RouteListing([.sample("a\"]; evil -> \\\n")]))
        #expect(hostile.dot.contains(#"label="a\"]; evil -> \\\\n""#))
        #expect(!RouteGraph(RouteListing([.sample("a\u{202E}b")])).dot.contains("\u{202E}"))
        #expect(hostile.mermaid.contains(#"n2["a#34;]#59; evil -#62; \?"]"#))
        #expect(hostile.dot.split(separator: "\n").count == 7)
    }
}
