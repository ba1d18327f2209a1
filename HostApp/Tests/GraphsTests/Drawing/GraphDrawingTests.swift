import Foundation
import Testing

@testable import Graphs

@Suite("Drawings of graphs", .tags(.large))
struct GraphDrawingTests {
    @Test(
        "A drawing is well-formed XML with names that cannot leave their places, whole names in tool tips, and no invisible characters"
    )
    func hostile() throws {
        let name = "</text><script>\"'&\u{202E}\u{0}\n" + String(repeating: "long ", count: 40)
        var graph = AppGraph(title: name)
        graph.add(GraphNode(.bundle, name, id: name, team: name, facts: [.init("version", name)]))
        graph.add(GraphNode(.route, name, id: "r", parent: name, facts: [.init("kind", name)]))
        graph.add(GraphEdge(.links, from: "r", to: name, label: name))
        let layout = try GraphLayout(graph)
        let svg = GraphDrawing(layout).svg
        #expect(!svg.contains("<script") && !svg.unicodeScalars.contains("\u{202E}") && svg.contains("…</text>"))
        #expect(svg.contains("<title>route &lt;/text&gt;&lt;script&gt;&quot;&#39;&amp;\\u{202E}\\u{0}\\nlong long"))
        // xmllint is not everywhere; Python's parser is as strict.
        let program = Process()
        let input = Pipe()
        program.executableURL = URL(filePath: "/usr/bin/env")
        program.arguments = ["python3", "-c", "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.stdin.buffer)"]
        program.standardInput = input
        try program.run()
        input.fileHandleForWriting.write(Data(svg.utf8))
        try input.fileHandleForWriting.close()
        program.waitUntilExit()
        #expect(program.terminationStatus == 0)
    }

    @Test("Changes have signs, not colors alone")
    func signs() throws {
        var later = AppGraph.sample
        later.add(GraphNode(.route, "shop/deals", id: "deals", parent: "shop"))
        let difference = GraphDifference(from: .sample, to: later)
        let svg = GraphDrawing(try GraphLayout(difference.graph), difference: difference).svg
        #expect(svg.contains("<g class=\"node route added\"") && svg.contains(">+</text>") && svg.contains("~ changed"))
    }
}
