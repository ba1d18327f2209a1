import Console
import PluginCore

/// The `bundletool archive` command, which applies the rules for packages to any zip archive.
enum ArchiveCommand {
    static let declaration = Command(
        "archive", summary: "Judge, list and extract any zip by the rules for packages.",
        discussion: """
            An archive has one meaning or is refused: its directory and its entries must agree in all that they say twice, \
            fill the file from the first byte to the last, and have plain relative names that stay apart on any system.
            """,
        subcommands: [test, list, extract])

    private static let limits: [Command.Option] = [
        .value("max-entries", placeholder: "n", help: "Refuse an archive of more files and folders."),
        .value("max-size", placeholder: "bytes", help: "Refuse an archive that is larger, unpacked."),
        .value(
            "max-ratio", placeholder: "n",
            help: "Refuse an entry of more bytes, unpacked, for each byte in the archive; deflate reaches 1032."),
    ]

    private static let test = Command(
        "test", summary: "Say of each file whether it is accepted, and if not, why.",
        discussion: """
            All of each file is read, and nothing is written. With --json there is a line for each file, a document of its \
            own: file, accepted, code, reason.

            Ends with 0 when all are accepted, with 65 when any is refused; with 66 or 74 when none is refused, but \
            one is not there or cannot be read.
            """,
        arguments: [.repeated("file", atLeastOne: true, help: "A zip.")],
        options: limits,
        examples: [.init("bundletool archive test downloads/*.zip")])

    private static let list = Command(
        "list", summary: "Show what an archive holds, unless it is refused.",
        discussion: "Contents are not read, so a wrong checksum is found by test and extract only.",
        arguments: [.required("file", help: "The zip.")],
        options: limits)

    private static let extract = Command(
        "extract", summary: "Unpack an archive: all of it, or nothing.",
        discussion: """
            Nothing is written before the whole directory has been judged, and what was written is taken back when a \
            content turns out to be wrong. Files become 0444, or 0555 when their owner could execute them.
            """,
        arguments: [.required("file", help: "The zip.")],
        options: [
            .value(
                "to", placeholder: "dir", presence: .required,
                help: "The folder to unpack into: an empty one, or one to be made.")
        ] + limits,
        examples: [.init("bundletool archive extract download.zip --to download --max-size 100000000")])

    static func run(_ parsed: ParsedCommand, on terminal: Terminal) throws -> Reply {
        let limits = try ArchiveLimits(
            entries: parsed.integer("max-entries", in: 0...Int.max), size: parsed.integer("max-size", in: 0...Int.max),
            ratio: parsed.integer("max-ratio", in: 0...Int.max))
        let file = FilePath(parsed.argument("file") ?? "")
        switch parsed.path.last {
        case test.name:
            return reply(
                to: parsed.arguments("file").map { ArchiveVerdict(of: FilePath($0), within: limits) }, parsed, terminal)
        case list.name:
            let listing = try ArchiveListing(of: file, within: limits)
            return parsed.flag("json") ? Reply(document: listing.json) : Reply(text: listing.text(for: terminal))
        default:
            let target = try Self.target(parsed.value("to") ?? "", parsed)
            let extraction = try ArchiveExtraction(of: file, to: target, within: limits)
            return parsed.flag("json") ? Reply(document: extraction.json) : Reply(text: extraction.text(for: terminal))
        }
    }

    /// Returns the target folder, which must exist or end in a name.
    private static func target(_ text: String, _ parsed: ParsedCommand) throws(UsageError) -> FilePath {
        let target = FilePath(text)
        guard Files.kind(of: target) == nil, ["", ".", ".."].contains(target.lastComponent) else { return target }
        throw UsageError(
            .invalidValue, subject: "--to", expected: ["an empty folder, or the name of one to be made"],
            command: parsed.line.split(separator: " ").map(String.init), value: text)
    }

    private static func reply(to verdicts: [ArchiveVerdict], _ parsed: ParsedCommand, _ terminal: Terminal) -> Reply {
        let status = ArchiveVerdict.exitStatus(of: verdicts)
        if parsed.flag("json") {
            return Reply(text: verdicts.map { $0.json.text() + "\n" }.joined(), status: status)
        }
        let lines = verdicts.map { verdict in
            guard let refusal = verdict.refusal else {
                return "\(terminal.styled("accepted", .green))  \(printable(verdict.path.string))\n"
            }
            let reason = printable("\(verdict.path): \(refusal.code): \(refusal.reason)")
            return "\(terminal.styled("refused", .red))   \(reason)\n"
        }
        return Reply(text: lines.joined(), status: status)
    }
}
