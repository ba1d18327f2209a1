import Console
import Foundation
import PluginCore
import Testing

@testable import Graphs

@Suite("Layout by Graphviz", .tags(.large))
struct GraphvizTests {
    // A program may end without reading, as in any host, which ignores the signal first.
    init() { StandardOutput.ignoreBrokenPipes() }

    /// Returns the error of a layout by a shell script in the place of Graphviz.
    private func error(of script: String, limit: Duration = .seconds(60)) throws -> AtriumError? {
        let file = FileManager.default.temporaryDirectory.appending(path: "dot-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
        var error: AtriumError?
        // A script cannot be started while a child process of another test has a copy of the descriptor that wrote it.
        for attempt in 0..<100 {
            if attempt > 0 { Thread.sleep(forTimeInterval: 0.01) }
            error = #expect(throws: AtriumError.self) {
                try GraphLayout(.sample, by: Graphviz(program: file.path, limit: limit))
            }
            guard error?.reason?.name == "startingFailed" else { return error }
        }
        return error
    }

    @Test("Each part has a place inside of its team, and each relation a curve")
    func layout() throws {
        let layout = try GraphLayout(.sample)
        #expect(layout.cards.count == 2 && layout.curves.count == 2)
        let team = try #require(layout.teams.first)
        let shop = try #require(layout.cards.first { $0.card.node.id == "shop" })
        #expect(team.box.x <= shop.box.x && team.box.y <= shop.box.y)
        #expect(team.box.x + team.box.width >= shop.box.x + shop.box.width)
        #expect(team.box.y + team.box.height >= shop.box.y + shop.box.height)
        #expect(layout.curves.values.allSatisfy { $0.points.count % 3 == 1 && $0.tip != nil })
    }

    @Test("No name reaches Graphviz")
    func names() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "input-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let error = try error(of: "cat > '\(file.path)'; echo '{}'")
        #expect(error?.reason?.name == "graphvizAnswer")
        let input = try String(contentsOf: file, encoding: .utf8)
        #expect(input.hasPrefix("digraph {") && !input.lowercased().contains("shop"))
    }

    @Test("A program that hangs is killed at the time limit, whether it reads or not")
    func hanging() throws {
        #expect(try error(of: "exec sleep 1000", limit: .milliseconds(200))?.reason?.name == "graphvizTooSlow")
    }

    @Test("A program that fails, that is missing, or that answers nonsense is an error")
    func failing() throws {
        #expect(try error(of: "cat >/dev/null; exit 3")?.reason?.description == "graphvizStatus(status: 3)")
        #expect(try error(of: "echo nonsense")?.reason?.name == "graphvizAnswer")
        let missing = #expect(throws: AtriumError.self) {
            try GraphLayout(.sample, by: Graphviz(program: "/nowhere/dot"))
        }
        #expect(missing?.code == .graphvizMissing)
    }
}
