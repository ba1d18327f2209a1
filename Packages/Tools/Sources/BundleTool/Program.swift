public import Console
import PluginCore

/// The `bundletool` program with its commands.
public enum Program {
    /// The declaration of the command line.
    public static let command = Command(
        "bundletool", summary: "Create plugins and packages, and publish them in catalogs.",
        discussion:
            "For authors of plugins. A package is a zip file named <identifier>-<version>.zip that a host installs.",
        version: CoreVersion.release,
        globalOptions: [.flag("json", help: "Print the result, or the error, as one JSON document.")],
        subcommands: commands.map(\.declaration),
        // The program does not compare or update anything, so it does not end with the other status.
        exitStatuses: [.done, .usage, .badInput, .notFound, .unavailable, .software, .ioError, .tryLater, .refused])

    /// Runs a command line and returns its output and exit status.
    ///
    /// - Parameters:
    ///   - words: the arguments without the program's name.
    ///   - terminal: the destination of the output.
    /// - Throws: `UsageError`, ``CommandError`` or `AtriumError`, all of which are reportable.
    public static func reply(to words: [String], on terminal: Terminal) throws -> Reply {
        let parsed = try CommandLineParser(command).parse(words)
        let isJSON = parsed.flag("json")
        switch parsed.intent {
        case .help:
            let renderer = HelpRenderer(command, width: terminal.width, terminal: isJSON ? .plain : terminal)
            let help = renderer.text(for: parsed.path) ?? ""
            return Reply(Answer(text: help, json: ["help": .string(help)]), isJSON: isJSON)
        case .version:
            let version = CoreVersion.release
            return Reply(
                Answer(text: "\(command.name) \(version)\n", json: CoreVersion.json(of: version)), isJSON: isJSON)
        case .run:
            try parsed.requireCurrentFolder()
            guard let named = commands.first(where: { $0.declaration.name == parsed.path.first }) else {
                throw UsageError(.missingCommand, subject: command.name, command: [command.name])
            }
            return Reply(try named.run(parsed, terminal), isJSON: isJSON)
        }
    }

    /// Returns the answer to a script that completes command lines or installs manual pages; `nil` for any other command line.
    public static func answerToScript(_ words: [String]) -> String? {
        if let manual = ManualAnswer(words) { return manual.text(command) ?? "" }
        return CompletionAnswer(words)?.text(CommandCompletion(command) { PublishedItems.list($0, $1) })
    }

    /// Returns the text of the reply.
    public static func answer(to words: [String], on terminal: Terminal) throws -> String {
        try reply(to: words, on: terminal).text
    }

    /// The commands with what they do, in the order of the help text.
    private static let commands: [(declaration: Command, run: @Sendable (ParsedCommand, Terminal) throws -> Answer)] = [
        (NewCommand.declaration, { parsed, _ in try NewCommand.run(parsed) }),
        (BuildCommand.declaration, { parsed, _ in try BuildCommand.run(parsed) }),
        (TestCommand.declaration, { parsed, _ in try TestCommand.run(parsed) }),
        (RunCommand.declaration, RunCommand.run),
        (AddCommand.declaration, { parsed, _ in try AddCommand.run(parsed) }),
        (RemoveCommand.declaration, { parsed, _ in try RemoveCommand.run(parsed) }),
        (LintCommand.declaration, LintCommand.run),
        (ValidateCommand.declaration, ValidateCommand.run),
        (KeygenCommand.declaration, { try KeygenCommand.run($0, on: $1) }),
        (PackCommand.declaration, PackCommand.run),
        (SignCommand.declaration, SignCommand.run),
        (VerifyCommand.declaration, VerifyCommand.run),
        (InspectCommand.declaration, InspectCommand.run),
        (ArchiveCommand.declaration, ArchiveCommand.run),
        (PublishCommand.declaration, PublishCommand.run),
        (CatalogCommand.declaration, CatalogCommand.run),
        (RevokeCommand.declaration, { parsed, _ in try RevokeCommand.run(parsed) }),
        (UnpublishCommand.declaration, { parsed, _ in try UnpublishCommand.run(parsed) }),
        (RenewCommand.declaration, { parsed, _ in try RenewCommand.run(parsed) }),
        (DelegateCommand.declaration, { parsed, _ in try DelegateCommand.run(parsed) }),
        (RotateKeyCommand.declaration, RotateKeyCommand.run),
        (SignMetadataCommand.declaration, { parsed, _ in try SignMetadataCommand.run(parsed) }),
        (
            CompletionCommand.declaration(of: "bundletool"),
            { parsed, _ in try CompletionCommand.answer(parsed, for: "bundletool") }
        ),
    ]

    /// Reports an error as JSON on standard output with `--json`, and otherwise as text on standard error.
    ///
    /// - Returns: the exit status.
    public static func tell(_ error: any Error, about words: [String]) -> ExitStatus {
        let (report, status) = FailureReport.of(error)
        // If writing to standard output failed, nothing more is written to it.
        guard wantsJSON(words), !(error is OutputError) else {
            StandardOutput.note(report.text(for: Terminal(.error)))
            return status
        }
        do {
            try StandardOutput.write(report.json.text(pretty: true) + "\n")
            return status
        } catch {
            return tell(error, about: words)
        }
    }

    /// Returns whether a command line asks for JSON, even if it is otherwise invalid.
    public static func wantsJSON(_ words: [String]) -> Bool {
        CommandLineParser(command).mentions(flag: "json", in: words)
    }
}

/// The reply to a command line that was carried out.
public struct Reply: Sendable {
    /// The text or the document for standard output.
    public let text: String
    /// The exit status, which is not 0 if the answer is negative.
    public let status: ExitStatus
    /// The text for standard error.
    public let note: String

    init(_ answer: Answer, isJSON: Bool) {
        text = answer.written(asJSON: isJSON)
        status = answer.status
        note = isJSON ? "" : answer.note
    }
}
