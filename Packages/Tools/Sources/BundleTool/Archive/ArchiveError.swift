public import Console
public import PluginCore
internal import Zip

/// An error for an archive that was rejected, or that could not be read or extracted.
public struct ArchiveError: Error, Sendable, Equatable {
    /// The stable name of the violated rule, such as `header-mismatch`.
    public let code: String
    /// The archive or, for an error of the file system, the file or folder.
    public let subject: FilePath
    /// The reason, as a clause that continues a sentence about the subject.
    public let reason: String
    /// The exit status of a program that fails with this error.
    ///
    /// It is 65 for an invalid archive, 66 for a missing file, 74 for an error of the file system, and 77 for a target that exists.
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
        reason = "it already exists, and is not an empty folder"
        exitStatus = .refused
    }
}

extension ArchiveError: ReportableError {
    /// The report for people and scripts.
    public var report: FailureReport {
        let name = "\"\(subject)\""
        switch exitStatus {
        case .refused:
            return FailureReport(
                code: code, subject: subject.string, message: "cannot extract to \(name): \(reason)",
                remedy: "choose an empty or a new folder")
        case .badInput:
            return FailureReport(
                code: code, subject: subject.string, message: "\(name) is refused: \(reason)",
                remedy: "get the archive again, or ask for a new one; do not use its contents")
        default:
            return FailureReport(
                code: code, subject: subject.string, message: "\(name) cannot be read or written: \(reason)",
                remedy: "check that it exists, that you have permission, and that the disk has free space")
        }
    }
}

extension ZipError {
    private static let noSuchFile: Int32 = 2

    fileprivate var isNotFound: Bool { errno == Self.noSuchFile }

    /// The reason without the archive's path.
    fileprivate var finding: String {
        let words =
            switch code {
            case .system: errno.map { Files.message(forError: $0) } ?? detail
            case .checksumMismatch: "its content does not match its checksum"
            case .canceled: "it was canceled"
            default: detail.isEmpty ? code.rawValue : detail
            }
        return entry.map { "its entry \"\($0)\": \(words)" } ?? words
    }
}
