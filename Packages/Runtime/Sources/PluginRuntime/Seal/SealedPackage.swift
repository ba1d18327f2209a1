public import PluginCore
public import PluginRouter
public import Signing
import Zip

/// A package that was opened once and whose list of files is the one that its seal has. It keeps the file open, so that what
/// is judged is what is unpacked, whatever takes the file's place meanwhile.
///
/// ```swift
/// let package = try SealedPackage(opening: "catalog/com.example.app.shop-1.1.0.zip")
/// try package.verify(by: .key(publicKey))
/// try package.extract(to: "Staging/shop")    // every file is hashed while it is written
/// ```
public struct SealedPackage: Sendable {
    /// How many files and folders a package may have.
    public static let entryLimit = 32_768
    /// How many bytes all of them may have, unpacked.
    public static let contentLimit: UInt64 = 4 << 30

    /// Where it lay when it was opened.
    public let path: FilePath
    /// What its manifest says; the manifest's content is the one that is sealed.
    public let manifest: Manifest
    /// The manifest's bytes.
    public let manifestSource: [UInt8]
    /// What its team sealed; whether they did is known after ``verify(by:)``.
    public let seal: Seal
    /// Who says to have signed the seal.
    public let signature: MinisignSignature
    /// The SHA-256 of the seal's bytes, in lower-case hexadecimal: the content's name, whoever signed it.
    public let digest: String

    let archive: ZipArchive
    let sealSource: [UInt8]
    let signatureSource: [UInt8]
    /// How the archive and the seal disagree; public callers never meet a package with any.
    let disagreements: [SealFinding]

    /// Opens a package and judges all but the contents and whether its signer may be believed.
    ///
    /// - Parameter converters: the types that a pattern's captures can ask for.
    /// - Throws: ``AtriumError`` with code `packageInvalid` when it is no sound archive of a bundle, `unsigned`,
    ///   `signatureInvalid` when its signature cannot be read, `sealBroken` with every difference between seal and archive,
    ///   or `manifestInvalid`.
    public init(opening path: FilePath, converters: RouteConverters = .standard) throws(AtriumError) {
        try self.init(opening: path, converters: converters, isLenient: false)
    }

    /// Opens a package for a host that is not here, of whose converters only the names are known.
    ///
    /// - Parameter names: the converters that the host registers beside the standard ones.
    /// - Throws: as ``init(opening:converters:)``.
    public init(opening path: FilePath, registeredConverters names: [String]) throws(AtriumError) {
        try self.init(opening: path, converters: .standard(registering: names))
    }

    /// - Parameter isLenient: whether a package that differs from its seal is opened, and tells the differences.
    init(opening path: FilePath, converters: RouteConverters, isLenient: Bool) throws(AtriumError) {
        let archive = try PackageFile(path: path).soundArchive()
        self.path = path
        self.archive = archive
        manifestSource = try Self.contents(of: "manifest.json", limit: ManifestReader.sizeLimit, archive, path)
        guard archive.entry(named: Seal.name) != nil, archive.entry(named: Seal.signatureName) != nil else {
            let missing = [Seal.name, Seal.signatureName].filter { archive.entry(named: $0) == nil }
            throw AtriumError(
                .unsigned, path.lastComponent, detail: "there is no \(missing.joined(separator: " and no ")) in it")
        }
        sealSource = try Self.contents(of: Seal.name, limit: Seal.sizeLimit, archive, path)
        signatureSource = try Self.contents(of: Seal.signatureName, limit: Self.signatureLimit, archive, path)
        seal = try Seal(reading: sealSource, of: path.lastComponent)
        signature = try MinisignSignature(reading: signatureSource, of: path.lastComponent)
        digest = try ContentDigest.of(sealSource)
        disagreements = try Self.disagreements(archive, seal, manifestSource)
        if !isLenient, let refusal = disagreements.refusal(of: path.lastComponent) { throw refusal }
        do throws(AtriumError) {
            manifest = try ManifestReader.read(manifestSource, of: path.lastComponent, converters: converters)
        } catch {
            // What is wrong with a manifest that nobody has sealed is not its author's fault.
            throw disagreements.refusal(of: path.lastComponent) ?? error
        }
    }

    /// Larger signatures, in bytes, are refused unread; minisign writes no larger ones.
    static let signatureLimit = 1 << 14

    /// The key that says to have signed.
    public var keyID: KeyID { signature.keyID }

    /// The library for this platform as it is sealed; `nil` for a bundle without one.
    public var library: Seal.File? {
        manifest.entry.flatMap { seal.file(LibraryPreflight.place(of: $0)) }
    }

    /// What any package may ask of whoever looks into it.
    static let limits = ZipLimits(
        entryCount: entryLimit, totalUncompressedSize: contentLimit, compressionRatio: ZipLimits.usualRatio)

    private static func contents(
        of name: String, limit: Int, _ archive: ZipArchive, _ path: FilePath
    ) throws(AtriumError) -> [UInt8] {
        do throws(ZipError) {
            return try archive.contents(of: name, limit: limit)
        } catch {
            throw .invalidPackage(path, error)
        }
    }

    private static func disagreements(
        _ archive: ZipArchive, _ seal: Seal, _ manifest: [UInt8]
    ) throws(AtriumError) -> [SealFinding] {
        let found = archive.entries.map { entry in
            SealedFiles.Found(
                path: entry.isDirectory ? String(decoding: entry.name.utf8.dropLast(), as: UTF8.self) : entry.name,
                kind: entry.isDirectory ? .folder : .file(size: entry.uncompressedSize, mode: entry.mode))
        }
        var findings = BundleShape.findings(in: seal) + SealedFiles(seal: seal).findings(in: found)
        if let sealed = seal.file("manifest.json"), sealed.size == manifest.count,
            try ContentDigest.of(manifest) != sealed.sha256
        {
            findings.append(SealFinding(.sealBroken, "manifest.json", SealObserver.difference))
        }
        return findings
    }
}

extension MinisignSignature {
    /// - Throws: ``AtriumError`` with code `signatureInvalid`.
    init(reading bytes: [UInt8], of subject: String) throws(AtriumError) {
        // Not repaired: what is verified is what lies there.
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw AtriumError(
                .signatureInvalid, subject,
                detail: "its \(Seal.signatureName) cannot be read: it is no text in UTF-8")
        }
        do throws(SigningError) {
            try self.init(text)
        } catch {
            throw AtriumError(
                .signatureInvalid, subject, detail: "its \(Seal.signatureName) cannot be read: \(error.detail)")
        }
    }
}
