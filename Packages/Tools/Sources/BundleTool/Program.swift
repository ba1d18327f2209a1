public import Console
import PluginCore

/// The `bundletool` program with its commands.
public enum Program {
    /// The declaration of the command line.
    public static let command = Command(
        "bundletool", version: CoreVersion.release, globalOptions: [.flag("json")],
        subcommands: commands.map { $0.declaration } + [CompletionCommand.declaration],
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
            return Reply(Answer(text: help, members: ["help": help]), isJSON: isJSON)
        case .version:
            let version = CoreVersion.release
            return Reply(
                Answer(text: "\(command.name) \(version)\n", json: CoreVersion.json(of: version)), isJSON: isJSON)
        case .run:
            try parsed.requireCurrentFolder()
            let named = commands.first { $0.declaration.name == parsed.path.first }
            let answer = try named?.run(parsed, on: terminal)
            return Reply(try answer ?? CompletionCommand.answer(parsed, for: command.name), isJSON: isJSON)
        }
    }

    /// Returns the answer to a script that completes command lines; `nil` for any other command line.
    public static func answerToScript(_ words: [String]) -> String? {
        CompletionAnswer(words)?.text(CommandCompletion(command) { PublishedItems.list($0, $1) })
    }

    /// The commands, in the order of the help text.
    private static let commands: [any ProgramCommand.Type] = [
        NewCommand.self, BuildCommand.self, TestCommand.self, RunCommand.self, AddCommand.self, RemoveCommand.self,
        LintCommand.self, ValidateCommand.self, KeygenCommand.self, PackCommand.self, SignCommand.self,
        VerifyCommand.self, InspectCommand.self, ArchiveCommand.self, PublishCommand.self, CatalogCommand.self,
        RevokeCommand.self, UnpublishCommand.self, RenewCommand.self, DelegateCommand.self, RotateKeyCommand.self,
        SignMetadataCommand.self,
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

/// A command of the program.
protocol ProgramCommand: SendableMetatype {
    /// The declaration of its part of the command line.
    static var declaration: Command { get }

    /// Carries out a command line.
    ///
    /// - Parameter terminal: The destination of the answer's text.
    static func run(_ parsed: ParsedCommand, on terminal: Terminal) throws -> Answer
}

extension ParsedCommand {
    /// Checks that two options are not used together.
    func requireOne(of option: String, _ other: String) throws(UsageError) {
        if count(option) > 0, count(other) > 0 { throw conflict(option, other) }
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
