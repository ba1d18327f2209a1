public import BundleFormat
internal import FoundationEssentials
public import PluginCore
import PluginRuntime
public import Signing

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
        var folder = file.parent
        while true {
            let key = folder.appending(".build/team/example.key")
            if FileManager.default.fileExists(atPath: key.string) { return key }
            let parent = folder.parent
            guard parent != folder, parent != "." else { return nil }
            folder = parent
        }
    }
}
