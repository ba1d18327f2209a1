import Console
import PluginCore
import Zip

/// The `bundletool archive` command, which applies the rules for packages to any zip archive.
enum ArchiveCommand {
    static let declaration = Command(
        "archive", summary: "Check, list and extract any zip file by the rules for packages.",
        discussion: """
            An archive is accepted only if it can be read in exactly one way: its directory and its entries must \
            agree, fill the whole file, and have plain relative names that differ on every system.
            """,
        subcommands: [test, list, extract])

    private static let limits: [Command.Option] = [
        .value("max-entries", placeholder: "n", help: "The maximum number of files and folders."),
        .value("max-size", placeholder: "bytes", help: "The maximum size of the unpacked archive."),
        .value(
            "max-ratio", placeholder: "n",
            help: "The maximum number of unpacked bytes of an entry for each packed byte; deflate reaches 1032."),
    ]

    private static let test = Command(
        "test", summary: "Check whether each file is accepted, and if not, why.",
        discussion: """
            Reads each file completely and writes nothing. With --json, prints one document per line for each file: \
            file, accepted, code, reason.

            Exits with 0 if all files are accepted, with 65 if any is refused; otherwise with 66 or 74 if one does not \
            exist or cannot be read.
            """,
        arguments: [.repeated("file", atLeastOne: true, kind: .file(ending: ".zip"), help: "A zip file.")],
        options: limits,
        examples: [.init("bundletool archive test downloads/*.zip")])

    private static let list = Command(
        "list", summary: "List the contents of an archive, unless it is refused.",
        discussion: "File contents are not read, so only test and extract find a wrong checksum.",
        arguments: [.required("file", kind: .file(ending: ".zip"), help: "The zip file.")],
        options: limits)

    private static let extract = Command(
        "extract", summary: "Unpack an archive: all of it, or nothing.",
        discussion: """
            Checks the whole directory before it writes anything, and removes what it wrote if a content turns out to \
            be wrong. Files become 0444, or 0555 if their owner could execute them.
            """,
        arguments: [.required("file", kind: .file(ending: ".zip"), help: "The zip file.")],
        options: [
            .value(
                "to", placeholder: "dir", presence: .required,
                kind: .folder, help: "The folder to unpack into: empty, or a new one.")
        ] + limits,
        examples: [.init("bundletool archive extract download.zip --to download --max-size 100000000")])

    static func run(_ parsed: ParsedCommand, on terminal: Terminal) throws -> Answer {
        let limits = try ArchiveLimits(
            entries: parsed.integer("max-entries", in: 0...Int.max), size: parsed.integer("max-size", in: 0...Int.max),
            ratio: parsed.integer("max-ratio", in: 0...Int.max))
        let file = FilePath(parsed.argument("file") ?? "")
        switch parsed.path.last {
        case test.name:
            return answer(
                about: parsed.arguments("file").map { ArchiveReport(of: FilePath($0), within: limits) }, terminal)
        case list.name:
            let listing = try ArchiveListing(of: file, within: limits)
            return Answer(text: listing.text(for: terminal), json: listing.json)
        default:
            let target = try Self.target(parsed.value("to") ?? "", parsed)
            let extraction = try ArchiveExtraction(of: file, to: target, within: limits)
            return Answer(text: extraction.text(for: terminal), json: extraction.json)
        }
    }

    /// Returns the target folder, which must exist or end in a name.
    private static func target(_ text: String, _ parsed: ParsedCommand) throws(UsageError) -> FilePath {
        let target = FilePath(text)
        guard Files.kind(of: target) == nil, ["", ".", ".."].contains(target.lastComponent) else { return target }
        throw parsed.invalid("--to", text, ["an empty folder, or the path of a new one"])
    }

    private static func answer(about reports: [ArchiveReport], _ terminal: Terminal) -> Answer {
        let lines = reports.map { report in
            guard let refusal = report.refusal else {
                return "\(terminal.styled("accepted", .green))  \(printable(report.path.string))\n"
            }
            let reason = printable("\(report.path): \(refusal.code): \(refusal.reason)")
            return "\(terminal.styled("refused", .red))   \(reason)\n"
        }
        return Answer(
            text: lines.joined(), lines: reports.map(\.json), status: ArchiveReport.exitStatus(of: reports))
    }
}

/// The result of validating one archive.
struct ArchiveReport {
    /// The path as the user gave it.
    let path: FilePath
    /// The reason for which the archive is rejected; `nil` if it is valid.
    let refusal: ArchiveError?

    /// Validates an archive's records, names and contents without extracting it.
    init(of path: FilePath, within limits: ArchiveLimits = ArchiveLimits()) {
        self.path = path
        do {
            try ZipArchive(path: path.string, limits: limits.zip).verifyContents()
            refusal = nil
        } catch {
            refusal = ArchiveError(error, archive: path)
        }
    }

    /// A Boolean value that indicates whether the archive is unambiguous and its contents match their checksums.
    var isAccepted: Bool { refusal == nil }

    /// The result as JSON.
    ///
    /// The members are `{"file", "accepted", "code", "reason"}`; the last two are null for a valid archive.
    var json: JSONText {
        [
            "file": .string(path.string), "accepted": .bool(isAccepted), "code": .string(orNull: refusal?.code),
            "reason": .string(orNull: refusal?.reason),
        ]
    }

    /// Returns the exit status for several archives; an invalid archive takes precedence over one that cannot be read.
    static func exitStatus(of reports: [ArchiveReport]) -> ExitStatus {
        let statuses = reports.compactMap { $0.refusal?.exitStatus }
        return statuses.contains(.badInput) ? .badInput : statuses.first ?? .done
    }
}

/// Limits on the contents of an archive; a limit that is `nil` is that of the format.
struct ArchiveLimits {
    /// The maximum number of files and folders.
    var entries: Int?
    /// The maximum total size of the extracted files in bytes.
    var size: Int?
    /// The maximum compression ratio of an entry.
    var ratio: Int?

    var zip: ZipLimits {
        ZipLimits(
            entryCount: entries ?? .max, totalUncompressedSize: size.map { UInt64(clamping: $0) } ?? .max,
            compressionRatio: ratio.map { UInt64(clamping: $0) } ?? .max)
    }
}
