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
        subcommands: [
            KeygenCommand.declaration, PackCommand.declaration, SignCommand.declaration, VerifyCommand.declaration,
            InspectCommand.declaration, ArchiveCommand.declaration,
        ],
        // Nothing is compared or updated here, and nobody has to be waited for.
        exitStatuses: [.done, .usage, .badInput, .notFound, .software, .ioError, .refused])

    /// What goes to standard output, and what the program ends with.
    ///
    /// - Parameters:
    ///   - words: the command line without the program's name.
    ///   - terminal: where the text ends up.
    /// - Throws: `UsageError`, ``PackError``, ``ArchiveError``, `AtriumError`; all of them are reportable.
    public static func reply(to words: [String], on terminal: Terminal) throws -> Reply {
        let parsed = try CommandLineParser(command).parse(words)
        let isJSON = parsed.flag("json")
        switch parsed.intent {
        case .help:
            let renderer = HelpRenderer(command, width: terminal.width, terminal: isJSON ? .plain : terminal)
            let help = renderer.text(for: parsed.path) ?? ""
            return isJSON ? Reply(document: ["help": .string(help)]) : Reply(text: help)
        case .version:
            return isJSON ? Reply(document: version) : Reply(text: "\(command.name) \(CoreVersion.release)\n")
        case .run:
            return try run(parsed, on: terminal)
        }
    }

    /// The text of ``reply(to:on:)``.
    public static func answer(to words: [String], on terminal: Terminal) throws -> String {
        try reply(to: words, on: terminal).text
    }

    private static func run(_ parsed: ParsedCommand, on terminal: Terminal) throws -> Reply {
        let inspection: PackageInspection
        switch parsed.path.first {
        case KeygenCommand.declaration.name: return try KeygenCommand.run(parsed, on: terminal)
        case ArchiveCommand.declaration.name: return try ArchiveCommand.run(parsed, on: terminal)
        case VerifyCommand.declaration.name: return try VerifyCommand.run(parsed, on: terminal)
        case PackCommand.declaration.name:
            let (inspection, warnings) = try PackCommand.run(parsed)
            guard parsed.flag("json") else {
                let note = warnings.map { "warning: \(printable($0))\n" }.joined()
                return Reply(text: inspection.summary(for: terminal), note: note)
            }
            return Reply(document: inspection.json(warnings: warnings))
        case SignCommand.declaration.name: inspection = try SignCommand.run(parsed)
        default:
            inspection = try InspectCommand.run(parsed)
            return parsed.flag("json")
                ? Reply(document: inspection.json) : Reply(text: inspection.text(for: terminal))
        }
        return parsed.flag("json") ? Reply(document: inspection.json) : Reply(text: inspection.summary(for: terminal))
    }

    /// What is said of a failure: with `--json` the document on standard output, else the text on standard error.
    ///
    /// - Returns: what the program ends with.
    public static func tell(_ error: any Error, about words: [String]) -> ExitStatus {
        let (report, status) = FailureReport.of(error)
        // Standard output is what failed: nothing more goes there.
        guard wantsJSON(words), !(error is OutputError) else {
            StandardOutput.note(report.text(for: Terminal(.error)))
            return status
        }
        do {
            try StandardOutput.write(Reply(document: report.json).text)
            return status
        } catch {
            return tell(error, about: words)
        }
    }

    private static var version: JSONText {
        [
            "version": .string(CoreVersion.release), "coreABI": .integer(Int(CoreVersion.abi)),
            "compiler": .string(CoreVersion.compiler),
        ]
    }

    /// Returns whether a line asks for JSON, even one that cannot be understood otherwise.
    public static func wantsJSON(_ words: [String]) -> Bool {
        CommandLineParser(command).mentions(flag: "json", in: words)
    }
}
