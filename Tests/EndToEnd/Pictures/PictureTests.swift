import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("Pictures of the documentation", .tags(.large))
struct PictureTests {
    @Test("Scripts/pictures makes each picture of Documentation/Pictures that README.md shows")
    func pictures() async throws {
        let folder = try ThrowawayFolder()
        let script = Executable(FilePath(DocumentPage.root.appending(path: "Scripts/pictures").path))
        let environment = ProcessInfo.processInfo.environment.merging(["ATRIUM_PICTURES": folder.path.string]) { $1 }
        try await script.run("--no-build", environment: environment, timeout: .seconds(180)).succeeded()
        let readme = try DocumentPage("README.md").text
        let shown = readme.matches(of: /Documentation\/Pictures\/([a-z]+\.svg)/).map { String($0.output.1) }
        #expect(Set(shown) == ["graph.svg", "page.svg", "screens.svg", "store.svg"])
        for name in shown {
            let lines = name == "graph.svg" ? texts : linesWithoutSizes
            let made = lines(String(decoding: try folder.bytes(of: name), as: UTF8.self))
            let kept = lines(try DocumentPage("Documentation/Pictures/\(name)").text)
            #expect(made.difference(from: kept).isEmpty, "\(name) is not what Scripts/pictures makes now; run it")
        }
        let visit = try await Browser.visit(
            folder.appending("graph.svg"), .picture(folder.appending("graph.png")),
            .evaluate("document.querySelectorAll('.edge.requires').length > 2 ? 'requires' : 'none'"))
        #expect(visit.values == ["requires"])
    }

    /// Returns a picture without the sizes of packages, which depend on the build.
    private func linesWithoutSizes(_ picture: String) -> [String] {
        picture.replacing(#/[0-9.]+ [kM]B +/#, with: "SIZE ").components(separatedBy: "\n")
    }

    /// Returns the texts of a drawing by Graphviz, whose places depend on its version and on the installed fonts.
    private func texts(_ picture: String) -> [String] {
        picture.matches(of: />([^<>\n]+)</).map { String($0.output.1) }.sorted()
    }

    @Test("The demo succeeds, keeps the state of its session, shows the README's transcript, and can be recorded")
    func demo() async throws {
        let folder = try ThrowawayFolder()
        let script = Executable(FilePath(DocumentPage.root.appending(path: "Scripts/demo").path))
        try await script.run(
            "--no-build", "--record", folder.appending("demo.cast").string,
            environment: ProcessInfo.processInfo.environment, timeout: .seconds(300)
        ).succeeded()
        let lines = String(decoding: try folder.bytes(of: "demo.cast"), as: UTF8.self).split(separator: "\n")
        let values = try lines.map { try JSONDecoder().decode(JSON.self, from: Data($0.utf8)) }
        // A header comes first; each event has a time, a kind, and a text.
        #expect(values[0].version == 2 && values[0].width == 110)
        let styled = values.dropFirst().filter { $0.elements.count == 3 }.map { $0.elements[2].string }.joined()
        #expect(styled.contains("\u{1B}[1m"), "a recording is of a terminal, with its styles")
        let shown = styled.replacing(/\u{1B}\[[0-9;]*m/, with: "").replacing("\r\n", with: "\n")
        #expect(shown.contains("Bought Desk lamp: order 2\n") && shown.contains("That was the main job."), "\(shown)")
        #expect(shown.contains("1.1.0 crashed the host (SIGILL) when its page was shown; 1.0.0 is active again\n"))
        var rest = shown[...]
        let transcript = try #require(try DocumentPage("README.md").blocks().first)
        for command in transcript.split(separator: "\n") where command.hasPrefix("$ ") {
            let command = command.replacing(#/ +# .*/#, with: "")
            rest = rest[try #require(rest.firstRange(of: "\(command)\n"), "\(command): \(shown)").upperBound...]
        }
    }
}
