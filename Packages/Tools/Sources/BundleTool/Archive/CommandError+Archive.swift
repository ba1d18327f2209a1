import Console
import PluginCore
import Zip

extension CommandError {
    /// An archive was rejected, or could not be read or extracted.
    ///
    /// The status is 65 for an invalid archive, 66 for a missing file, 74 for an error of the file system, and 77 for a target that exists.
    static func archive(_ error: ZipError, _ archive: FilePath) -> Self {
        let place = error.path.map { FilePath($0) } ?? archive
        switch error.code {
        case .targetExists: return targetExists(place)
        case .system:
            return Self(
                error.errno == ZipError.noSuchFile && place == archive ? .notFound : .ioError, place,
                code: error.code.rawValue, reason: "archiveUnreadable", ["problem": .text(error.finding)])
        default:
            return Self(
                .badInput, archive, code: error.code.rawValue, reason: "archiveRefused",
                ["problem": .text(error.finding)])
        }
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
    fileprivate static let noSuchFile: Int32 = 2

    /// The reason without the archive's path.
    var finding: String {
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
