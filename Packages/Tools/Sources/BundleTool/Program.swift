public import Console
import PluginCore

/// The `bundletool` program with its commands.
public enum Program {
    /// The declaration of the command line.
    public static let command = Command(
        "bundletool", version: CoreVersion.release, globalOptions: [.flag("json")],
        subcommands: commands.map(\.declaration) + [CompletionCommand.declaration],
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
        let answer: Answer
        switch parsed.intent {
        case .help:
            let renderer = HelpRenderer(command, width: terminal.width, terminal: isJSON ? .plain : terminal)
            let help = renderer.text(for: parsed.path) ?? ""
            answer = Answer(text: help, json: ["help": help])
        case .version:
            let version = CoreVersion.release
            answer = Answer(text: "\(command.name) \(version)\n", json: CoreVersion.json(of: version))
        case .run:
            try parsed.requireCurrentFolder()
            let named = commands.first { $0.declaration.name == parsed.path.first }
            answer =
                try SDKRuns(parsed, words)?.answer(for: terminal) ?? named?.run(parsed, terminal)
                ?? CompletionCommand.answer(parsed, for: command.name)
        }
        return Reply(answer, isJSON: isJSON)
    }

    /// Returns the answer to a script that completes command lines; `nil` for any other command line.
    public static func answerToScript(_ words: [String]) -> String? {
        CompletionAnswer(words)?.text(CommandCompletion(command) { PublishedItems.list($0, $1) })
    }

    /// The commands, in the order of the help text.
    private static let commands = [
        newCommand, buildCommand, testCommand, runCommand, appCommand, updateProjectCommand, addCommand, removeCommand,
        textsCommand, lintCommand, validateCommand, keygenCommand, packCommand, signCommand, verifyCommand,
        inspectCommand,
        archiveCommand, publishCommand, catalogCommand, revokeCommand, unpublishCommand, renewCommand, delegateCommand,
        rotateKeyCommand, signMetadataCommand,
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
    static func wantsJSON(_ words: [String]) -> Bool {
        CommandLineParser(command).mentions(flag: "json", in: words)
    }
}

extension Command.ValueKind {
    /// A package, or another zip archive.
    static let package = file(ending: ".zip")
    /// A built library.
    static let library = file(ending: ".so")
    /// A JSON document.
    static let json = file(ending: ".json")
    /// The public part of a key.
    static let publicKey = file(ending: ".pub")
}

/// A command of the program, which carries out a command line for the terminal on which its answer is shown.
struct ProgramCommand {
    typealias Run = @Sendable (_ parsed: ParsedCommand, _ terminal: Terminal) throws -> Answer

    let declaration: Command
    let run: Run

    init(
        _ name: String, arguments: [Command.Argument] = [], options: [Command.Option] = [],
        subcommands: [Command] = [], run: @escaping Run
    ) {
        declaration = Command(name, arguments: arguments, options: options, subcommands: subcommands)
        self.run = run
    }
}

extension ParsedCommand {
    /// Checks that two options are not used together.
    func requireOne(of option: String, _ other: String) throws {
        if flag(option), flag(other) { throw conflict(option, other) }
    }

    /// Returns the error for a value of an option or argument. The accepted values are in the section `bundletool` of `en.json`, as `SUBJECT expected`.
    func invalid(_ subject: String, _ value: String, nearest: String? = nil) -> UsageError {
        invalid(subject, value, [TextCatalog.authorText("bundletool", subject + " expected")], nearest: nearest)
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
