import Console
import Testing

@Suite("Problems in a report", .tags(.small))
struct ProblemsTests {
    @Test("A consistent declaration has no problems")
    func sound() { #expect(sample.problems == []) }

    @Test("All contradictions are reported at once with their commands")
    func all() {
        let leaf = Command(
            "leaf", summary: "",
            arguments: [
                .optional("a", help: ""), .required("b", help: ""), .repeated("c", help: ""),
                .optional("c", help: ""),
            ],
            options: [.flag("json", help: ""), .flag("x", short: "h", help: "")])
        let root = Command(
            "tool", summary: "", version: "1", arguments: [.required("a", help: "")],
            options: [.flag("version", help: "")], globalOptions: [.flag("json", help: "")],
            subcommands: [leaf, leaf, Command("help", summary: "")])
        let ofLeaf = [
            "tool leaf: argument \"c\" is declared twice",
            "tool leaf: option --json is declared twice",
            "tool leaf: option -h is declared twice",
            "tool leaf: the required <b> follows the optional <a>",
            "tool leaf: nothing can follow the repeated <c>",
        ]
        #expect(
            root.problems == [
                "tool: command \"leaf\" is declared twice",
                "tool: option --version is declared twice",
                "tool: has both commands and arguments",
                "tool: command \"help\" is built in",
            ] + ofLeaf + ofLeaf)
    }
}
