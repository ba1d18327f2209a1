import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("Graphs of an app", .tags(.large))
struct GraphTests {
    @Test("A graph has bundles, teams, routes, actions, extensions and their declared relations")
    func content() async throws {
        let host = try await Scene(installed: Scene.shop, Scene.orders, Scene.account, "com.example.app.notes").host
        let graph = try await host.run("graph", "--json").json(as: JSON.self)
        let kinds = Set(graph.nodes.elements.map(\.kind))
        #expect(kinds == ["host", "bundle", "route", "action", "service", "extension", "extensionPoint"])
        #expect(graph.nodes.elements.contains { $0.id.string == "bundle \(Scene.shop)" && $0.team == "com.example" })
        #expect(graph.has("requires", "bundle \(Scene.shop)", "bundle com.example.lib.money"))
        #expect(graph.has("requiresOnDemand", "bundle \(Scene.shop)", "bundle \(Scene.account)"))
        #expect(
            graph.has("guards", "route \(Scene.orders) manifest orders", "action Account.requireSignIn"))
        #expect(graph.has("extends", "extension com.example.app.notes.share", "point share"))
        #expect(
            graph.has("links", "route \(Scene.shop) manifest shop/about", "route \(Scene.shop) manifest shop"))
        #expect(!graph.edges.elements.contains { $0.kind == "calls" })
    }

    @Test("With a trace, a graph shows who has called whom")
    func calls() async throws {
        let host = try await Scene(installed: Scene.shop, Scene.account).host
        let folder = try ThrowawayFolder()
        let trace = folder.appending("trace.json").string
        try await host.run("open", "app://shop/gift", "--tap", "choose", "--trace", trace).succeeded()
        let graph = try await host.run("graph", "--json", "--calls", trace).json(as: JSON.self)
        #expect(graph.has("calls", "host", "route \(Scene.shop) manifest shop/gift"), "\(graph.edges)")
        #expect(graph.has("calls", "bundle \(Scene.shop)", "action Account.profilePage"), "\(graph.edges)")
        let drawing = try await host.run("graph", "--calls", trace, "--format", "svg")
        #expect(drawing.stdout.contains("class=\"edge calls\"") && drawing.stdout.contains(">calls<"))
    }

    @Test(
        "A file that is no trace is an error with status 65",
        arguments: [
            "", "{}", "[{\"name\":1}]", "[[[[",
            "[{\"name\":\"a\",\"cat\":\"load\",\"ph\":\"B\",\"ts\":1,\"dur\":1,\"tid\":0}]",
            "[{\"name\":\"a\",\"cat\":\"load\",\"ph\":\"X\",\"ts\":1e300,\"dur\":1,\"tid\":0}]",
        ])
    func foreignTrace(text: String) async throws {
        let folder = try ThrowawayFolder()
        try folder.write(text, to: "trace.json")
        let result = try await HostApp.find().with(sandbox: ThrowawaySandbox()).run(
            "graph", "--calls", folder.appending("trace.json").string)
        #expect(result.status == 65 && result.stderr.contains("hostapp --trace"), "\(result)")
    }
}

extension JSON {
    /// Returns whether a graph has an edge.
    fileprivate func has(_ kind: String, _ from: String, _ to: String) -> Bool {
        self.edges.elements.contains { [$0.kind, $0.from, $0.to].map(\.string) == [kind, from, to] }
    }
}
