public import BundleFormat
import HostSystem
public import PluginCore
public import PluginRouter
public import Signing
import Zip
import ZipWriting

/// Collects the files of a bundle and writes its package, sealed or not.
///
/// The same content produces the same bytes. Folders have no entries of their own, because only files can be sealed.
public struct PackageWriter: Sendable {
    private var archive = ZipWriter()
    private var files: [Seal.File] = []

    /// Creates a writer without files.
    public init() {}

    /// Adds a file from memory.
    ///
    /// - Throws: ``AtriumError`` with code `packageInvalid` for a path that isn't allowed in a package.
    public mutating func add(_ bytes: [UInt8], as name: String, executable: Bool = false) throws(AtriumError) {
        let sha256 = try ContentDigest.of(bytes)
        try add(Seal.File(path: name, size: UInt64(bytes.count), sha256: sha256, isExecutable: executable)) {
            (archive) throws(ZipError) in try archive.add(bytes, as: name, executable: executable)
        }
    }

    private mutating func add(
        _ file: Seal.File, _ body: (inout ZipWriter) throws(ZipError) -> Void
    ) throws(AtriumError) {
        do {
            try body(&archive)
        } catch {
            throw AtriumError(.packageInvalid, file.path, reason: .verbatim(error.detail))
        }
        files.append(file)
    }

    /// Adds a file from the disk, which is hashed now and read again when the package is written.
    ///
    /// The file in the package is executable if its owner may execute it now.
    ///
    /// - Throws: ``AtriumError`` with code `packageInvalid` for a path that isn't allowed in a package, `resourceInvalid` for
    ///   anything but a regular file, `inputOutput` for a file that can't be read.
    public mutating func add(file: FilePath, as name: String) throws(AtriumError) {
        guard case .file(_, let mode) = try FileSystem.item(at: file) else {
            throw AtriumError(.resourceInvalid, file.string, reason: "neitherFileNorFolder")
        }
        let hasher = SHA256Hasher()
        var size: UInt64 = 0
        try FileSystem.read(file, isLinkFollowed: false) { piece in
            hasher.update(piece)
            size += UInt64(piece.count)
        }
        let sha256 = try ContentDigest.finish(hasher)
        let isExecutable = mode & 0o100 != 0
        try add(Seal.File(path: name, size: size, sha256: sha256, isExecutable: isExecutable)) {
            (archive) throws(ZipError) in try archive.add(file: file.string, as: name, executable: isExecutable)
        }
    }

    /// Adds all files in a folder and its subfolders.
    ///
    /// - Parameter name: the folder's path in the package; empty for the package itself.
    /// - Throws: as ``add(file:as:)``; also for links and other special files.
    public mutating func add(folder: FilePath, as name: String = "") throws(AtriumError) {
        for child in try FileSystem.names(in: folder) {
            let path = folder.appending(child)
            let name = name.isEmpty ? child : name + "/" + child
            if try FileSystem.isFolder(path) {
                try add(folder: path, as: name)
            } else {
                try add(file: path, as: name)
            }
        }
    }

    /// Writes the package atomically, after it has been opened and checked as a host does.
    ///
    /// - Parameters:
    ///   - path: the path of the package.
    ///   - identity: the bundle's identity.
    ///   - sealer: `nil` for an unsigned package, which no host installs.
    ///   - converters: the types that a pattern's captures may have in the intended hosts.
    /// - Throws: ``AtriumError`` with code `sealBroken`, also when a file has changed since it was added, `keyInvalid`,
    ///   `packageInvalid` for conflicting names or exceeded limits, `manifestInvalid`, `inputOutput`, `storageFull`. Nothing
    ///   has been written then.
    public func write(
        to path: FilePath, of identity: BundleIdentity, sealedBy sealer: Sealer?,
        converters: RouteConverters = .standard
    ) throws(AtriumError) {
        var archive = archive
        let signed = try sealer?.sign(files, of: identity)
        // Replace the file that a link leads to, not the link.
        let path = FileSystem.resolved(path)
        let new = path.parent.appending(".pack-\(processSerial())")
        defer { try? FileSystem.remove(new) }
        do {
            if let signed {
                try archive.add(signed.seal, as: Seal.name)
                try archive.add(signed.signature, as: Seal.signatureName)
            }
            try archive.write(to: new.string, durability: .synced)
        } catch {
            throw .invalidPackage(path, error)
        }
        do {
            try Self.validate(new, isSealed: signed != nil, converters: converters)
        } catch {
            // Report the final name: the user doesn't know the temporary one.
            let subject = error.subject == new.lastComponent ? path.lastComponent : error.subject
            throw AtriumError(error.code, subject, reason: error.reason, problems: error.problems)
        }
        try FileSystem.rename(new, to: path)
        try FileSystem.sync(path.parent)
    }

    /// Checks that a host would accept the package, as far as this doesn't depend on the host.
    private static func validate(
        _ package: FilePath, isSealed: Bool, converters: RouteConverters
    ) throws(AtriumError) {
        guard isSealed else {
            _ = try PackageFile(path: package).manifest(converters: converters)
            return
        }
        let findings = try SealedPackage(opening: package, converters: converters).contentFindings()
        if let refusal = findings.refusal(of: package.lastComponent) { throw refusal }
    }
}

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
        let comment = "\(identity) by \(team), signed \(seal.signedTime)"
        let signature = try Result { () throws(SigningError) in try key.sign(source, trustedComment: comment) }
            .mapError { AtriumError(.keyInvalid, "\(key.publicKey.id)", reason: $0.reason) }.get()
        return (source, Array(signature.text.utf8))
    }
}

extension SealedPackage {
    /// Writes the part of the package for one platform: the same seal, signature and files, without the libraries of other platforms.
    ///
    /// The same package gives the same bytes. All contents are compared with the seal on the way.
    ///
    /// - Parameters:
    ///   - platform: the triple of the platform, one of ``platforms``.
    ///   - path: the path of the part, in an existing folder.
    /// - Throws: as ``extract(to:for:sharing:progress:)``.
    public func writePart(for platform: String, to path: FilePath) throws(AtriumError) {
        let files = FilePath("\(path).files")
        defer { try? FileSystem.remove(files) }
        try extract(to: files, for: platform)
        do {
            var writer = ZipWriter()
            for entry in archive.entries where !entry.isDirectory {
                guard Seal.platform(of: entry.name).map({ $0 == platform }) ?? true else { continue }
                try writer.add(file: "\(files)/\(entry.name)", as: entry.name, executable: entry.isExecutable)
            }
            try writer.write(to: path.string)
        } catch {
            throw .invalidPackage(path, error)
        }
    }
}
