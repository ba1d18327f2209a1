public import Console
public import PluginCore
internal import Zip

/// The result of validating one archive.
public struct ArchiveReport: Sendable {
    /// The path as the user gave it.
    public let path: FilePath
    /// The reason for which the archive is rejected; `nil` if it is valid.
    public let refusal: ArchiveError?

    /// Validates an archive's records, names and contents without extracting it.
    public init(of path: FilePath, within limits: ArchiveLimits = ArchiveLimits()) {
        self.path = path
        do {
            try ZipArchive(path: path.string, limits: limits.zip).verifyContents()
            refusal = nil
        } catch {
            refusal = ArchiveError(error, archive: path)
        }
    }

    /// A Boolean value that indicates whether the archive is unambiguous and its contents match their checksums.
    public var isAccepted: Bool { refusal == nil }

    /// The result as JSON.
    ///
    /// The members are `{"file", "accepted", "code", "reason"}`; the last two are null for a valid archive.
    public var json: JSONText {
        [
            "file": .string(path.string), "accepted": .bool(isAccepted), "code": .string(orNull: refusal?.code),
            "reason": .string(orNull: refusal?.reason),
        ]
    }

    /// Returns the exit status for several archives; an invalid archive takes precedence over one that cannot be read.
    public static func exitStatus(of reports: [ArchiveReport]) -> ExitStatus {
        let statuses = reports.compactMap { $0.refusal?.exitStatus }
        return statuses.contains(.badInput) ? .badInput : statuses.first ?? .done
    }
}
