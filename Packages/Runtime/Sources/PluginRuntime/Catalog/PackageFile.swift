#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
public import PluginCore
public import PluginRouter
internal import Zip

/// A bundle, zipped: `<identifier>-<version>.zip`.
public struct PackageFile: Sendable {
    /// Where it lies.
    public let path: FilePath

    /// The package at `path`, unread.
    public init(path: FilePath) {
        self.path = path
    }

    /// The file name of a package.
    public static func name(of identity: BundleIdentity) -> String {
        "\(identity.identifier)-\(identity.version).zip"
    }

    /// What a package's file name says it is; `nil` for a name that is none of a package.
    ///
    /// An identifier may have hyphens, and so may a version: the version starts at the first hyphen that a whole version
    /// follows.
    public static func identity(named name: String) -> BundleIdentity? {
        guard name.hasSuffix(".zip") else { return nil }
        let stem = name.dropLast(4)
        for hyphen in stem.indices where stem[hyphen] == "-" {
            let identifier = String(stem[..<hyphen])
            guard let version = SemanticVersion(String(stem[stem.index(after: hyphen)...])) else { continue }
            return ManifestRules.isIdentifier(identifier)
                ? BundleIdentity(identifier: identifier, version: version) : nil
        }
        return nil
    }

    /// What its manifest says. Nothing is unpacked.
    ///
    /// - Parameter converters: the types that a pattern's captures can ask for.
    /// - Throws: ``AtriumError`` with code `packageInvalid` or `manifestInvalid`.
    public func manifest(converters: RouteConverters = .standard) throws(AtriumError) -> Manifest {
        let archive = try archive()
        let bytes: [UInt8]
        do throws(ZipError) {
            bytes = try archive.contents(of: "manifest.json", limit: ManifestReader.sizeLimit)
        } catch {
            throw .invalidPackage(path, error)
        }
        return try ManifestReader.read(bytes, of: path.lastComponent, converters: converters)
    }

    /// The archive, if it is sound and has the shape of a bundle.
    ///
    /// - Throws: ``AtriumError`` with code `packageInvalid` or `inputOutput`.
    private func archive() throws(AtriumError) -> ZipArchive {
        let archive = try soundArchive()
        if let flaw = BundleShape.flaw(in: archive.entries.lazy.map(\.name)) {
            throw AtriumError(.packageInvalid, path.lastComponent, detail: flaw)
        }
        return archive
    }

    /// The archive, if it is sound and within what any package may ask of whoever looks into it.
    ///
    /// - Throws: as ``archive()``.
    func soundArchive() throws(AtriumError) -> ZipArchive {
        do throws(ZipError) {
            return try ZipArchive(path: path.string, limits: SealedPackage.limits)
        } catch {
            throw .invalidPackage(path, error)
        }
    }

    /// What its manifest says to a host that is not here, of whose converters only the names are known.
    ///
    /// - Parameter names: the converters that the host registers beside the standard ones.
    /// - Throws: as ``manifest(converters:)``.
    public func manifest(registeredConverters names: [String]) throws(AtriumError) -> Manifest {
        try manifest(converters: .standard(registering: names))
    }

    /// The package as it is offered by whoever has the file.
    ///
    /// - Throws: as ``manifest(converters:)``, and ``AtriumError`` with code `fileUnknown` when there is no such file.
    public func offered(converters: RouteConverters = .standard) throws(AtriumError) -> CatalogPackage {
        switch try FileSystem.item(at: path) {
        case .file(let size, _):
            return CatalogPackage(manifest: try manifest(converters: converters), path: path, size: size)
        case .folder, .link, .other: throw AtriumError(.packageInvalid, path.string, detail: "it is no file")
        case nil: throw AtriumError(.fileUnknown, path.string)
        }
    }

    /// The names and sizes of the files in it.
    ///
    /// - Throws: ``AtriumError`` with code `packageInvalid`.
    public func files() throws(AtriumError) -> [(name: String, size: UInt64)] {
        try archive().entries.filter { !$0.isDirectory }.map { ($0.name, $0.uncompressedSize) }
    }

    /// What a host like this process would say of its library; `nil` for a bundle without code. Nothing is unpacked to the disk,
    /// and no code is run.
    ///
    /// - Parameters:
    ///   - manifest: what ``manifest(converters:)`` has read.
    ///   - dependencies: the libraries of the bundles that it requires.
    /// - Throws: ``AtriumError`` with code `packageInvalid`.
    public func libraryVerdict(
        for manifest: Manifest, dependencies: LibraryDependencies = .none
    ) throws(AtriumError) -> LibraryVerdict? {
        guard let entry = manifest.entry else { return nil }
        return LibraryPreflight.judge(
            libraryOf: manifest, content: try libraryContent(named: entry), dependencies: dependencies)
    }

    /// The bytes of its library for this platform; `nil` when there is none.
    func libraryContent(named entry: String) throws(AtriumError) -> [UInt8]? {
        let place = LibraryPreflight.place(of: entry)
        let archive = try archive()
        guard archive.entry(named: place) != nil else { return nil }
        do throws(ZipError) {
            return try archive.contents(of: place, limit: LibraryPreflight.sizeLimit)
        } catch {
            throw .invalidPackage(path, error)
        }
    }

    /// The SHA-256 of its seal, in lower-case hexadecimal: what tells two packages of one name apart, because the seal names
    /// every file's content. Nothing of it is judged.
    ///
    /// - Throws: ``AtriumError`` with code `packageInvalid`, or `unsigned` when there is no seal.
    public func sealDigest() throws(AtriumError) -> String {
        let archive = try archive()
        let source: [UInt8]
        do throws(ZipError) {
            source = try archive.contents(of: Seal.name, limit: Seal.sizeLimit)
        } catch {
            guard error.code == .noSuchEntry else { throw .invalidPackage(path, error) }
            throw AtriumError(.unsigned, path.lastComponent, detail: "there is no \(Seal.name) in it")
        }
        return try ContentDigest.of(source)
    }

    /// The SHA-256 of the whole file, in lower-case hexadecimal.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when it cannot be read.
    public func digest() throws(AtriumError) -> String {
        try SHA256.digest(of: path)
    }
}

extension ZipError {
    /// A Boolean value that indicates whether the same call could have succeeded on the same file.
    fileprivate var isOfTheMachine: Bool {
        errno.map { [EIO, ENOMEM, EMFILE, ENFILE, EACCES, EPERM].contains($0) } ?? false
    }

    fileprivate var isStorageFull: Bool { errno.map(FileSystem.isStorageFull) ?? false }

    /// What was found, in a clause that continues a sentence about the archive: its path is in that sentence already.
    fileprivate var finding: String {
        if code == .noSuchEntry, let entry { return "there is no \"\(entry)\" in it" }
        let words =
            switch code {
            case .notAnArchive: "it is no zip archive, or not all of one: \(detail)"
            case .checksumMismatch: "its content does not match its checksum"
            case .system: errno.map(FileSystem.message) ?? detail
            default: detail.isEmpty ? code.rawValue : detail
            }
        return entry.map { "its entry \"\($0)\": \(words)" } ?? words
    }
}

extension AtriumError {
    static func invalidPackage(_ path: FilePath, _ error: ZipError) -> AtriumError {
        if error.code == .system, error.isStorageFull {
            return AtriumError(.storageFull, error.path ?? path.string, detail: error.finding)
        }
        // A disk that fails says nothing of the package.
        if error.code == .system, error.path != path.string || error.isOfTheMachine {
            return AtriumError(.inputOutput, error.path ?? path.string, detail: error.finding)
        }
        return AtriumError(.packageInvalid, path.lastComponent, detail: error.finding)
    }
}
