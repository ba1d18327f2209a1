import Testing

@testable import Console

@Suite("Completion of command lines", .tags(.small))
struct CommandCompletionTests {
    private static let fruit = Command.Item("fruit")

    private static let root = Command(
        "shop", summary: "Sell fruit.",
        globalOptions: [
            .value("sandbox", short: "s", placeholder: "DIR", kind: .folder, help: "The folder."),
            .flag("json", help: "Print JSON."),
        ],
        subcommands: [
            Command(
                "buy", summary: "Buy fruit.",
                arguments: [
                    .repeated("FRUIT", kind: .either([.item(fruit), .file(ending: ".zip")]), help: "The fruit.")
                ],
                options: [
                    .value("size", placeholder: "SIZE", kind: .words(["large", "small"]), help: "The size."),
                    .value("tag", placeholder: "TAG", repeatable: true, help: "A tag."),
                ]),
            Command("box", summary: "Manage boxes.", subcommands: [Command("add", summary: "Add a box.")]),
        ])

    private func complete(_ words: String..., then current: String = "") -> Completion {
        CommandCompletion(Self.root) { item, context in
            guard item == Self.fruit else { return [] }
            return ["apple", "apricot", "lemon"].map { Completion.Candidate($0 + (context.value("sandbox") ?? "")) }
        }.complete(words, current)
    }

    private func texts(_ words: [String], _ current: String) -> [String] {
        CommandCompletion(Self.root) { _, _ in ["apple", "apricot", "lemon"].map { Completion.Candidate($0) } }
            .complete(words, current).candidates.map(\.text)
    }

    @Test(
        "Commands, options, values and items are completed where they can stand",
        arguments: [
            ([], "", ["buy", "box", "help"]), ([], "b", ["buy", "box"]), (["help"], "b", ["buy", "box"]),
            (["box"], "", ["add", "help"]), ([], "--j", ["--json"]), (["--json"], "--", ["--sandbox", "--help"]),
            (["buy"], "ap", ["apple", "apricot"]), (["buy", "apple"], "ap", ["apricot"]),
            (["buy", "--size"], "", ["large", "small"]), (["buy"], "--size=s", ["--size=small"]),
            (["buy", "--size", "large"], "--", ["--tag", "--sandbox", "--json", "--help"]),
            (["buy", "--tag", "x"], "--t", ["--tag"]), (["buy", "--tag"], "ap", []),
            (["buy", "-s", "x"], "l", ["lemon"]), (["buy", "-sx"], "l", ["lemon"]), (["buy", "--"], "-", []),
            (["buy", "--", "apple"], "l", ["lemon"]), (["nothing"], "", []),
            (["box", "add"], "", ["--sandbox", "--json", "--help"]),
            (["help", "buy"], "ap", []),
        ])
    func candidates(words: [String], current: String, expected: [String]) {
        #expect(texts(words, current) == expected)
    }

    @Test("Paths are left to the shell, which is told their kind and where they begin")
    func paths() {
        #expect(complete("--sandbox", then: "a").paths == .folder)
        let joined = complete(then: "--sandbox=a")
        #expect(joined.paths == .folder && joined.optionPart == "--sandbox=")
        #expect(complete("buy", then: "a").paths == .file(ending: ".zip"))
        #expect(complete("buy", "--tag", then: "a").paths == nil)
        // A list knows the options before the word.
        #expect(complete("--sandbox", "X", "buy", then: "appleX").candidates.map(\.text) == ["appleX"])
        #expect(complete("-sX", "buy", then: "appleX").candidates.map(\.text) == ["appleX"])
    }

    @Test("The answer to a script has the form that the script reads")
    func answers() throws {
        func answer(_ words: String...) throws -> String {
            try #require(CompletionAnswer(["__complete"] + words)).text(
                CommandCompletion(Self.root) { _, _ in [Completion.Candidate("app://a", help: "An app.", isPart: true)]
                })
        }
        #expect(try answer("bash", "shop buy app:", ":") == "files *.zip drop=4 nospace\napp:\n//a\n")
        #expect(try answer("zsh", "buy", "a") == "files *.zip\n\n+app\\://a:An app.\n")
        #expect(try answer("fish", "buy", "'a") == "files *.zip\n\na\napp://a\tAn app.\n")
        #expect(CompletionAnswer(["__complete", "tcsh", ""]) == nil && CompletionAnswer(["buy"]) == nil)
    }
}
