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
        subcommands: [
            NewCommand.declaration, BuildCommand.declaration, TestCommand.declaration, RunCommand.declaration,
            AddCommand.declaration, RemoveCommand.declaration, LintCommand.declaration, ValidateCommand.declaration,
            KeygenCommand.declaration, PackCommand.declaration, SignCommand.declaration, VerifyCommand.declaration,
            InspectCommand.declaration, ArchiveCommand.declaration, PublishCommand.declaration,
            CatalogCommand.declaration, RevokeCommand.declaration, UnpublishCommand.declaration,
            RenewCommand.declaration, DelegateCommand.declaration, RotateKeyCommand.declaration,
            SignMetadataCommand.declaration, CompletionCommand.declaration(of: "bundletool"),
        ],
        // The program does not compare or update anything, so it does not end with the other status.
        exitStatuses: [.done, .usage, .badInput, .notFound, .unavailable, .software, .ioError, .tryLater, .refused])

    /// Runs a command line and returns its output and exit status.
    ///
    /// - Parameters:
    ///   - words: the arguments without the program's name.
    ///   - terminal: the destination of the output.
    /// - Throws: `UsageError`, ``PackError``, ``ArchiveError`` or `AtriumError`, all of which are reportable.
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

    /// Returns the answer to a script that completes command lines or installs manual pages; `nil` for any other command line.
    public static func answerToScript(_ words: [String]) -> String? {
        if let manual = ManualAnswer(words) { return manual.text(command) ?? "" }
        return CompletionAnswer(words)?.text(CommandCompletion(command) { PublishedItems.list($0, $1) })
    }

    /// Returns the text of the reply.
    public static func answer(to words: [String], on terminal: Terminal) throws -> String {
        try reply(to: words, on: terminal).text
    }

    private static func run(_ parsed: ParsedCommand, on terminal: Terminal) throws -> Reply {
        try parsed.requireCurrentFolder()
        let inspection: PackageInspection
        switch parsed.path.first {
        case NewCommand.declaration.name: return try NewCommand.run(parsed)
        case BuildCommand.declaration.name: return try BuildCommand.run(parsed)
        case TestCommand.declaration.name: return try TestCommand.run(parsed)
        case RunCommand.declaration.name: return try RunCommand.run(parsed, on: terminal)
        case AddCommand.declaration.name: return try AddCommand.run(parsed)
        case RemoveCommand.declaration.name: return try RemoveCommand.run(parsed)
        case ValidateCommand.declaration.name: return try ValidateCommand.run(parsed, on: terminal)
        case LintCommand.declaration.name: return try LintCommand.run(parsed, on: terminal)
        case KeygenCommand.declaration.name: return try KeygenCommand.run(parsed, on: terminal)
        case ArchiveCommand.declaration.name: return try ArchiveCommand.run(parsed, on: terminal)
        case PublishCommand.declaration.name: return try PublishCommand.run(parsed, on: terminal)
        case CatalogCommand.declaration.name: return try CatalogCommand.run(parsed, on: terminal)
        case RevokeCommand.declaration.name: return try RevokeCommand.run(parsed)
        case UnpublishCommand.declaration.name: return try UnpublishCommand.run(parsed)
        case RenewCommand.declaration.name: return try RenewCommand.run(parsed)
        case DelegateCommand.declaration.name: return try DelegateCommand.run(parsed)
        case RotateKeyCommand.declaration.name: return try RotateKeyCommand.run(parsed, on: terminal)
        case SignMetadataCommand.declaration.name: return try SignMetadataCommand.run(parsed)
        case VerifyCommand.declaration.name: return try VerifyCommand.run(parsed, on: terminal)
        case PackCommand.declaration.name:
            return try PackCommand.reply(parsed, on: terminal)
        case "completion":
            let script = try CompletionCommand.script(parsed, for: command.name)
            return parsed.flag("json") ? Reply(document: ["script": .string(script)]) : Reply(text: script)
        case SignCommand.declaration.name: inspection = try SignCommand.run(parsed)
        default:
            inspection = try InspectCommand.run(parsed)
            let status = inspection.groupRefusal?.exitStatus ?? .done
            return parsed.flag("json")
                ? Reply(document: inspection.json, status: status)
                : Reply(text: inspection.text(for: terminal), status: status)
        }
        return parsed.flag("json") ? Reply(document: inspection.json) : Reply(text: inspection.summary(for: terminal))
    }

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

    /// Returns whether a command line asks for JSON, even if it is otherwise invalid.
    public static func wantsJSON(_ words: [String]) -> Bool {
        CommandLineParser(command).mentions(flag: "json", in: words)
    }
}

/// The reply to a command line that was carried out.
public struct Reply: Sendable {
    /// The text for standard output.
    public let text: String
    /// The exit status, which is not 0 if the answer is negative.
    public let status: ExitStatus

    /// The text for standard error.
    public let note: String

    init(text: String, status: ExitStatus = .done, note: String = "") {
        self.text = text
        self.note = note
        self.status = status
    }

    init(document: JSONText, status: ExitStatus = .done) {
        self.init(text: document.text(pretty: true) + "\n", status: status)
    }
}
