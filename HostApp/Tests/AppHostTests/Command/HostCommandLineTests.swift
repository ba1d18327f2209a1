import Console
import Doctor
import PluginCore
import PluginRuntime
import Testing

@testable import AppHost

@MainActor
@Suite("The host's command line", .tags(.medium))
struct HostCommandLineTests {
    private let folder: TemporaryFolder
    private let line: HostCommandLine

    init() throws {
        folder = try TemporaryFolder()
        line = HostCommandLine(environment: .beside(folder.path))
    }

    @Test("The declaration of the command line is consistent, and its help lists every exit status")
    func declaration() {
        #expect(HostCommands.root.problems == [])
        #expect(HostCommands.shellRoot.problems == [])
        #expect(HostCommands.root.exitStatuses.map(\.rawValue) == ExitStatus.all.map(\.rawValue))
    }

    @Test("Every command has a help with a summary, a usage line, and a description of each argument and option")
    func help() throws {
        let names = [
            "store", "catalog", "app", "install", "open", "shell", "call", "today", "share", "documents", "extension",
            "outdated", "update", "rollback", "uninstall", "unblock", "pin", "unpin", "autoremove",
            "list", "info", "why", "history", "routes", "route", "graph", "trust",
            "verify", "doctor", "crashes", "gc", "completion",
        ]
        let root = HostCommands.root.described
        #expect(root.subcommands.map(\.name) == names)
        for command in root.subcommands {
            let text = try #require(HelpRenderer(HostCommands.root).text(for: [command.name]))
            #expect(text.hasPrefix("Usage: hostapp \(command.name)"))
            #expect(text.contains(command.summary) && command.summary.hasSuffix("."))
            let helps = command.arguments.map(\.help) + command.options.map(\.help)
            #expect(helps.allSatisfy { $0.hasSuffix(".") })
            for example in command.examples { #expect(text.contains(example.line)) }
        }
    }

    @Test("Every example in the help texts can be parsed")
    func examples() throws {
        let root = HostCommands.root.described
        let lines = ([root] + root.subcommands).flatMap(\.examples).map(\.line)
        #expect(lines.count > 8)
        // Other examples start another program, or this one without a command, which shows its first screen on a terminal.
        for line in lines where line.hasPrefix("hostapp ") {
            // The quotation marks belong to the shell's syntax.
            let pieces = line.split(separator: "'", omittingEmptySubsequences: false)
            let words = pieces.enumerated().flatMap { index, piece in
                index % 2 == 1 ? [String(piece)] : piece.split(separator: " ").map(String.init)
            }
            #expect(try CommandLineParser(HostCommands.root).parse(words.dropFirst()).intent == .run)
        }
    }

    @Test(
        "An invalid command line ends with status 64",
        arguments: [
            [], ["instal", "x"], ["install"], ["install", "x@y"], ["install", "@1.0.0"],
            ["list", "--jsn"], ["list", "--sandbox"], ["list", "--sandbox", ""], ["list", "--catalog="],
            ["open"], ["open", "--json"], ["shell", "--json"], ["shell", "app://a", "b"], ["update", "--all"],
            ["route"], ["route", "explain"], ["graph", "--format", "dot", "--json"],
            ["graph", "--format", "mermaid"], ["call"],
            ["route", "explain", "a", "--external", "--plugin", "x"], ["route", "explain", "a", "-p", "a", "--object"],
        ])
    func usage(words: [String]) async { #expect(await line.run(words) == .usage) }

    @Test(
        "A failed command ends with the exit status of its error",
        arguments: [
            (["catalog"], .unavailable), (["info", "com.example.app.shop"], .unavailable),
            (["open", "app://%"], .badInput),
            (["open", "app://a", "--composition", "none.json"], .notFound), (["history", "com.example.x"], .notFound),
            (["list"], .done), (["update"], .done), (["--help"], .done), (["--version"], .done),
            (["help", "install"], .done), (["shell", "--json", "--help"], .done), (["routes"], .done),
            (["install", "none.zip"], .notFound), (["trust", "add", "a.b", "--key", "none.pub"], .notFound),
            (["trust"], .usage),
            (["call", "Nothing", "here"], .notFound), (["call", "Nothing"], .notFound),
            (["route", "explain", "--pattern", "a/:x", "--", "a/1"], .done),
            (["route", "explain", "--pattern", "a/:x", "--", "b"], .done),
            (["route", "explain", "--pattern", "", "--", ""], .done),
            (["route", "explain", "--pattern", ":", "--", "b"], .badInput),
        ] as [([String], Console.ExitStatus)])
    func status(words: [String], expected: Console.ExitStatus) async { #expect(await line.run(words) == expected) }

    @Test("A user without a home folder is asked for a sandbox")
    func homeless() async throws {
        let homeless = HostEnvironment(variables: [:], executable: "/opt/bin/hostapp", workingFolder: folder.path)
        let line = HostCommandLine(environment: homeless)
        #expect(await line.run(["list"]) == .usage)
        #expect(await line.run(["list", "--sandbox", "here"]) == .done)
        let parsed = try CommandLineParser(HostCommands.root).parse(["info", "a.b"])
        let error = #expect(throws: UsageError.self) { try HostCall(parsed: parsed, environment: homeless) }
        #expect(error?.report.remedy == #"write "hostapp info <ID|PACKAGE> --sandbox <DIR>""#)
    }

    @Test("Commands that have nothing to do create no files")
    func untouched() async throws {
        for words in [["list"], ["history"], ["update"], ["open", "app://a"], ["uninstall", "a.b"]] {
            _ = await line.run(words)
        }
        #expect(try folder.names() == [])
    }

    @Test("Opening an address installs a bundle from the catalog, and the sandbox is unlocked however the command ends")
    func open() async throws {
        let fixture = try AssetsFixture()
        try fixture.offer("com.example.notes", routes: AssetsFixture.page(at: "notes"))
        let line = HostCommandLine(environment: fixture.environment)
        let place = AssetsFixture.place
        #expect(await line.run(["open", "app://notes", "--json"] + place) == .done)
        #expect(await line.run(["open", "app://notes", "--tap", "none"] + place) == .notFound)
        #expect(try fixture.folder.names().filter { $0.hasSuffix("host.lock") } == [])
        #expect(await line.run(["uninstall", "com.example.notes"] + place) == .done)
    }

    @Test("An error of an unknown type is reported as a plugin's failure")
    func pluginFailure() {
        struct Odd: Error {}
        let failure = Failure(Odd())
        #expect(failure.report.code == "pluginFailed")
        #expect(failure.report.message == "\"a plugin\" failed: Odd()")
        #expect(failure.status == .software)
    }

    @Test("The shell offers neither options that are fixed for the session nor commands that open another session")
    func shellCommands() {
        #expect(HostCommands.shellRoot.globalOptions.map(\.name) == ["json"])
        let left = Set(HostCommands.root.subcommands.map(\.name)).subtracting(
            HostCommands.shellRoot.subcommands.map(\.name))
        #expect(left == ["open", "shell", "store", "call", "completion"])
    }

    @Test("The recorded command contains the arguments but no options, whose values may be secret")
    func command() async throws {
        let fixture = try AssetsFixture()
        let call = try fixture.call(
            ["install", "com.example.a", "com.example.b", "--stage"], at: ["--sandbox", "secret"])
        #expect(call.command == "hostapp install com.example.a com.example.b")
        let manager = call.manager
        try await manager.transactions.writer.withWriterLock {
            let finding = try #require(Checkup(of: manager).findings().first { $0.check == .lock })
            #expect(finding.subject.contains(", hostapp install com.example.a com.example.b, since "))
            _ = try await fixture.run("list")
        }
    }
}
