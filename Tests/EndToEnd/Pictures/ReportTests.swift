import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("The report of a test run", .tags(.large))
struct ReportTests {
    private func script(_ name: String) -> Executable {
        Executable(FilePath(DocumentPage.root.appending(path: "Scripts/lib/\(name)").path))
    }

    @Test(
        "The report has each package's time, the issues of failed tests, and each scene with its commands and screens")
    func report() async throws {
        let folder = try ThrowawayFolder()
        try folder.write("Zip 12 0 3 4\nTests 1 2 60 70\n", to: "table")
        try folder.write(
            "<testsuites><testsuite tests=\"2\" failures=\"1\"><testcase classname=\"EndToEnd.Some\" name=\"fails()\"><failure message=\"no\"/></testcase></testsuite></testsuites>",
            to: "Tests.xml")
        try folder.write("✘ Test \"It works\" recorded an issue: <b>1</b> == 2\n", to: "Tests.text")
        // The test program itself records a real test, in a process of its own.
        let program = Executable(FilePath(try #require(CommandLine.arguments.first)))
        let environment = ProcessInfo.processInfo.environment.merging(
            ["ATRIUM_SCENES": folder.appending("scenes").string]) { _, own in own }
        try await program.run(
            "--testing-library", "swift-testing", "--filter", "^EndToEnd[.]RecordedSceneTests/",
            environment: environment
        ).succeeded()
        let page = folder.appending("report.html")
        let made = try await script("test-report").run(folder.path.string).succeeded()
        try folder.write(made.stdout, to: "report.html")
        let visit = try await Browser.visit(
            page, .size(1200, 900), .evaluate("document.querySelector('h1').textContent"),
            .evaluate(
                "[...document.querySelectorAll('#packages tbody tr')].map(e => e.cells[0].textContent + e.cells[3].textContent).join(' ')"
            ),
            .evaluate("document.querySelector('.failure').textContent"),
            .click("#search"), .type("typed on a terminal"),
            .evaluate(
                "document.querySelectorAll('details.scene:not([hidden])').length + ' ' + document.getElementById('shown').textContent.split(' ')[0]"
            ),
            .click("details.scene:not([hidden]) summary"),
            .evaluate(
                "[...document.querySelectorAll('details.scene:not([hidden]) pre')].map(e => e.textContent).join('|')"),
            .picture(folder.appending("report.png")))
        #expect(visit.values[0] == "13 passed, 2 failed")
        #expect(visit.values[1] == "Zip3 Tests60")
        #expect(visit.values[2].contains("EndToEnd.Some.fails()") && visit.values[2].contains("<b>1</b> == 2"))
        #expect(visit.values[3] == "1 1")
        let steps = visit.values[4]
        #expect(
            steps.contains("exit status 0, on a terminal$ hostapp") && steps.contains("⌨ open app://shop"), "\(steps)")
        #expect(steps.contains("[1]") && !steps.contains("\u{1B}"), "\(steps)")
    }

    @Test("Scripts/test has an option for the report, which it rejects without a file or a folder to put it in")
    func option() async throws {
        let script = Executable(FilePath(DocumentPage.root.appending(path: "Scripts/test").path))
        #expect(try await script.run("--help").stdout.contains("--report FILE.html"))
        let without = try await script.run("--report")
        #expect(without.status == 1 && without.stderr.contains("--report needs the file"), "\(without)")
        let nowhere = try await script.run("--report", "/nowhere/report.html")
        #expect(nowhere.status == 1 && nowhere.stderr.contains("no folder /nowhere"), "\(nowhere)")
    }
}

@Suite("A recorded scene", .tags(.large))
struct RecordedSceneTests {
    @Test("A session that is typed on a terminal")
    func shell() async throws {
        let host = try HostApp.find().with(sandbox: ThrowawaySandbox())
        try await host.run("install", "com.example.app.shop").succeeded()
        let shell = try host.startOnTerminal("shell", environment: ["PATH": "/nowhere"])
        try await shell.wait(for: "> ")
        try await shell.send("open app://shop\n")
        try await shell.wait(for: "[1]")
        try await shell.wait(for: "> ")
        #expect(try await shell.end().status == 0)
    }
}
