import Console
import Testing

@Suite("Parsing of command lines", .tags(.small))
struct ParsingTests {
    private let parser = CommandLineParser(sample)

    @Test(
        "Global options may precede or follow the command",
        arguments: [
            ("--json list", ["list"]), ("list --json", ["list"]), ("route --json list", ["route", "list"]),
            ("--json route list", ["route", "list"]), ("route list --json", ["route", "list"]),
            ("-s list --json list", ["list"]), ("list --json --", ["list"]), ("--json -- list", ["list"]),
        ] as [(String, [String])])
    func globalOptions(line: String, path: [String]) throws {
        let parsed = try parser.parse(line: line)
        #expect(parsed.path == path && parsed.command.name == path.last)
        #expect(parsed.flag("json"))
    }

    @Test(
        "The value of an option can be given in every form",
        arguments: [
            "--sandbox /tmp/x list", "--sandbox=/tmp/x list", "-s /tmp/x list", "-s/tmp/x list", "-s=/tmp/x list",
            "list --sandbox /tmp/x", "list -vs /tmp/x", "list -vs/tmp/x", "list -vs=/tmp/x",
        ])
    func valueForms(line: String) throws { #expect(try parser.parse(line: line).value("sandbox") == "/tmp/x") }

    @Test(
        "An unusual value of an option is kept unchanged",
        arguments: [
            (["--sandbox=", "list"], ""), (["--sandbox", "", "list"], ""), (["--sandbox=--json", "list"], "--json"),
            (["--sandbox=a=b", "list"], "a=b"), (["--sandbox", "-", "list"], "-"), (["-s", "-12", "list"], "-12"),
            (["--sandbox=\u{301}x", "list"], "\u{301}x"), (["--sandbox", "购物 车", "list"], "购物 车"),
        ] as [([String], String)])
    func oddValues(words: [String], value: String) throws {
        let parsed = try parser.parse(words)
        #expect(parsed.value("sandbox") == value && !parsed.flag("json"))
    }

    @Test("Arguments are accessed by name, with options between them")
    func arguments() throws {
        let parsed = try parser.parse(line: "install com.example.shop --force 1.4.0 -t a --tap=b")
        #expect(parsed.argument("identifier") == "com.example.shop")
        #expect(parsed.argument("version") == "1.4.0" && parsed.values("tap") == ["a", "b"])
        #expect(parsed.value("tap") == "b" && parsed.flag("force") && parsed.line == "hostapp install")
        #expect(try parser.parse(line: "install com.example.shop").argument("version") == nil)
    }

    @Test("A repeated argument takes all remaining words, including those with dashes after --")
    func rest() throws {
        let parsed = try parser.parse(line: "extension run share a -5 - -- --json --")
        #expect(parsed.argument("point") == "share")
        #expect(parsed.arguments("item") == ["a", "-5", "-", "--json", "--"] && !parsed.flag("json"))
        #expect(try parser.parse(line: "extension run share").arguments("item") == [])
        let help = try parser.parse(line: "remove -- --help")
        #expect(help.intent == .run && help.arguments("identifier") == ["--help"])
    }

    @Test("An omitted option has its default, which is distinguished from a given value")
    func defaults() throws {
        let parsed = try parser.parse(line: "install x")
        #expect(parsed.value("sandbox") == "~/.atrium" && parsed.values("sandbox") == ["~/.atrium"])
        #expect(parsed.count("sandbox") == 0 && parsed.value("tap") == nil)
        #expect(parsed.value("nobody-declared-this") == nil)
    }

    @Test(
        "The occurrences of a repeatable flag are counted",
        arguments: [("list", 0), ("-v list -v", 2), ("list -vvv --verbose", 4)])
    func repeatableFlag(line: String, count: Int) throws {
        #expect(try parser.parse(line: line).count("verbose") == count)
    }

    @Test("A group runs itself only if it is declared so")
    func groupAlone() throws {
        let parsed = try parser.parse(line: "extension")
        #expect(parsed.intent == .run && parsed.path == ["extension"])
        #expect(throws: UsageError.self) { try parser.parse(line: "route") }
    }

    @Test(
        "Help is shown for the named command",
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
        #expect(parsed.intent == .help && parsed.path == path)
    }

    @Test(
        "Help takes precedence over other errors in the line",
        arguments: ["install --bogus --help", "install a b c --help", "install --tap --help", "install --force=x -h"])
    func helpWins(line: String) throws {
        let parsed = try parser.parse(line: line)
        #expect(parsed.intent == .help && parsed.path == ["install"])
    }

    @Test("Only the root has --version, so that a command may declare its own")
    func version() throws {
        #expect(try parser.parse(line: "--version").intent == .version)
        #expect(try parser.parse(line: "--version list").intent == .version)
        #expect(try parser.parse(line: "--version --help").intent == .help)
        let parsed = try parser.parse(line: "route explain --version 2.0 app://x")
        #expect(parsed.intent == .run && parsed.value("version") == "2.0")
        #expect(throws: UsageError.self) { try parser.parse(line: "list --version") }
        #expect(throws: UsageError.self) { try CommandLineParser(Command("x", summary: "")).parse(line: "--version") }
    }

    @Test("A program without commands takes help as an ordinary word")
    func single() throws {
        let tool = Command("tool", summary: "Do.", arguments: [.optional("what", help: "What.")])
        let parsed = try CommandLineParser(tool).parse(line: "help")
        #expect(parsed.intent == .run && parsed.path == [])
        #expect(parsed.argument("what") == "help")
        #expect(try CommandLineParser(tool).parse([]).argument("what") == nil)
    }

    @Test(
        "An integer option accepts numbers within its range",
        arguments: [("1", 1), ("8", 8), ("0", nil), ("x", nil), ("9", nil)] as [(String, Int?)])
    func integers(text: String, number: Int?) throws {
        let parsed = try parser.parse(["install", "x", "--jobs", text])
        if let number {
            #expect(try parsed.integer("jobs", in: 1...8) == number)
        } else {
            let error = #expect(throws: UsageError.self) { try parsed.integer("jobs", in: 1...8) }
            #expect(error?.code == .invalidValue && error?.value == text)
        }
        #expect(try parser.parse(line: "install x").integer("jobs", in: 1...8) == 2)
    }

    @Test("An invalid line that asks for JSON is recognized")
    func mentions() {
        #expect(parser.mentions(flag: "json", in: ["bogus", "--json"]))
        #expect(!parser.mentions(flag: "json", in: ["bogus", "--", "--json"]))
        #expect(!parser.mentions(flag: "json", in: ["bogus", "--jso"]))
    }

    @Test("The arguments are the words after the program's name, in any language")
    func text() {
        let arguments = ProgramArguments(bytes: [Array("/opt/bin/hostapp".utf8), Array("购物车".utf8), []])
        #expect(arguments.words == ["购物车", ""] && arguments.error == nil)
        #expect(ProgramArguments(bytes: []).words == [])
    }

    @Test("An argument that is not UTF-8 is a usage error that shows the bytes")
    func bytes() {
        let word = Array("--sandbox=é".utf8) + [0xff, 0xe2, 0x82]
        let arguments = ProgramArguments(bytes: [Array("/opt/bin/hostapp".utf8), Array("list".utf8), word])
        #expect(arguments.error?.code == .notUTF8)
        let expected = #"hostapp was given bytes that are not UTF-8: "--sandbox=é\xFF\xE2\x82""#
        #expect(arguments.error?.report.message == expected)
    }
}
