import Authoring
import BundleFormat
import FoundationEssentials
public import PluginCore
import PluginRouter
import PluginRuntime
import Signing
import Trust

/// The settings of a validation, which every process of it gets.
public struct ValidationSettings: Sendable, Codable {
    /// The default number of times that pages are opened to find leaks.
    public static let defaultOpens = 1000
    /// The default time limit for a call, in seconds.
    public static let defaultDeadline = 10

    /// The folder of the validation, with the packages and a sandbox for each check.
    private(set) var path: String
    /// The file name of the validated package.
    private(set) var name: String
    /// The file name of the last release, or nil if it is unknown.
    private let releasedName: String?
    /// The program that runs extensions.
    private let runnerPath: String
    /// The addresses that are opened in place of sample addresses of their routes.
    private let addresses: [String]
    /// The seed of all random input. The same seed yields the same input.
    public let seed: UInt64
    /// The number of times that pages are opened to find leaks.
    public let opens: Int
    /// The time limit for a call whose route declares none, and for code that blocks the main actor, in seconds.
    public let deadline: Int

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - folder: an absolute path, because the processes have working folders of their own.
    ///   - identity: the identity of the validated package.
    ///   - released: the identity of the last release, whose package is in the folder `released` of the validation.
    ///   - runner: the program `extension-runner`.
    ///   - addresses: addresses that the plugin is known to answer.
    public init(
        folder: FilePath, package identity: BundleIdentity, after released: BundleIdentity? = nil, runner: FilePath,
        addresses: [String], seed: UInt64, opens: Int, deadline: Int
    ) {
        runnerPath = runner.string
        self.addresses = addresses
        path = folder.string
        name = PackageFile.name(of: identity)
        releasedName = released.map { PackageFile.name(of: $0) }
        self.seed = seed
        self.opens = opens
        self.deadline = deadline
    }

    /// Returns the folder of the packages of the last release and of the validated version together.
    public static func releaseFolder(in folder: FilePath) -> FilePath { folder.appending("released") }

    /// The settings for the last release, in a folder with both packages; nil if it is unknown.
    var released: ValidationSettings? {
        guard let releasedName else { return nil }
        var settings = self
        settings.path = Self.releaseFolder(in: folder).string
        settings.name = releasedName
        return settings
    }

    /// The folder of the validation.
    public var folder: FilePath { FilePath(path) }
    /// Reads the manifest of the validated package.
    public func manifest() throws -> Manifest { try package.manifest() }

    /// Returns the given addresses that no route of the package matches, or that are no addresses.
    public func unknownAddresses() throws -> [String] {
        let patterns = try manifest().routes.map { try RoutePattern($0.pattern) }
        return addresses.filter { text in
            guard let uri = try? ResourceURI(text) else { return true }
            return !patterns.contains { $0.captures(from: uri) != nil }
        }
    }

    /// Returns the given address that a pattern matches; `nil` if there is none.
    func address(of pattern: RoutePattern) -> ResourceURI? {
        addresses.lazy.compactMap { try? ResourceURI($0) }.first { pattern.captures(from: $0) != nil }
    }

    /// The folder of the packages, which is the catalog of the sandboxes.
    var packages: FilePath { ValidationPackages.catalog(in: folder) }
    /// The validated package.
    var package: PackageFile { PackageFile(path: packages.appending(name)) }
    /// The program `extension-runner`.
    var runner: FilePath { FilePath(runnerPath) }
    /// The time limit for a call.
    var limit: Duration { .seconds(deadline) }
}

/// The packages of a validation, signed with keys that only its sandboxes trust.
///
/// So an author validates a package before it is signed, and no check of the runtime is switched off.
public enum ValidationPackages {
    /// Signs copies of packages, and writes the trust store for them.
    ///
    /// - Parameters:
    ///   - packages: the validated package, and those that it requires.
    ///   - folder: the folder of the validation, which exists.
    ///   - time: the time of signing, in seconds since 1970.
    /// - Throws: the errors of reading and signing the packages.
    public static func sign(_ packages: [FilePath], in folder: FilePath, at time: Int64) throws {
        try FileManager.default.createDirectory(atPath: catalog(in: folder).string, withIntermediateDirectories: true)
        var keys: [String: SigningKey] = [:]
        let trusted = TrustFile(shipped: nil, own: trust(in: folder))
        for package in packages {
            let identity = try PackageFile(path: package).manifest().identity
            // The owner of the first two labels may use all app groups that any team of such a bundle could own.
            let team = identity.identifier.text.split(separator: ".").prefix(2).joined(separator: ".")
            let key = try keys[team] ?? .generate()
            if keys.updateValue(key, forKey: team) == nil {
                try trusted.change { store throws(AtriumError) in
                    try store.adding(team: team, name: nil, prefixes: [team], key: key.publicKey)
                }
            }
            try Sealer(key: key, team: team, signedAt: time)
                .sign(
                    package: package, to: catalog(in: folder).appending(PackageFile.name(of: identity)),
                    checking: AppGroupOwnership.requireOwn)
        }
    }

    static func catalog(in folder: FilePath) -> FilePath { folder.appending("packages") }
    static func trust(in folder: FilePath) -> FilePath { folder.appending("trust.json") }
}
