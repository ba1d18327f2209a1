import HostSystem

/// A team's signed list of a bundle's files, with the size, SHA-256 and executable bit of each.
///
/// The list has every file except those in `signature/`. The SHA-256 of its bytes distinguishes two bundles of the same name and version.
public struct Seal: Hashable, Sendable {
    /// A sealed file.
    public struct File: Hashable, Sendable {
        /// The path in the bundle, with components separated by slashes.
        public let path: String
        /// The size in bytes.
        public let size: UInt64
        /// The SHA-256 of the content, in lowercase hexadecimal.
        public let sha256: String
        /// A Boolean value that indicates whether the file is installed with mode 0555 instead of 0444.
        public let isExecutable: Bool

        /// Creates an entry, which is validated when it becomes part of a seal.
        public init(path: String, size: UInt64, sha256: String, isExecutable: Bool = false) {
            self.path = path
            self.size = size
            self.sha256 = sha256
            self.isExecutable = isExecutable
        }
    }

    /// The only supported format version.
    public static let formatVersion = 1
    /// The maximum size of a seal, in bytes; larger ones are rejected unread.
    public static let sizeLimit = 8 << 20
    /// The folder in a bundle that contains only the seal and its signature, and isn't sealed itself.
    public static let folder = "signature"
    /// The path of the seal in a bundle.
    public static let name = "signature/seal.json"
    /// The path of the seal's signature in a bundle.
    public static let signatureName = "signature/seal.json.minisig"

    /// The team that made the bundle, by its identifier in trust stores.
    public let team: String
    /// The time of signing by the signer's clock, in seconds since 1970.
    public let signedAt: Int64
    /// All files, sorted by the bytes of their paths.
    public let files: [File]

    package init(team: String, signedAt: Int64, sorted files: [File]) {
        self.team = team
        self.signedAt = signedAt
        self.files = files
    }

    /// The signing time in the format of RFC 3339, in UTC.
    public var signedTime: String { UTCTime.text(signedAt) }

    /// Parses a signing time into seconds since 1970.
    ///
    /// - Returns: `nil` for a text that isn't in the format of ``signedTime``.
    public static func time(_ text: String) -> Int64? { UTCTime.seconds(text) }

    /// Returns the file with a path, compared byte by byte.
    public func file(_ path: String) -> File? {
        var range = files.startIndex..<files.endIndex
        while let middle = range.isEmpty ? nil : range.lowerBound + range.count / 2 {
            if files[middle].path.utf8.elementsEqual(path.utf8) { return files[middle] }
            if files[middle].path.utf8.lexicographicallyPrecedes(path.utf8) {
                range = (middle + 1)..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return nil
    }
}
