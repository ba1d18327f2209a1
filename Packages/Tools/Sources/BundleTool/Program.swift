public import Console
internal import PluginCore

/// The program `bundletool`: its commands, and its answer to a command line.
public enum Program {
    /// The whole command line, declared once.
    public static let command = Command(
        "bundletool", summary: "Make and inspect plugin packages.",
        discussion: "For authors of plugins. A package is a zip named <identifier>-<version>.zip that a host installs.",
        version: CoreVersion.release,
        globalOptions: [.flag("json", help: "Write the result, or the error, as one JSON document.")],
        subcommands: [PackCommand.declaration, InspectCommand.declaration])

    /// What goes to standard output.
    ///
    /// - Parameters:
    ///   - words: the command line without the program's name.
    ///   - terminal: where the text ends up.
    /// - Throws: `UsageError`, ``PackError``, `AtriumError`; all of them are reportable.
    public static func answer(to words: [String], on terminal: Terminal) throws -> String {
        let parsed = try CommandLineParser(command).parse(words)
        switch parsed.intent {
        case .help:
            return HelpRenderer(command, width: terminal.width, terminal: terminal).text(for: parsed.path) ?? ""
        case .version:
            return "\(command.name) \(CoreVersion.release)\n"
        case .run:
            let isPacking = parsed.path.first == PackCommand.declaration.name
            let inspection = try isPacking ? PackCommand.run(parsed) : InspectCommand.run(parsed)
            if parsed.flag("json") { return inspection.json.text() + "\n" }
            return isPacking ? inspection.summary(for: terminal) : inspection.text(for: terminal)
        }
    }

    /// Whether a line asks for JSON, even one that can not be understood otherwise.
    public static func wantsJSON(_ words: [String]) -> Bool {
        CommandLineParser(command).mentions(flag: "json", in: words)
    }
}
