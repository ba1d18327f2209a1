import Authoring
import BundleFormat
import FoundationEssentials
public import PluginCore
import PluginRuntime
import Signing
import Trust

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
        try FileManager.default.createDirectory(
            atPath: catalog(in: folder).string, withIntermediateDirectories: true)
        var keys: [String: SigningKey] = [:]
        let trusted = TrustFile(shipped: nil, own: trust(in: folder))
        for package in packages {
            let identity = try PackageFile(path: package).manifest().identity
            // The owner of the first two labels may use all app groups that any team of such a bundle could own.
            let team = identity.identifier.text.split(separator: ".").prefix(2).joined(separator: ".")
            let key: SigningKey
            if let known = keys[team] {
                key = known
            } else {
                key = try SigningKey.generate()
                keys[team] = key
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
