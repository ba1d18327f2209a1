import BundleFormat
import FoundationEssentials
import HostSystem
public import PluginCore
import PluginRuntime

/// The lock of an app: the version and the content of each bundle with which the app comes out the same on every machine.
///
/// The file is made to be checked in beside `bundle.json`: equal locks have equal bytes.
///
/// ```json
/// {
///   "app" : { "digest" : "9f86d0...", "name" : "Atrium Sample", "version" : "1.0.0" },
///   "bundles" : [
///     { "digest" : "b5bb9d...", "identifier" : "com.example.app.shop", "length" : 91754, "version" : "1.1.0" }
///   ],
///   "formatVersion" : 1
/// }
/// ```
public struct AppLock: Hashable, Sendable {
    /// The app that a lock belongs to.
    public struct App: Hashable, Sendable, Codable {
        /// The app's name.
        public let name: String
        /// The app's version; `nil` if its bundle.json has none.
        public let version: SemanticVersion?
        /// The SHA-256 of bundle.json in lowercase hexadecimal.
        public let digest: String
    }

    /// A bundle of the app: a member, or a bundle that a member requires.
    public struct Bundle: Hashable, Sendable, Codable {
        /// The SHA-256 of the seal in lowercase hexadecimal, which identifies the content.
        public let digest: String
        let identifier: BundleIdentifier
        /// The size of the package in bytes, as the catalog lists it.
        public let length: Int64
        let version: SemanticVersion

        /// The identifier and the version.
        public var identity: BundleIdentity { BundleIdentity(identifier: identifier, version: version) }
    }

    /// The app.
    public let app: App
    /// The bundles, sorted by identifier.
    public let bundles: [Bundle]

    init(app: App, bundles: [Bundle]) {
        self.app = app
        self.bundles = bundles.sorted { $0.identifier < $1.identifier }
    }

    /// Returns the bundle with an identifier; `nil` if the lock has none.
    public func bundle(_ identifier: BundleIdentifier) -> Bundle? {
        bundles.first { $0.identifier == identifier }
    }

    /// Returns the reasons why the lock does not fit an app; none if it does.
    ///
    /// - Parameter members: The bundles of the app with the versions that it allows.
    public func differences(from app: App, _ members: [AppMember]) -> [ErrorReason] {
        var differences: [ErrorReason] = []
        if self.app.version != app.version {
            let (locked, version) = (Self.value(of: self.app.version), Self.value(of: app.version))
            differences.append(ErrorReason("lockOfVersion", ["locked": locked, "version": version]))
        }
        for member in members {
            guard let bundle = bundle(member.identifier) else {
                differences.append(ErrorReason("lockWithoutMember", ["bundle": .text(member.identifier)]))
                continue
            }
            guard let range = member.versions, !member.allows(bundle.version) else { continue }
            differences.append(
                ErrorReason("lockOutsideRange", ["bundle": "\(bundle.identity)", "range": "\(range)"]))
        }
        if differences.isEmpty, self.app.digest != app.digest { differences.append(ErrorReason("lockOfOther")) }
        return differences
    }

    private static func value(of version: SemanticVersion?) -> ErrorReason.Value {
        version.map { "\($0)" } ?? .reason(ErrorReason("noVersion"))
    }
}

extension AppLock: ChangeLimit {
    /// Returns the reason why the lock rules out a version; `nil` for a version that it names and for other bundles.
    ///
    /// Other bundles stay on offer, because a bundle of the lock may call them on demand.
    package func refusal(of identity: BundleIdentity) -> AtriumError? {
        guard let bundle = bundle(identity.identifier), bundle.identity != identity else { return nil }
        return AtriumError(.lockMismatch, identity, reason: "lockHas", ["version": "\(bundle.version)"])
    }

    /// Checks that a change installs nothing that the lock does not name.
    ///
    /// - Throws: ``AtriumError`` with code `lockMismatch`.
    package func requireAll(_ arrivals: [BundleIdentity]) throws(AtriumError) {
        guard let other = arrivals.first(where: { bundle($0.identifier)?.identity != $0 }) else { return }
        throw AtriumError(.lockMismatch, other, reason: "lockWithout")
    }

    /// Checks that a version of the lock has its content.
    ///
    /// - Throws: ``AtriumError`` with code `lockMismatch`.
    package func requireContent(_ digest: String, of identity: BundleIdentity) throws(AtriumError) {
        if let bundle = bundle(identity.identifier), bundle.identity == identity { try bundle.requireSame(digest) }
    }
}

extension AppLock.App {
    /// Creates the description of an app.
    ///
    /// - Parameter content: The bytes of bundle.json.
    /// - Throws: ``AtriumError`` with code `inputOutput` if they cannot be hashed.
    public init(name: String, version: SemanticVersion?, content: [UInt8]) throws(AtriumError) {
        self.init(name: name, version: version, digest: try ContentDigest.of(content))
    }
}

extension AppLock.Bundle {
    /// Checks that a version has the content of the lock.
    ///
    /// - Throws: ``AtriumError`` with code `lockMismatch`.
    public func requireSame(_ digest: String) throws(AtriumError) {
        guard digest != self.digest else { return }
        throw AtriumError(
            .lockMismatch, identity, reason: "contentNotLocked",
            ["seal": "\(digest.prefix(12))", "locked": "\(self.digest.prefix(12))"])
    }
}

/// A bundle that an app consists of, with the versions that the app allows.
public struct AppMember: Hashable, Sendable {
    /// The identifier of the bundle.
    public let identifier: BundleIdentifier
    /// The allowed versions; `nil` for all versions.
    public let versions: VersionRange?

    /// Creates a member of an app.
    public init(_ identifier: BundleIdentifier, versions: VersionRange? = nil) {
        self.identifier = identifier
        self.versions = versions
    }

    /// Returns whether the app allows a version.
    public func allows(_ version: SemanticVersion) -> Bool { versions?.contains(version) ?? true }
}

/// The file of a lock.
extension AppLock {
    private static let limit = 1 << 24
    private static let formatVersion = 1

    private struct Content: Codable {
        let app: App
        let bundles: [Bundle]
        let formatVersion: Int
    }

    /// Reads a lock.
    ///
    /// - Returns: `nil` if there is no file.
    /// - Throws: ``AtriumError`` with code `lockInvalid`, or `inputOutput`.
    public static func read(_ path: FilePath) throws(AtriumError) -> AppLock? {
        let bytes: [UInt8]
        switch try FileSystem.contents(of: path, limit: limit) {
        case .nothing: return nil
        case .other: throw AtriumError(.lockInvalid, path, reason: "notRegularFile")
        case .file(let content, _): bytes = content
        }
        let content: Content
        do {
            content = try StrictJSON.decode(Content.self, from: bytes)
        } catch {
            throw AtriumError(.lockInvalid, path, reason: .finding(error))
        }
        guard content.formatVersion == formatVersion else {
            throw AtriumError(.lockInvalid, path, reason: "fileTooNew", ["expected": .integer(formatVersion)])
        }
        let lock = AppLock(app: content.app, bundles: content.bundles)
        guard lock.isValid else { throw AtriumError(.lockInvalid, path, reason: "notLock") }
        return lock
    }

    /// A Boolean value that indicates whether all digests and sizes are possible, and each bundle occurs once.
    private var isValid: Bool {
        ([app.digest] + bundles.map(\.digest)).allSatisfy(ContentDigest.isValid)
            && bundles.allSatisfy { $0.length >= 0 } && Set(bundles.map(\.identifier)).count == bundles.count
    }

    /// The content of the file, the same for equal locks.
    package var encoded: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let content = Content(app: app, bundles: bundles, formatVersion: Self.formatVersion)
        // Encoding cannot fail: the fields are texts and integers.
        return ((try? encoder.encode(content)).map(Array.init) ?? []) + [UInt8(ascii: "\n")]
    }

    /// Writes the lock: after any interruption, the file has either the old or the new content.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxUnwritable`, `storageFull` or `inputOutput`.
    public func write(to path: FilePath) throws(AtriumError) {
        _ = try FileSystem.makeFolders(path.parent)
        try FileSystem.replace(path, with: encoded, mode: 0o644)
    }
}

// The codes of apps and their locks.
extension AtriumError.Code {
    /// An app of which some bundles cannot be had.
    public static let appIncomplete = Self("appIncomplete")
    /// A lock of an app that cannot be read.
    public static let lockInvalid = Self("lockInvalid")
    /// A lock of an app that was written for another bundle.json.
    public static let lockOutdated = Self("lockOutdated")
    /// A version or content that is not the one that the lock of the app names.
    public static let lockMismatch = Self("lockMismatch")
}
