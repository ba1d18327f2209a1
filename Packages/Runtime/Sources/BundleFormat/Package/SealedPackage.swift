import HostSystem
public import PluginCore
public import PluginRouter
package import Zip

/// An open package whose list of files agrees with its seal.
///
/// It keeps the file open, so that the extracted bytes are the verified ones even if another file takes its path.
///
/// ```swift
/// let package = try SealedPackage(opening: "catalog/com.example.app.shop-1.1.0.zip")
/// try package.verify(by: .key(publicKey))
/// try package.extract(to: "Staging/shop")    // every file is hashed while it is written
/// ```
public struct SealedPackage: Sendable {
    /// The maximum number of files and folders in a package.
    public static let entryLimit = 32_768
    /// The maximum total size of the uncompressed files, in bytes.
    public static let contentLimit: UInt64 = 4 << 30

    /// The path at which the package was opened.
    public let path: FilePath
    /// The manifest, whose content is the sealed one.
    public let manifest: Manifest
    /// The manifest's bytes.
    public let manifestSource: [UInt8]
    /// The team's seal, whose signature isn't verified yet.
    ///
    /// Its signature is verified by ``verify(by:)``.
    public let seal: Seal
    /// The content of the signature's file.
    package let signature: [UInt8]
    /// The identifier of the key that the signature names.
    public let keyID: String
    /// The SHA-256 of the seal's bytes, in lowercase hexadecimal: it identifies the content, no matter who signed it.
    public let digest: String
    /// The platforms and builds whose libraries are in this file, sorted; those of the seal may be more.
    public let platforms: [String]

    package let archive: ZipArchive
    package let sealSource: [UInt8]
    /// The differences between archive and seal; always empty in packages from the public initializers.
    package let disagreements: [SealFinding]

    /// Opens a package and validates everything except its contents and its signer.
    ///
    /// - Parameter converters: the types that a pattern's captures may have.
    /// - Throws: ``AtriumError`` with code `packageInvalid` when it isn't a valid archive of a bundle, `unsigned`,
    ///   `signatureInvalid` when its signature can't be read, `sealBroken` with every difference between seal and archive, or
    ///   `manifestInvalid`.
    public init(opening path: FilePath, converters: RouteConverters = .standard) throws(AtriumError) {
        try self.init(opening: path, converters: converters, isLenient: false)
    }

    /// Opens a package.
    ///
    /// - Parameter isLenient: whether a package that differs from its seal is opened and lists the differences.
    package init(opening path: FilePath, converters: RouteConverters, isLenient: Bool) throws(AtriumError) {
        let archive = try PackageFile(path: path).soundArchive()
        self.path = path
        self.archive = archive
        manifestSource = try archive.contents(of: "manifest.json", limit: ManifestReader.sizeLimit, at: path)
        let missing = [Seal.name, Seal.signatureName].filter { archive.entry(named: $0) == nil }
        guard missing.isEmpty else {
            throw AtriumError(
                .unsigned, path.lastComponent, reason: "signatureMissing", ["missing": .list(missing)])
        }
        sealSource = try archive.contents(of: Seal.name, limit: Seal.sizeLimit, at: path)
        signature = try archive.contents(of: Seal.signatureName, limit: Self.signatureLimit, at: path)
        seal = try Seal(reading: sealSource, of: path.lastComponent)
        keyID = try SignatureVerification.keyID(in: signature, of: path.lastComponent)
        digest = try ContentDigest.of(sealSource)
        let present = seal.present(in: archive.entries.lazy.filter { !$0.isDirectory }.map(\.name))
        platforms = present.platforms
        var disagreements = try Self.disagreements(archive, present, manifestSource)
        do {
            manifest = try ManifestReader.read(manifestSource, of: path.lastComponent, converters: converters)
        } catch {
            // A manifest that differs from the sealed one has been tampered with: don't report its errors as the author's.
            throw disagreements.refusal(of: path.lastComponent) ?? error
        }
        if let flaw = BundleShape.libraryFlaw(in: seal.files.map(\.path), of: manifest) {
            disagreements.append(SealFinding(.packageInvalid, nil, flaw))
        }
        self.disagreements = disagreements
        if !isLenient, let refusal = disagreements.refusal(of: path.lastComponent) { throw refusal }
    }

    /// The maximum size of a signature in bytes, more than minisign ever writes; larger ones are rejected unread.
    package static let signatureLimit = 1 << 14

    /// The limits of an archive, which bound the work that any package can cause in its reader.
    static let limits = ZipLimits(
        entryCount: entryLimit, totalUncompressedSize: contentLimit, compressionRatio: ZipLimits.usualRatio)

    private static func disagreements(
        _ archive: ZipArchive, _ seal: Seal, _ manifest: [UInt8]
    ) throws(AtriumError) -> [SealFinding] {
        let found = archive.entries.map { entry -> Seal.FoundItem in
            entry.isDirectory
                ? (String(decoding: entry.name.utf8.dropLast(), as: UTF8.self), .folder)
                : (entry.name, .file(size: Int64(clamping: entry.uncompressedSize), mode: entry.mode))
        }
        var findings = seal.findings(in: found)
        if let sealed = seal.file("manifest.json"), sealed.size == manifest.count,
            try ContentDigest.of(manifest) != sealed.sha256
        {
            findings.append(SealFinding(.sealBroken, "manifest.json", SealObserver.difference))
        }
        return findings
    }

    /// Returns the content of a sealed file, or `nil` if there is no such file.
    ///
    /// - Parameters:
    ///   - path: the file's path in the bundle.
    ///   - limit: the maximum size in bytes.
    /// - Throws: ``AtriumError`` with code `packageInvalid` for a larger or damaged file, `sealBroken` for one that differs from the
    ///   sealed one.
    package func contents(of path: String, limit: Int) throws(AtriumError) -> [UInt8]? {
        guard let file = seal.file(path) else { return nil }
        let bytes = try archive.contents(of: path, limit: limit, at: self.path)
        guard try ContentDigest.of(bytes) == file.sha256 else {
            throw AtriumError(.sealBroken, self.path.lastComponent, problems: [.at(path, SealObserver.difference)])
        }
        return bytes
    }

    /// The total uncompressed size in bytes of all files that a host stores, including seal and signature.
    package var size: UInt64 {
        stored.files.reduce(UInt64(sealSource.count + signature.count)) { $0 + $1.size }
    }

    /// The sealed files that a host stores: all but the libraries for other hosts.
    package var stored: Seal { seal.part(for: seal.ownFolder ?? Platform.triple) }
}
