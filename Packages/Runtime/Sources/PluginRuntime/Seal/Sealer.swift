public import PluginCore
public import Signing

/// Seals and signs in a team's name. Given key, files and time, its bytes are always the same.
///
/// ```swift
/// let sealer = Sealer(key: key, team: "com.example", signedAt: 1_795_262_400)
/// var package = PackageWriter()
/// try package.add(Array(manifest.utf8), as: "manifest.json")
/// try package.write(to: "theme.zip", of: identity, sealedBy: sealer)
/// ```
public struct Sealer: Sendable {
    /// Signs the seals.
    public let key: SigningKey
    /// The team that the seals name.
    public let team: String
    /// The time that they name, in seconds since 1970.
    public let signedAt: Int64

    /// A sealer; whether the team can be one is judged with the first seal.
    public init(key: SigningKey, team: String, signedAt: Int64) {
        self.key = key
        self.team = team
        self.signedAt = signedAt
    }

    /// Returns whether a text can be a team's name: it is written as a bundle's identifier is.
    public static func isTeam(_ text: String) -> Bool { ManifestRules.isIdentifier(text) }

    /// The two files of `signature/` for a bundle of these files.
    ///
    /// - Parameter identity: goes into the signature's trusted comment, for who reads it; it is the sealed manifest that counts.
    /// - Throws: ``AtriumError`` with code `sealBroken` for files or a team that cannot be sealed, `keyInvalid` when the key
    ///   cannot sign.
    public func sign(
        _ files: [Seal.File], of identity: BundleIdentity
    ) throws(AtriumError) -> (seal: [UInt8], signature: [UInt8]) {
        let seal = try Seal(team: team, signedAt: signedAt, files: files, of: identity.description)
        let source = seal.encoded()
        guard source.count <= Seal.sizeLimit else {
            throw AtriumError(
                .sealBroken, identity.description, detail: "its seal is larger than \(Seal.sizeLimit) bytes")
        }
        do throws(SigningError) {
            let comment = "\(identity) by \(team), signed \(seal.signedTime)"
            return (source, Array(try key.sign(source, trustedComment: comment).text.utf8))
        } catch {
            throw AtriumError(.keyInvalid, "\(key.publicKey.id)", detail: error.detail)
        }
    }
}
