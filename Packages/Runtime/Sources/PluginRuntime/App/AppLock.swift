import BundleFormat
public import PluginCore

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
    public struct App: Hashable, Sendable {
        /// The app's name.
        public let name: String
        /// The app's version; `nil` if its bundle.json has none.
        public let version: SemanticVersion?
        /// The SHA-256 of bundle.json in lowercase hexadecimal.
        public let digest: String

        /// Creates the description of an app.
        ///
        /// - Parameter content: The bytes of bundle.json.
        /// - Throws: ``AtriumError`` with code `inputOutput` if they cannot be hashed.
        public init(name: String, version: SemanticVersion?, content: [UInt8]) throws(AtriumError) {
            self.init(name: name, version: version, digest: try ContentDigest.of(content))
        }

        init(name: String, version: SemanticVersion?, digest: String) {
            self.name = name
            self.version = version
            self.digest = digest
        }
    }

    /// A bundle of the app: a member, or a bundle that a member requires.
    public struct Bundle: Hashable, Sendable {
        /// The identifier and the version.
        public let identity: BundleIdentity
        /// The SHA-256 of the seal in lowercase hexadecimal, which identifies the content.
        public let digest: String
        /// The size of the package in bytes, as the catalog lists it.
        public let length: Int64

        package init(identity: BundleIdentity, digest: String, length: Int64) {
            self.identity = identity
            self.digest = digest
            self.length = length
        }
    }

    /// The app.
    public let app: App
    /// The bundles, sorted by identifier.
    public let bundles: [Bundle]

    package init(app: App, bundles: [Bundle]) {
        self.app = app
        self.bundles = bundles.sorted { $0.identity.identifier < $1.identity.identifier }
    }

    /// Returns the bundle with an identifier; `nil` if the lock has none.
    public func bundle(_ identifier: BundleIdentifier) -> Bundle? {
        bundles.first { $0.identity.identifier == identifier }
    }

    /// Returns the reasons why the lock does not fit an app; none if it does.
    ///
    /// - Parameter members: The bundles of the app with the versions that it allows.
    public func differences(from app: App, _ members: [AppMember]) -> [ErrorReason] {
        var differences: [ErrorReason] = []
        if self.app.version != app.version {
            let none = ErrorReason.Value.reason(ErrorReason("noVersion"))
            differences.append(
                ErrorReason(
                    "lockOfVersion",
                    [
                        "locked": self.app.version.map { "\($0)" } ?? none,
                        "version": app.version.map { "\($0)" } ?? none,
                    ]))
        }
        for member in members {
            guard let bundle = bundle(member.identifier) else {
                differences.append(ErrorReason("lockWithoutMember", ["bundle": .text(member.identifier)]))
                continue
            }
            guard let range = member.versions, !member.allows(bundle.identity.version) else { continue }
            differences.append(
                ErrorReason("lockOutsideRange", ["bundle": "\(bundle.identity)", "range": "\(range)"]))
        }
        if differences.isEmpty, self.app.digest != app.digest { differences.append(ErrorReason("lockOfOther")) }
        return differences
    }
}

extension AppLock {
    /// Returns the reason why the lock rules out a version; `nil` for a version that it names and for other bundles.
    ///
    /// Other bundles stay on offer, because a bundle of the lock may call them on demand.
    func refusal(of identity: BundleIdentity) -> AtriumError? {
        guard let bundle = bundle(identity.identifier), bundle.identity != identity else { return nil }
        return AtriumError(
            .lockMismatch, identity.description, reason: "lockHas", ["version": "\(bundle.identity.version)"])
    }

    /// Checks that a change installs nothing that the lock does not name.
    ///
    /// - Throws: ``AtriumError`` with code `lockMismatch`.
    func requireAll(_ arrivals: [BundleIdentity]) throws(AtriumError) {
        guard let other = arrivals.first(where: { bundle($0.identifier)?.identity != $0 }) else { return }
        throw AtriumError(.lockMismatch, other.description, reason: "lockWithout")
    }
}

extension AppLock.Bundle {
    /// Checks that a version has the content of the lock.
    ///
    /// - Throws: ``AtriumError`` with code `lockMismatch`.
    func requireSame(_ digest: String) throws(AtriumError) {
        guard digest != self.digest else { return }
        throw AtriumError(
            .lockMismatch, identity.description, reason: "contentNotLocked",
            ["seal": "\(digest.prefix(12))", "locked": "\(self.digest.prefix(12))"])
    }
}
