public import Authoring
import BundleFormat
import FoundationEssentials
public import PluginCore
import PluginRuntime
public import Signing

/// A catalog for one test: a folder of packages that is removed with the last reference.
///
/// ```swift
/// let catalog = try ThrowawayCatalog()
/// let shop = try catalog.add(host.catalog.appending("com.example.app.shop-1.1.0.zip"))
/// try catalog.pack(from: shop) { package in
///     try package.rename(version: "1.2.0")
///     try package.setManifest("coreABI", to: "3")
/// }
/// ```
///
/// A changed package is signed again, so that the test's change is its only defect, unless the change itself concerns seal and signature.
public final class ThrowawayCatalog: Sendable {
    private let contents: ThrowawayFolder
    private let signer: SigningIdentity?

    /// Creates an empty catalog.
    ///
    /// - Parameter signer: The identity that signs changed packages, by default that of the sample plugins. With `nil`, seals are not
    ///   updated.
    /// - Throws: The errors of the file system.
    public init(signedBy signer: SigningIdentity? = .development) throws {
        contents = try ThrowawayFolder()
        self.signer = signer
    }

    /// Creates a catalog with copies of the packages of another one.
    ///
    /// - Throws: The errors of the file system.
    public convenience init(copying folder: FilePath, signedBy signer: SigningIdentity? = .development) throws {
        try self.init(signedBy: signer)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.string) where name.hasSuffix(".zip") {
            try add(folder.appending(name))
        }
    }

    /// The folder of the catalog, for the command line.
    public var folder: FilePath { contents.path }

    /// Returns the sorted file names.
    ///
    /// - Throws: The errors of the file system.
    public func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.string).sorted()
    }

    /// Copies a package into the catalog and replaces one with the same name.
    ///
    /// - Parameters:
    ///   - package: The path of the package.
    ///   - name: The file name in the catalog, by default the original one.
    /// - Returns: The path in the catalog.
    /// - Throws: The errors of the file system.
    @discardableResult
    public func add(_ package: FilePath, named name: String? = nil) throws -> FilePath {
        try write(try Data(contentsOf: URL(filePath: package.string)), named: name ?? package.lastComponent)
    }

    /// Writes a file with any content into the catalog and replaces one with the same name.
    ///
    /// - Returns: The path in the catalog.
    /// - Throws: The errors of the file system.
    @discardableResult
    public func write(_ bytes: some Sequence<UInt8>, named name: String) throws -> FilePath {
        try contents.write(bytes, to: name)
    }

    /// Creates a changed package from an existing one, which is replaced only if the new one has the same path.
    ///
    /// - Returns: The path of the new package.
    /// - Throws: ``FixtureError`` if a change is not possible, the errors of opening the package, and the errors of `change`.
    @discardableResult
    public func pack(
        from package: FilePath, changing change: (inout PackageEditor) throws -> Void
    ) throws -> FilePath {
        var editor = try PackageEditor(package)
        try change(&editor)
        if let signer { try editor.restoreSeal(by: signer) }
        return try write(try editor.bytes(), named: editor.name)
    }

    /// Removes a package.
    ///
    /// - Throws: The errors of the file system.
    public func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: folder.appending(name).string)
    }

    /// Returns the path of a package.
    public func package(_ identifier: String, _ version: SemanticVersion) -> FilePath {
        folder.appending("\(identifier)-\(version).zip")
    }
}

/// A team with a key, for tests that sign changed packages.
///
/// ```swift
/// let rival = try SigningIdentity(team: "com.rival")
/// try catalog.pack(from: shop) { try $0.sign(by: rival) }    // a signer who may not own the name
/// ```
public struct SigningIdentity: Sendable {
    /// The environment variable that names the key file for the development identity.
    public static let variable = "ATRIUM_SIGNING_KEY"
    /// The team of the sample plugins. All of their identifiers start with its name.
    public static let sampleTeam = "com.example"
    /// The default signing time, 2026-11-21T12:00:00Z.
    public static let time: Int64 = 1_795_262_400

    /// The team's name.
    public let team: String
    /// The team's key.
    public let key: SigningKey

    /// Creates a team with a new key.
    ///
    /// - Throws: The errors of libcrypto.
    public init(team: String = sampleTeam) throws {
        self.init(team: team, key: try .generate())
    }

    /// Creates a team with a key.
    public init(team: String, key: SigningKey) {
        self.team = team
        self.key = key
    }

    /// The identity that signed the sample plugins, or nil if its key is not available.
    ///
    /// Its key file is the one that `ATRIUM_SIGNING_KEY` names, or otherwise the one that `Scripts/build` uses.
    public static let development: SigningIdentity? = {
        let file = System.environment(variable).map { FilePath($0) } ?? key(above: FilePath(#filePath))
        guard let file, let data = try? Data(contentsOf: URL(filePath: file.string)),
            let key = try? SigningKey(text: String(decoding: data, as: UTF8.self), password: nil)
        else { return nil }
        return SigningIdentity(team: sampleTeam, key: key)
    }()

    /// Returns a sealer that signs in the team's name.
    ///
    /// - Parameter time: The signing time in seconds since 1970.
    public func sealer(at time: Int64 = time) -> Sealer { Sealer(key: key, team: team, signedAt: time) }

    /// Writes the unencrypted secret key to a file, for the option of bundletool.
    ///
    /// - Returns: The path of the file, which is removed with the folder.
    /// - Throws: The errors of libcrypto and of the file system.
    public func writeKey(in folder: ThrowawayFolder) throws -> FilePath {
        try folder.write(try key.pem(password: nil), to: "\(team).key")
    }

    private static func key(above file: FilePath) -> FilePath? {
        let name = ".build/team/example.key"
        return file.ancestor { FileManager.default.fileExists(atPath: $0.appending(name).string) }?.appending(name)
    }
}
