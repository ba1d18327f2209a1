import Console
import Foundation
import PluginCore
import Testing

@testable import AppHost

@Suite("Drawings by Graphviz", .tags(.large))
struct GraphvizTests {
    /// Returns the error of a drawing by a shell script in the place of Graphviz, whose fourth descriptor is the drawing.
    private func error(of script: String, limit: Duration = .seconds(60)) throws -> AtriumError? {
        let folder = try TemporaryFolder()
        let file = try folder.write("#!/bin/sh\n\(script)\n", to: "dot")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.string)
        var error: AtriumError?
        // A script cannot be started while a child process of another test has a copy of the descriptor that wrote it.
        for attempt in 0..<100 {
            if attempt > 0 { Thread.sleep(forTimeInterval: 0.01) }
            error = #expect(throws: AtriumError.self) {
                try Graphviz(searchPath: folder.path.string, limit: limit).svg(of: AppGraph.sample.dot)
            }
            guard error?.reason?.name == "startingFailed" else { return error }
        }
        return error
    }

    @Test(
        "A drawing is well-formed XML with names that cannot leave their places, and without invisible characters",
        arguments: ["", "&#8238;", "&amp;#8238;", "&amp;amp;#8238;", "\\N\\G\\l", "\u{FFFE}"])
    func hostile(end: String) throws {
        let name = "</text><script>\"'&\u{202E}\u{0}\n" + String(repeating: "long ", count: 40) + end
        var graph = AppGraph(title: name)
        graph.add(GraphNode(kind: .bundle, name: name, id: name, team: name, facts: [("version", name)]))
        graph.add(GraphNode(kind: .route, name: name, id: "r", parent: name, facts: [("kind", name)]))
        graph.add(GraphEdge(kind: .links, from: "r", to: name, detail: name))
        let svg = try Graphviz(searchPath: "/usr/local/bin:/usr/bin:/bin").svg(of: graph.dot)
        #expect(!svg.contains("<script") && !svg.unicodeScalars.contains("\u{202E}"))
        // xmllint is not everywhere; Python's parser is as strict.
        let script = """
            import sys, xml.dom.minidom as dom
            texts = dom.parse(sys.stdin.buffer).getElementsByTagName("text")
            sys.stdout.buffer.write("\\n".join(t.firstChild.data for t in texts).encode())
            """
        let (status, texts) = try runProgram("python3", ["-c", script], input: svg)
        #expect(status == 0)
        // A reader sees each name as the other commands print it.
        #expect(texts.split(separator: "\n").contains { $0 == printable(name).replacing("\u{FFFE}", with: "\u{FFFD}") })
    }

    @Test("A program that hangs, writes without end, fails, is missing, or answers nonsense is an error")
    func failing() throws {
        #expect(try error(of: "exec sleep 1000", limit: .milliseconds(200))?.reason?.name == "graphvizTooSlow")
        #expect(try error(of: "exec cat /dev/zero > /proc/self/fd/4")?.reason?.name == "answerTooLarge")
        #expect(try error(of: "exit 3")?.reason?.description == "graphvizStatus(status: 3)")
        #expect(try error(of: "echo nonsense > /proc/self/fd/4")?.reason?.name == "graphvizAnswer")
        let missing = #expect(throws: AtriumError.self) { try Graphviz(searchPath: "/nowhere").svg(of: "digraph {}") }
        #expect(missing?.code == .graphvizMissing)
    }
}
