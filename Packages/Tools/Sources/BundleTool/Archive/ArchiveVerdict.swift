public import Console
public import PluginCore
internal import Zip

/// What the rules for archives say about one file.
public struct ArchiveVerdict: Sendable {
    /// The file, as it was named.
    public let path: FilePath
    /// Why it is refused; `nil` when it is accepted.
    public let refusal: ArchiveError?

    /// Judges a file: its records, its names, and every content. Nothing is unpacked.
    public init(of path: FilePath, within limits: ArchiveLimits = ArchiveLimits()) {
        self.path = path
        do {
            try ZipArchive(path: path.string, limits: limits.zip).verifyContents()
            refusal = nil
        } catch {
            refusal = ArchiveError(error, archive: path)
        }
    }

    /// A Boolean value that indicates whether the archive means one thing only, and its contents are whole.
    public var isAccepted: Bool { refusal == nil }

    /// `{"file", "accepted", "code", "reason"}`; the last two are null for an archive that is accepted.
    public var json: JSONText {
        [
            "file": .string(path.string), "accepted": .bool(isAccepted), "code": .string(orNull: refusal?.code),
            "reason": .string(orNull: refusal?.reason),
        ]
    }

    /// What a program tells its caller about several: a refusal outweighs a file that cannot be read.
    public static func exitStatus(of verdicts: [ArchiveVerdict]) -> ExitStatus {
        let statuses = verdicts.compactMap { $0.refusal?.exitStatus }
        return statuses.contains(.badInput) ? .badInput : statuses.first ?? .done
    }
}
