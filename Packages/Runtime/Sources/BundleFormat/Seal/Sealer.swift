public import PluginCore
public import Signing

/// Seals and signs bundles in the name of a team; the same key, files and time produce the same bytes.
///
/// ```swift
/// let sealer = Sealer(key: key, team: "com.example", signedAt: 1_795_262_400)
/// var package = PackageWriter()
/// try package.add(Array(manifest.utf8), as: "manifest.json")
/// try package.write(to: "theme.zip", of: identity, sealedBy: sealer)
/// ```
public struct Sealer: Sendable {
    /// The key that signs the seals.
    public let key: SigningKey
    /// The team in the seals.
    public let team: String
    /// The time of signing in the seals, in seconds since 1970.
    public let signedAt: Int64

    /// Creates a sealer; the team's name is validated with the first seal.
    public init(key: SigningKey, team: String, signedAt: Int64) {
        self.key = key
        self.team = team
        self.signedAt = signedAt
    }

    /// Returns the seal and the signature for some files.
    ///
    /// - Parameter identity: the identity in the signature's trusted comment, for information; the sealed manifest is authoritative.
    /// - Throws: ``AtriumError`` with code `sealBroken` for files or a team that can't be sealed, `keyInvalid` when the key can't sign.
    public func sign(
        _ files: [Seal.File], of identity: BundleIdentity
    ) throws(AtriumError) -> (seal: [UInt8], signature: [UInt8]) {
        let seal = try Seal(team: team, signedAt: signedAt, files: files, of: identity.description)
        let source = seal.encoded()
        guard source.count <= Seal.sizeLimit else {
            throw AtriumError(
                .sealBroken, identity.description, reason: "sealTooLarge", ["limit": .integer(Seal.sizeLimit)])
        }
        do throws(SigningError) {
            let comment = "\(identity) by \(team), signed \(seal.signedTime)"
            return (source, Array(try key.sign(source, trustedComment: comment).text.utf8))
        } catch {
            throw AtriumError(.keyInvalid, "\(key.publicKey.id)", reason: error.reason)
        }
    }
}
