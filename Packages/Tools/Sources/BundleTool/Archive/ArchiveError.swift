public import Console
public import PluginCore
internal import Zip

/// Why an archive was refused, or could not be read or unpacked.
public struct ArchiveError: Error, Sendable, Equatable {
    /// The stable name of the rule that it breaks, such as `header-mismatch`.
    public let code: String
    /// The archive or, when the disk is to blame, the file or folder.
    public let subject: FilePath
    /// What was found, in a clause that continues a sentence about the subject.
    public let reason: String
    /// What a program that it ended tells its caller: 65 for the archive's fault, 66 for no file, 74 for the disk, 77 for
    /// a target that is there.
    public let exitStatus: ExitStatus

    init(_ error: ZipError, archive: FilePath) {
        code = error.code.rawValue
        reason = error.finding
        switch error.code {
        case .system:
            subject = error.path.map { FilePath($0) } ?? archive
            exitStatus = error.isNotFound && subject == archive ? .notFound : .ioError
        case .targetExists:
            subject = error.path.map { FilePath($0) } ?? archive
            exitStatus = .refused
        default:
            subject = archive
            exitStatus = .badInput
        }
    }

    init(targetExists target: FilePath) {
        code = ZipError.Code.targetExists.rawValue
        subject = target
        reason = "it is there already, and not an empty folder"
        exitStatus = .refused
    }
}

extension ArchiveError: ReportableError {
    /// The failure in words.
    public var report: FailureReport {
        let name = "\"\(subject)\""
        switch exitStatus {
        case .refused:
            return FailureReport(
                code: code, subject: subject.string, message: "nothing is extracted to \(name): \(reason)",
                remedy: "name a folder that is empty or not there")
        case .badInput:
            return FailureReport(
                code: code, subject: subject.string, message: "\(name) is refused: \(reason)",
                remedy: "get the archive again, or have it packed again; nothing of it should be used")
        default:
            return FailureReport(
                code: code, subject: subject.string, message: "\(name) cannot be read or written: \(reason)",
                remedy: "see that it is there, that you may use it, and that the disk has room")
        }
    }
}

extension ZipError {
    private static let noSuchFile: Int32 = 2

    fileprivate var isNotFound: Bool { errno == Self.noSuchFile }

    /// What was found, without the archive's path.
    fileprivate var finding: String {
        let words =
            switch code {
            case .system: errno.map { Files.message(forError: $0) } ?? detail
            case .checksumMismatch: "its content does not match its checksum"
            case .cancelled: "it was cancelled"
            default: detail.isEmpty ? code.rawValue : detail
            }
        return entry.map { "its entry \"\($0)\": \(words)" } ?? words
    }
}
