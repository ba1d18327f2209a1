public import PluginCore

/// The content that is fetched for a package.
public enum DownloadContent: Hashable, Sendable {
    /// The package.
    case package
    /// The difference from an installed version, from which the package comes out.
    case delta(from: SemanticVersion)
    /// The package, because a delta could not be used for the given reason.
    case packageAfterDelta(ErrorReason)
}

/// The state of the download of a package.
public struct PackageDownload: Hashable, Sendable {
    /// The bytes that have arrived, with those of earlier attempts.
    public let received: UInt64
    /// The length of what is fetched, in bytes.
    public let total: UInt64
    /// The content that is fetched.
    public let content: DownloadContent

    /// Creates a state.
    public init(received: UInt64, total: UInt64, content: DownloadContent = .package) {
        self.received = received
        self.total = total
        self.content = content
    }
}

/// An installed version, to which a delta may apply.
public struct DeltaSource: Hashable, Sendable {
    /// The folder with the files of the version.
    public let folder: FilePath
    /// The SHA-256 of its seal in lowercase hexadecimal.
    public let sealDigest: String

    /// Creates a source.
    public init(folder: FilePath, sealDigest: String) {
        self.folder = folder
        self.sealDigest = sealDigest
    }
}
