import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("The documentation site", .tags(.large), .timeLimit(.minutes(10)))
struct SiteTests {
    @Test("The site is built without a warning or a broken link, has a page for each article, and starts with them")
    func build() async throws {
        let folder = try ThrowawayFolder()
        let site = folder.appending("site")
        let script = Executable(FilePath(DocumentPage.root.appending(path: "Scripts/lib/make-docs").path))
        try await script.run(site.string, "/atrium", timeout: .seconds(500)).succeeded()
        #expect(try site.appending("index.html").text.contains("url=/atrium/documentation/atrium/"))
        let articles = try FileManager.default.contentsOfDirectory(
            atPath: DocumentPage.root.appending(path: "Documentation/Atrium.docc").path)
        #expect(articles.count > 7)
        for article in articles where article != "Atrium.md" {
            let name = article.dropLast(".md".count).lowercased()
            let page = site.appending("documentation/atrium/\(name)/index.html").string
            #expect(try String(contentsOfFile: page, encoding: .utf8).contains("href=\"/atrium/css/"), "\(name)")
        }
        for symbol in [
            "plugincore/bundledelegate", "pluginrouter/router", "pluginruntime/host", "tuf/tufclient",
        ] {
            #expect(folder.contains("site/data/documentation/\(symbol).json"), "\(symbol)")
        }
    }

    @Test("A folder with other files is not replaced by the site")
    func otherFolder() async throws {
        let folder = try ThrowawayFolder()
        try folder.write("mine", to: "site/notes.txt")
        let script = Executable(FilePath(DocumentPage.root.appending(path: "Scripts/lib/make-docs").path))
        let result = try await script.run(folder.appending("site").string, timeout: .seconds(60))
        #expect(result.status == 1 && result.stderr.contains("is not empty"), "\(result)")
        #expect(folder.contains("site/notes.txt"))
    }
}
