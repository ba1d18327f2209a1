import HostSystem
public import PluginCore
public import PluginRouter

/// A bundle unpacked in a folder, such as an installed version, that can be verified against its seal.
///
/// ```swift
/// let report = try SealedFolder(folder).report(by: .key(publicKey))
/// if let refusal = report.refusal(of: "com.example.app.shop@1.1.0") { throw refusal }
/// ```
public struct SealedFolder: Sendable {
    package static let manifestName = "manifest.json"

    package let folder: FilePath
    private let converters: RouteConverters

    /// Creates a reader for the bundle in a folder, without reading it.
    ///
    /// - Parameter converters: the types that a pattern's captures may have.
    public init(_ folder: FilePath, converters: RouteConverters = .standard) {
        self.folder = folder
        self.converters = converters
    }

    /// Reads the seal without comparing any file with it.
    ///
    /// - Throws: ``AtriumError`` with code `unsigned` when there is none, `sealBroken` with all problems of the seal, or `inputOutput`.
    public func seal() throws(AtriumError) -> Seal {
        try Seal(reading: try bytes(of: Seal.name, limit: Seal.sizeLimit), of: folder.lastComponent)
    }

    /// Returns the files whose content differs, among those that exist with the right size.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when a file cannot be read.
    private func changes(
        from seal: Seal, but known: [SealFinding], _ manifest: [UInt8]?
    ) throws(AtriumError) -> [SealFinding] {
        // Compared as bytes: `String` would treat two Unicode spellings of a name as equal, and skip the content of one.
        let known = Set(known.compactMap { $0.path.map { Array($0.utf8) } })
        var changes: [SealFinding] = []
        for file in seal.files where !known.contains(Array(file.path.utf8)) {
            do {
                let digest: String
                if file.path == Self.manifestName, let manifest {
                    digest = try ContentDigest.of(manifest)
                } else {
                    digest = try ContentDigest.of(file: folder.appending(file.path), isLinkFollowed: false)
                }
                if digest == file.sha256 { continue }
                changes.append(SealFinding(.sealBroken, file.path, SealObserver.difference))
            } catch {
                // Another process may be removing the bundle: a file that is gone is reported as missing, not as unreadable.
                guard try FileSystem.item(at: folder.appending(file.path)) == nil else { throw error }
                changes.append(Seal.missing(file))
            }
        }
        return changes
    }

    /// Reads the manifest once, so that the one that is validated is the one that is compared with the seal.
    ///
    /// - Returns: its bytes, and the manifest or what is wrong with it; no bytes when the item isn't a file of the allowed size.
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when a file cannot be read.
    private func manifest() throws(AtriumError) -> (source: [UInt8]?, result: Result<Manifest, AtriumError>) {
        let (path, limit) = (folder.appending(Self.manifestName), ManifestReader.sizeLimit)
        guard case .file(let source, _) = try FileSystem.contents(of: path, limit: limit) else {
            let values: [String: ErrorReason.Value] = ["limit": .integer(limit)]
            return (nil, .failure(AtriumError(.manifestInvalid, path, reason: "notFileWithinLimit", values)))
        }
        let result = Result { () throws(AtriumError) in
            try ManifestReader.read(source, of: folder.lastComponent, converters: converters)
        }
        return (source, result)
    }

    /// Reads a file of the signature folder.
    ///
    /// - Throws: ``AtriumError`` with code `unsigned` when there is no such file.
    package func bytes(of name: String, limit: Int) throws(AtriumError) -> [UInt8] {
        let path = folder.appending(name)
        switch try FileSystem.contents(of: path, limit: limit) {
        case .nothing:
            throw AtriumError(.unsigned, folder.lastComponent, reason: "noFileInBundle", ["name": .text(name)])
        case .file(let bytes, _): return bytes
        case .other:
            throw AtriumError(
                .sealBroken, folder.lastComponent, reason: "partNotFile",
                ["name": .text(name), "limit": .integer(limit)]
            )
        }
    }

    /// Lists all files and folders in the bundle.
    private func contents() throws(AtriumError) -> [Seal.FoundItem] {
        guard try FileSystem.isFolder(folder) else {
            throw AtriumError(.sealBroken, folder, reason: "noFolder", ["folder": "\(folder)"])
        }
        var found: [Seal.FoundItem] = []
        try list("", &found)
        return found
    }

    private func list(_ name: String, _ found: inout [Seal.FoundItem]) throws(AtriumError) {
        for child in try FileSystem.names(in: name.isEmpty ? folder : folder.appending(name)) {
            let child = name.isEmpty ? child : name + "/" + child
            // A tree may be deeper than the longest path of the system; nothing that deep can be sealed.
            let isTooLong = child.utf8.count > Seal.pathLimit
            // A name that isn't UTF-8 was repaired, and no entry has the repaired name.
            let item = isTooLong ? nil : try FileSystem.item(at: folder.appending(child))
            found.append((child, item))
            if case .folder = item { try list(child, &found) }
        }
    }

    /// Verifies the bundle like a package: its files, their sizes, contents and modes, the signature and its signer.
    ///
    /// Links are never followed.
    ///
    /// - Parameters:
    ///   - verification: the authority that decides whether the signer is trusted.
    ///   - digest: the SHA-256 of the seal at installation, which also reveals that the whole bundle was replaced by another.
    ///   - isOfHost: whether the libraries for this host must be there; those for any one are enough otherwise.
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when a file can't be read: that says nothing
    ///   about the bundle, because the file may be the sealed one.
    public func report(
        by verification: SignatureVerification, expecting digest: String? = nil, forThisHost isOfHost: Bool = false
    ) throws(AtriumError) -> SealReport {
        var report = SealReport()
        do {
            let found = try contents()
            let (manifestSource, manifest) = try manifest()
            report.manifest = (try? manifest.get()).map { ($0, manifestSource ?? []) }
            report.identity = report.manifest?.manifest.identity
            let source = try bytes(of: Seal.name, limit: Seal.sizeLimit)
            report.digest = try ContentDigest.of(source)
            if let digest, digest != report.digest {
                report.findings.append(SealFinding(.sealBroken, Seal.name, ErrorReason("otherSeal")))
            }
            let signature = try bytes(of: Seal.signatureName, limit: SealedPackage.signatureLimit)
            let subject = report.identity?.description ?? folder.lastComponent
            let seal = try Seal(reading: source, of: subject)
            report.seal = seal
            do {
                report.keyID = try SignatureVerification.keyID(in: signature, of: subject)
                try verification.validate(signature, source, seal, manifest.get(), subject)
            } catch {
                report.findings.append(SealFinding(error))
            }
            let files = found.compactMap { path, item in if case .file = item { path } else { nil } }
            let present = seal.present(in: files, requiring: isOfHost ? seal.ownFolder : nil)
            let differences = present.findings(in: found)
            let changes = try changes(from: present, but: differences, manifestSource)
            // A manifest that differs from the sealed one has been tampered with: don't report its errors as the author's.
            if (differences + changes).contains(where: { $0.path == Self.manifestName }) {
                report.findings.removeAll { $0.code == .manifestInvalid }
            }
            report.findings += (differences + changes).sorted()
        } catch {
            if error.isEnvironmental { throw error }
            report.findings += SealFinding.all(in: error)
        }
        return report
    }
}

/// The result of verifying the seal of a package or an installed bundle, with all problems.
public struct SealReport: Sendable {
    /// The bundle's identity according to its manifest, if that could be read.
    public package(set) var identity: BundleIdentity?
    /// The seal, if it could be read.
    public package(set) var seal: Seal?
    /// The key that the signature names, if the signature could be read.
    public package(set) var keyID: String?
    /// The SHA-256 of the seal's bytes, if the seal could be read.
    public package(set) var digest: String?
    /// The manifest that was compared with the seal, and its bytes, if it could be read.
    package var manifest: (manifest: Manifest, source: [UInt8])?
    /// All problems: first the signer's, then those of the files, by path.
    public package(set) var findings: [SealFinding] = []

    /// A Boolean value that indicates whether no problem was found.
    public var holds: Bool { findings.isEmpty }

    /// Returns the error that lists all findings, with the code of the first.
    ///
    /// - Parameter subject: the bundle whose seal it is.
    /// - Returns: `nil` when there are none.
    public func refusal(of subject: String) -> AtriumError? { findings.refusal(of: subject) }

    package init() {}

    /// Creates the report about a bundle that couldn't be read, which says nothing about the bundle itself.
    public init(unread error: AtriumError) {
        findings = [SealFinding(error)]
    }
}
