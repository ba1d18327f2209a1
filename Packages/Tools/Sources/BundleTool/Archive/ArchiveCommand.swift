import Console
import Glibc
import PluginCore
import Zip

/// The `bundletool archive` command, which applies the rules for packages to any zip archive.
let archiveCommand = ProgramCommand(
    "archive",
    subcommands: [
        Command("test", arguments: [.repeated("file", atLeastOne: true, kind: .package)], options: limits),
        Command("list", arguments: [.required("file", kind: .package)], options: limits),
        Command(
            "extract", arguments: [.required("file", kind: .package)],
            options: [.value("to", presence: .required, kind: .folder)] + limits),
    ]
) { parsed, terminal in
    func limit(_ option: String) throws -> Int { try parsed.integer(option, in: 0...Int.max) ?? .max }
    let limits = try ZipLimits(
        entryCount: limit("max-entries"), totalUncompressedSize: UInt64(limit("max-size")),
        compressionRatio: UInt64(limit("max-ratio")))
    let file = parsed.file(argument: "file")
    switch parsed.path.last {
    case "test": return verdict(on: parsed.arguments("file").map { FilePath($0) }, within: limits, terminal)
    case "list": return try list(file, within: limits, terminal)
    default: return try extract(file, to: target(parsed), within: limits)
    }
}

private let limits: [Command.Option] = [
    .value("max-entries", placeholder: "n"), .value("max-size", placeholder: "bytes"),
    .value("max-ratio", placeholder: "n"),
]

/// Returns the target folder, which must exist or end in a name.
private func target(_ parsed: ParsedCommand) throws -> FilePath {
    let target = parsed.file("to") ?? ""
    guard !target.exists, ["", ".", ".."].contains(target.lastComponent) else { return target }
    throw parsed.invalid("--to", parsed.value("to") ?? "")
}

/// Reads records, names and contents of archives without extracting them.
///
/// An archive that is not valid takes precedence over one that cannot be read.
private func verdict(on files: [FilePath], within limits: ZipLimits, _ terminal: Terminal) -> Answer {
    var (text, lines, statuses) = ("", [JSONText](), [ExitStatus]())
    for file in files {
        var refusal: ZipError?
        do {
            try ZipArchive(path: file.string, limits: limits).verifyContents()
            text += "\(terminal.styled("accepted", .green))  \(printable(file))\n"
        } catch {
            let reason = printable("\(file): \(error.code.rawValue): \(error.finding)")
            text += "\(terminal.styled("refused", .red))   \(reason)\n"
            statuses.append(CommandError.archive(error, file).exitStatus)
            refusal = error
        }
        lines.append([
            "file": file, "accepted": refusal == nil, "code": refusal?.code.rawValue, "reason": refusal?.finding,
        ])
    }
    return Answer(
        text: text, lines: lines, status: statuses.contains(.badInput) ? .badInput : statuses.first ?? .done)
}

/// Lists the files and folders of an archive in its order, without reading the contents of its files.
private func list(_ file: FilePath, within limits: ZipLimits, _ terminal: Terminal) throws -> Answer {
    let archive = try CommandError.reading(file) { try ZipArchive(path: file.string, limits: limits) }
    var table = Table(["MODE", .init("BYTES", .trailing), .init("PACKED", .trailing), "METHOD", "CRC-32", "NAME"])
    let entries = archive.entries.map { entry -> JSONText in
        let (mode, sum) = (digits(entry.mode, radix: 8, count: 4), digits(entry.crc32, radix: 16, count: 8))
        let (size, packed) = (Int(clamping: entry.uncompressedSize), Int(clamping: entry.compressedSize))
        table.add([mode, size, packed, "\(entry.method)", sum, entry.name])
        return [
            "name": entry.name, "isFolder": entry.isDirectory, "mode": mode, "size": size, "packedSize": packed,
            "method": "\(entry.method)", "crc32": sum,
        ]
    }
    let count = "\(entries.count) \(entries.count == 1 ? "entry" : "entries")"
    let size = Int(clamping: archive.totalUncompressedSize)
    return Answer(
        text: table.rendered(for: terminal) + "\(count), \(byteCount(size))\n",
        json: ["file": file, "size": size, "entries": entries])
}

private func digits(_ number: some BinaryInteger, radix: Int, count: Int) -> String {
    let digits = String(number, radix: radix)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
}

/// Writes either all files or none; modes become 0444 and 0555.
///
/// An existing target must be an empty folder, and is not replaced.
private func extract(_ file: FilePath, to target: FilePath, within limits: ZipLimits) throws -> Answer {
    let archive = try CommandError.reading(file) {
        let archive = try ZipArchive(path: file.string, limits: limits)
        switch Files.kind(of: target, followingLinks: false) {
        case nil: try archive.extract(to: target.string)
        case .folder where Files.isEmptyFolder(target):
            // A temporary folder inside the target is on the same file system.
            let passing = target.appending(Files.passingName)
            try archive.extract(to: passing.string)
            guard try Files.dissolve(passing) else { throw CommandError.targetExists(target) }
        default: throw CommandError.targetExists(target)
        }
        return archive
    }
    let files = archive.entries.count { !$0.isDirectory }
    let size = Int(clamping: archive.totalUncompressedSize)
    return Answer(
        text: "\(printable(target)): \(files) \(files == 1 ? "file" : "files"), \(byteCount(size))\n",
        json: ["file": file, "to": target, "files": files, "size": size])
}

extension CommandError {
    /// An archive was rejected, or could not be read or extracted.
    ///
    /// The status is 65 for an invalid archive, 66 for a missing file, 74 for an error of the file system, and 77 for a target that exists.
    static func archive(_ error: ZipError, _ archive: FilePath) -> Self {
        let place = error.path.map { FilePath($0) } ?? archive
        if error.code == .targetExists { return targetExists(place) }
        let isSystem = error.code == .system
        let status: ExitStatus =
            !isSystem ? .badInput : error.errno == ENOENT && place == archive ? .notFound : .ioError
        return Self(
            status, isSystem ? place : archive, code: error.code.rawValue,
            reason: isSystem ? "archiveUnreadable" : "archiveRefused", ["problem": "\(error.finding)"])
    }

    /// An archive cannot be extracted to a folder that has contents, or to a file.
    static func targetExists(_ target: FilePath) -> Self {
        Self(.refused, target, code: ZipError.Code.targetExists.rawValue, reason: "extractionTargetExists")
    }

    /// Runs a body in which errors of an archive are those of a command.
    static func reading<Result>(_ archive: FilePath, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as ZipError {
            throw Self.archive(error, archive)
        }
    }
}

extension ZipError {
    /// The reason without the archive's path.
    var finding: String {
        let words =
            switch code {
            case .system: errno.map(System.message) ?? detail
            case .checksumMismatch: "its content does not match its checksum"
            case .canceled: "it was canceled"
            default: detail.isEmpty ? code.rawValue : detail
            }
        return entry.map { "its entry \"\($0)\": \(words)" } ?? words
    }
}
