import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("Timelines of traces", .tags(.large))
struct TimelineTests {
    @Test("The page of a trace shows its intervals, the longest and the times by category, and finds what one types")
    func page() async throws {
        let host = try HostApp.find().with(sandbox: ThrowawaySandbox())
        let folder = try ThrowawayFolder()
        let (trace, page) = (folder.appending("trace.json"), folder.appending("trace.html"))
        let opened = try await host.run(
            "open", "app://shop/item/42", "--tap", "buy", "--trace", trace.string)
        try #require(opened.status == 0, "\(opened)")
        let written = try await host.run("timeline", trace.string, "--output", page.string)
        try #require(written.status == 0 && written.stdout == "\(page.string)\n", "\(written)")
        let visit = try await Browser.visit(
            page, .size(1300, 900), .picture(folder.appending("light.png")),
            .evaluate("[...document.querySelectorAll('#categories tbody tr')].map(e => e.dataset.category).join(' ')"),
            .evaluate("document.querySelector('#longest tbody td').textContent"),
            .click("#longest tbody tr:nth-child(2)"),
            .evaluate("document.querySelector('#detail strong').textContent"),
            .evaluate("document.querySelector('#longest tbody tr:nth-child(2) td').textContent"),
            .click("#whole"), .click("#timeline", x: 0.5, y: 0.2),
            .evaluate("document.querySelector('#detail strong').textContent"),
            .point("#timeline", x: 0.6, y: 0.2),
            .evaluate(
                "document.getElementById('tip').hidden + ' ' + document.querySelector('#tip strong').textContent"),
            .click("#search"), .type("app://shop"), .evaluate("document.getElementById('count').textContent"),
            .wheel("#timeline", -300), .scheme("dark"), .picture(folder.appending("dark.png")))
        for category in ["command", "route", "install", "load", "action"] {
            #expect(visit.values[0].split(separator: " ").contains(Substring(category)), "\(visit.values)")
        }
        #expect(visit.values[1] == "open")
        #expect(visit.values[2] == visit.values[3])
        #expect(visit.values[4] == "open")
        #expect(visit.values[5] == "false open")
        #expect(visit.values[6] == "1 match")
    }

    @Test("A hostile trace runs nothing in the page")
    func hostile() async throws {
        let folder = try ThrowawayFolder()
        let name = #"</script><script>console.log(1)</script><img src=x onerror=console.log(2)>\n\u202e'\"&"#
        try folder.write(
            "[\n{\"name\":\"\(name)\",\"cat\":\"</td><b>\",\"ph\":\"X\",\"ts\":1,\"dur\":5,\"pid\":1,\"tid\":0},\n",
            to: "trace.json")
        let page = folder.appending("trace.html")
        let host = try HostApp.find().hostapp
        let written = try await host.run(
            "timeline", folder.appending("trace.json").string, "--output", page.string, "--sandbox",
            folder.appending("sandbox").string)
        try #require(written.status == 0, "\(written)")
        let visit = try await Browser.visit(
            page, .click("#longest tbody tr"), .evaluate("document.querySelector('#detail strong').textContent"),
            .evaluate(
                "document.scripts.length + ' ' + document.images.length + ' ' + document.querySelectorAll('b').length"))
        #expect(visit.values[0].hasPrefix("</script><script>") && visit.values[0].contains(#"\n\u{202E}"#))
        #expect(visit.values[1] == "2 0 0")
    }

    @Test(
        "A file that is no trace is an error with status 65",
        arguments: [
            "", "{}", "not JSON", "[{\"name\":1}]", "[{}]", "[[[[", "\u{0}",
            "[{\"name\":\"a\",\"cat\":\"load\",\"ph\":\"B\",\"ts\":1,\"dur\":1,\"tid\":0}]",
            "[{\"name\":\"a\",\"cat\":\"load\",\"ph\":\"X\",\"ts\":-1,\"dur\":1,\"tid\":0}]",
            "[{\"name\":\"a\",\"cat\":\"load\",\"ph\":\"X\",\"ts\":1e300,\"dur\":1,\"tid\":0}]",
            "[{\"name\":\"a\",\"cat\":\"load\",\"ph\":\"X\",\"ts\":1,\"dur\":1,\"tid\":9e99}]",
        ])
    func foreign(text: String) async throws {
        let folder = try ThrowawayFolder()
        try folder.write(text, to: "trace.json")
        let result = try await HostApp.find().hostapp.run(
            "timeline", folder.appending("trace.json").string, "--sandbox", folder.appending("sandbox").string)
        #expect(result.status == 65 && result.stderr.contains("hostapp --trace"), "\(result)")
    }
}
