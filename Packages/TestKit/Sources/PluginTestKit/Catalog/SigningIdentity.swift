internal import FoundationEssentials
public import PluginCore
public import PluginRuntime
public import Signing

/// A team with a key, for tests that sign what they change.
///
/// ```swift
/// let rival = try SigningIdentity(team: "com.rival")
/// try catalog.pack(from: shop) { try $0.sign(by: rival) }    // a signer who may not own the name
/// ```
public struct SigningIdentity: Sendable {
    /// The variable that names the file of the key that ``development`` uses.
    public static let variable = "ATRIUM_SIGNING_KEY"
    /// The team of the sample plugins, and what all of their identifiers start with.
    public static let sampleTeam = "com.example"
    /// 2026-11-21T12:00:00Z: what is signed with another time need not be told apart.
    public static let time: Int64 = 1_795_262_400

    /// The team's name.
    public let team: String
    /// The team's key.
    public let key: SigningKey

    /// A team with a new key.
    ///
    /// - Throws: what libcrypto throws.
    public init(team: String = sampleTeam) throws {
        self.init(team: team, key: try .generate())
    }

    /// A team with a key.
    public init(team: String, key: SigningKey) {
        self.team = team
        self.key = key
    }

    /// Whose key `ATRIUM_SIGNING_KEY` names, else the one that `Scripts/build` has signed the sample plugins with, in the name of
    /// their team; `nil` when there is none.
    public static let development: SigningIdentity? = {
        let file = System.environment(variable).map { FilePath($0) } ?? key(above: FilePath(#filePath))
        guard let file, let data = try? Data(contentsOf: URL(filePath: file.string)),
            let key = try? SigningKey(text: String(decoding: data, as: UTF8.self), password: nil)
        else { return nil }
        return SigningIdentity(team: sampleTeam, key: key)
    }()

    /// Signs in the team's name.
    ///
    /// - Parameter time: seconds since 1970.
    public func sealer(at time: Int64 = time) -> Sealer { Sealer(key: key, team: team, signedAt: time) }

    /// Writes the secret key, not encrypted, for `bundletool --key`.
    ///
    /// - Returns: its file, which goes with the folder.
    /// - Throws: what libcrypto and the file system throw.
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
