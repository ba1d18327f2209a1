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
    }
}

extension JSON {
    /// Returns whether a graph has an edge.
    fileprivate func has(_ kind: String, _ from: String, _ to: String) -> Bool {
        self.edges.elements.contains { [$0.kind, $0.from, $0.to].map(\.string) == [kind, from, to] }
    }
}
