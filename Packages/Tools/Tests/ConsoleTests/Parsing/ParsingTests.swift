import Console
import Testing

struct ParsingTests {
    private let parser = CommandLineParser(sample)

    @Test(
        "finds the command wherever global options stand",
        arguments: [
            ("--json list", ["list"]), ("list --json", ["list"]), ("route --json list", ["route", "list"]),
            ("--json route list", ["route", "list"]), ("route list --json", ["route", "list"]),
            ("-s list --json list", ["list"]), ("list --json --", ["list"]), ("--json -- list", ["list"]),
        ] as [(String, [String])])
    func globalOptions(line: String, path: [String]) throws {
        let parsed = try parser.parse(line: line)
        #expect(parsed.path == path)
        #expect(parsed.command.name == path.last)
        #expect(parsed.flag("json"))
    }

    @Test(
        "reads an option's value in every form",
        arguments: [
            "--sandbox /tmp/x list", "--sandbox=/tmp/x list", "-s /tmp/x list", "-s/tmp/x list", "-s=/tmp/x list",
            "list --sandbox /tmp/x", "list -vs /tmp/x", "list -vs/tmp/x", "list -vs=/tmp/x",
        ])
    func valueForms(line: String) throws {
        #expect(try parser.parse(line: line).value("sandbox") == "/tmp/x")
    }

    @Test(
        "keeps an odd value as it is",
        arguments: [
            (["--sandbox=", "list"], ""), (["--sandbox", "", "list"], ""), (["--sandbox=--json", "list"], "--json"),
            (["--sandbox=a=b", "list"], "a=b"), (["--sandbox", "-", "list"], "-"), (["-s", "-12", "list"], "-12"),
            (["--sandbox=\u{301}x", "list"], "\u{301}x"), (["--sandbox", "购物 车", "list"], "购物 车"),
        ] as [([String], String)])
    func oddValues(words: [String], value: String) throws {
        let parsed = try parser.parse(words)
        #expect(parsed.value("sandbox") == value)
        #expect(!parsed.flag("json"))
    }

    @Test("gives arguments by name, with options between them")
    func arguments() throws {
        let parsed = try parser.parse(line: "install com.example.shop --force 1.4.0 -t a --tap=b")
        #expect(parsed.argument("identifier") == "com.example.shop")
        #expect(parsed.argument("version") == "1.4.0")
        #expect(parsed.values("tap") == ["a", "b"])
        #expect(parsed.value("tap") == "b")
        #expect(parsed.flag("force"))
        #expect(parsed.rest.isEmpty)
        #expect(parsed.line == "hostapp install")
        #expect(try parser.parse(line: "install com.example.shop").argument("version") == nil)
    }

    @Test("hands all that is left to a repeated argument, dashes after -- included")
    func rest() throws {
        let parsed = try parser.parse(line: "extension run share a -5 - -- --json --")
        #expect(parsed.argument("point") == "share")
        #expect(parsed.rest == ["a", "-5", "-", "--json", "--"])
        #expect(parsed.arguments("item") == parsed.rest)
        #expect(!parsed.flag("json"))
        #expect(try parser.parse(line: "extension run share").rest == [])
    }

    @Test("falls back to the declared default, and tells it from a given value")
    func defaults() throws {
        let parsed = try parser.parse(line: "install x")
        #expect(parsed.value("sandbox") == "~/.atrium")
        #expect(parsed.values("sandbox") == ["~/.atrium"])
        #expect(parsed.count("sandbox") == 0)
        #expect(parsed.value("tap") == nil)
        #expect(parsed.value("nobody-declared-this") == nil)
    }

    @Test("counts a repeatable flag", arguments: [("list", 0), ("-v list -v", 2), ("list -vvv --verbose", 4)])
    func repeatableFlag(line: String, count: Int) throws {
        #expect(try parser.parse(line: line).count("verbose") == count)
    }

    @Test("runs a group itself only where its author says so")
    func groupAlone() throws {
        let parsed = try parser.parse(line: "extension")
        #expect(parsed.intent == .run)
        #expect(parsed.path == ["extension"])
        #expect(throws: UsageError.self) { try parser.parse(line: "route") }
    }

    @Test(
        "shows the help of the command that is named",
        arguments: [
            ("--help", []), ("-h", []), ("help", []), ("help install", ["install"]), ("install --help", ["install"]),
            ("--help install", ["install"]), ("help route explain", ["route", "explain"]),
            ("route help explain", ["route", "explain"]), ("route explain -h", ["route", "explain"]),
            ("route --help", ["route"]), ("help route", ["route"]), ("help --json list", ["list"]),
            ("list -vh", ["list"]), ("help install --force", ["install"]), ("help help", nil), ("help instal", nil),
            ("instal --help", nil), ("help list extra", nil),
        ] as [(String, [String]?)])
    func help(line: String, path: [String]?) throws {
        guard let path else {
            #expect(throws: UsageError.self) { try parser.parse(line: line) }
            return
        }
        let parsed = try parser.parse(line: line)
        #expect(parsed.intent == .help)
        #expect(parsed.path == path)
    }

    @Test(
        "shows help in spite of other faults in the line",
        arguments: ["install --bogus --help", "install a b c --help", "install --tap --help", "install --force=x -h"])
    func helpWins(line: String) throws {
        let parsed = try parser.parse(line: line)
        #expect(parsed.intent == .help)
        #expect(parsed.path == ["install"])
    }

    @Test("takes --help after -- as a word")
    func helpAsWord() throws {
        let parsed = try parser.parse(line: "remove -- --help")
        #expect(parsed.intent == .run)
        #expect(parsed.rest == ["--help"])
    }

    @Test("knows --version at the root only, so that commands may have their own")
    func version() throws {
        #expect(try parser.parse(line: "--version").intent == .version)
        #expect(try parser.parse(line: "--version list").intent == .version)
        #expect(try parser.parse(line: "--version --help").intent == .help)
        let parsed = try parser.parse(line: "route explain --version 2.0 app://x")
        #expect(parsed.intent == .run)
        #expect(parsed.value("version") == "2.0")
        #expect(throws: UsageError.self) { try parser.parse(line: "list --version") }
        #expect(throws: UsageError.self) { try CommandLineParser(Command("x", summary: "")).parse(line: "--version") }
    }

    @Test("parses a program without commands, for which help is an ordinary word")
    func single() throws {
        let tool = Command("tool", summary: "Do.", arguments: [.optional("what", help: "What.")])
        let parsed = try CommandLineParser(tool).parse(line: "help")
        #expect(parsed.intent == .run)
        #expect(parsed.path == [])
        #expect(parsed.argument("what") == "help")
        #expect(try CommandLineParser(tool).parse([]).argument("what") == nil)
    }

    @Test(
        "reads whole numbers within their range",
        arguments: [("1", 1), ("8", 8), ("0", nil), ("x", nil), ("9", nil)] as [(String, Int?)])
    func integers(text: String, number: Int?) throws {
        let parsed = try parser.parse(["install", "x", "--jobs", text])
        if let number {
            #expect(try parsed.integer("jobs", in: 1...8) == number)
        } else {
            let error = #expect(throws: UsageError.self) { try parsed.integer("jobs", in: 1...8) }
            #expect(error?.code == .invalidValue)
            #expect(error?.value == text)
        }
        #expect(try parser.parse(line: "install x").integer("jobs", in: 1...8) == 2)
    }

    @Test("tells whether a broken line asks for JSON")
    func mentions() {
        #expect(parser.mentions(flag: "json", in: ["bogus", "--json"]))
        #expect(!parser.mentions(flag: "json", in: ["bogus", "--", "--json"]))
        #expect(!parser.mentions(flag: "json", in: ["bogus", "--jso"]))
    }
}
