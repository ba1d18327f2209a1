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

    @Test("A difference shows what another version of a plugin adds, removes and changes, in words and in the drawing")
    func difference() async throws {
        let host = try await Scene(installed: "\(Scene.shop)@1.0.0").host
        let folder = try ThrowawayFolder()
        let saved = folder.appending("old.json").string
        try await host.run("graph", "--output", saved).succeeded()
        let same = try await host.run("graph", "--diff", saved)
        #expect(same.status == 0 && same.stdout == "Nothing differs.\n", "\(same)")

        let next = try await host.run("graph", "--diff", "\(Scene.shop)@1.1.0")
        #expect(next.status == 1 && next.stdout.contains("+ route shop/deals of \(Scene.shop)\n"), "\(next)")
        #expect(next.stdout.contains("~ bundle Shop\n    version: 1.0.0 -> 1.1.0\n"), "\(next)")

        try await host.run("update", Scene.shop).succeeded()
        let later = try await host.run("graph", "--diff", saved)
        #expect(later.status == 1 && later.stdout.contains("+ route shop/deals of \(Scene.shop)\n"), "\(later)")
        let drawing = try await host.run("graph", "--diff", saved, "--format", "svg")
        #expect(drawing.stdout.contains("class=\"node route added\"") && drawing.stdout.contains(">+ shop/deals"))
    }

    @Test("Two sandboxes can be compared")
    func sandboxes() async throws {
        let (one, other) = (try ThrowawaySandbox(), try ThrowawaySandbox())
        let host = try HostApp.find()
        for (sandbox, bundle) in [(one, "\(Scene.shop)@1.0.0"), (other, "\(Scene.shop)@1.1.0")] {
            try await host.with(sandbox: sandbox).run("install", bundle).succeeded()
        }
        let result = try await host.with(sandbox: other).run("graph", "--diff", one.root.string)
        #expect(result.status == 1 && result.stdout.contains("+ route shop/deals of \(Scene.shop)\n"), "\(result)")
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
