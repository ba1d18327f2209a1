import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("Pictures of the documentation", .tags(.large))
struct PictureTests {
    @Test("A screen with colors, wide characters and a hostile title becomes a picture")
    func screen() async throws {
        let script = Executable(FilePath(DocumentPage.root.appending(path: "Scripts/lib/screen-picture").path))
        let result = try await script.run(
            "--title", "<script>", "--columns", "30",
            input: "\u{1B}[1;31mred\u{1B}[0m 名前 x\nsecond \u{1B}[7mreverse\u{1B}[m </text>\n")
        try #require(result.status == 0, "\(result)")
        let picture = result.stdout
        #expect(picture.contains(##"fill="#ff7b72" xml:space="preserve" font-weight="700""##), "\(picture)")
        #expect(picture.contains(">red</text>") && picture.contains(">名</text>") && picture.contains("&lt;/text&gt;"))
        #expect(!picture.contains("<script"))
        let folder = try ThrowawayFolder()
        try folder.write(picture, to: "screen.svg")
        _ = try await Browser.visit(folder.appending("screen.svg"), .picture(folder.appending("screen.png")))
    }

    @Test("Scripts/pictures makes each picture of Documentation/Pictures that README.md shows")
    func pictures() async throws {
        let folder = try ThrowawayFolder()
        let script = Executable(FilePath(DocumentPage.root.appending(path: "Scripts/pictures").path))
        let environment = ProcessInfo.processInfo.environment.merging(["ATRIUM_PICTURES": folder.path.string]) { $1 }
        let result = try await script.run("--no-build", environment: environment, timeout: .seconds(180))
        try #require(result.status == 0, "\(result)")
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
            .evaluate("document.querySelectorAll('.edge.calls').length > 2 ? 'calls' : 'none'"))
        #expect(visit.values == ["calls"])
    }

    /// Returns a picture without the sizes of packages, which depend on the build.
    private func linesWithoutSizes(_ picture: String) -> [String] {
        picture.replacing(#/[0-9.]+ [kM]B +/#, with: "SIZE ").components(separatedBy: "\n")
    }

    /// Returns the texts of a drawing by Graphviz, whose places depend on its version and on the installed fonts.
    private func texts(_ picture: String) -> [String] {
        picture.matches(of: />([^<>\n]+)</).map { String($0.output.1) }.sorted()
    }

    @Test("The recording of the demo is an asciicast that contains the crash and the version before")
    func recording() async throws {
        struct Header: Decodable {
            let version: Int
            let width: Int
            let height: Int
        }
        let folder = try ThrowawayFolder()
        let file = folder.appending("demo.cast").string
        let script = Executable(FilePath(DocumentPage.root.appending(path: "Scripts/demo").path))
        let result = try await script.run(
            "--no-build", "--record", file, environment: ProcessInfo.processInfo.environment, timeout: .seconds(300))
        try #require(result.status == 0, "\(result)")
        let lines = String(decoding: try folder.bytes(of: "demo.cast"), as: UTF8.self).split(separator: "\n")
        let header = try JSONDecoder().decode(Header.self, from: Data(try #require(lines.first).utf8))
        #expect(header.version == 2 && header.width == 110 && header.height == 32)
        var (time, output) = (0.0, "")
        for line in lines.dropFirst() {
            let event = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [Any])
            let (moment, kind) = (try #require(event[0] as? Double), try #require(event[1] as? String))
            #expect(event.count == 3 && moment >= time && kind == "o")
            time = moment
            output += try #require(event[2] as? String)
        }
        #expect(output.contains("1.1.0 crashed the host (SIGILL) when its page was shown; 1.0.0 is active again"))
        #expect(output.contains("That was the main job."))
        #expect(output.contains("\u{1B}[1m"), "a recording is of a terminal, with its styles")
    }
}
