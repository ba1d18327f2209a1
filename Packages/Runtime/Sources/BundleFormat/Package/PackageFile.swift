import HostSystem
public import PluginCore
public import PluginRouter
package import Zip

/// A bundle's package, a ZIP archive.
///
/// Its file is named `<identifier>-<version>.zip`.
public struct PackageFile: Sendable {
    /// The path of the package.
    public let path: FilePath

    /// Creates a reader for a package, without reading it.
    public init(path: FilePath) {
        self.path = path
    }

    /// Returns the file name of a package.
    public static func name(of identity: BundleIdentity) -> String {
        "\(identity.identifier)-\(identity.version).zip"
    }

    /// Returns the identity in a package's file name.
    ///
    /// Identifiers and versions may contain hyphens: the version starts at the first hyphen that is followed by a valid version.
    ///
    /// - Returns: `nil` for any other file name.
    public static func identity(named name: String) -> BundleIdentity? {
        guard name.hasSuffix(".zip") else { return nil }
        let stem = name.dropLast(4)
        for hyphen in stem.indices where stem[hyphen] == "-" {
            guard let version = SemanticVersion(String(stem[stem.index(after: hyphen)...])) else { continue }
            return BundleIdentifier(String(stem[..<hyphen])).map { BundleIdentity(identifier: $0, version: version) }
        }
        return nil
    }

    /// Reads the manifest, without extracting anything.
    ///
    /// - Parameter converters: the types that a pattern's captures may have.
    /// - Throws: ``AtriumError`` with code `packageInvalid` or `manifestInvalid`.
    public func manifest(converters: RouteConverters = .standard) throws(AtriumError) -> Manifest {
        try content(converters: converters).manifest
    }

    /// Reads the manifest and the platforms and builds with libraries, sorted, without extracting anything.
    ///
    /// - Throws: as ``manifest(converters:)``.
    package func content(converters: RouteConverters) throws(AtriumError) -> (manifest: Manifest, platforms: [String]) {
        let archive = try archive()
        let bytes = try archive.contents(of: "manifest.json", limit: ManifestReader.sizeLimit, at: path)
        let manifest = try ManifestReader.read(bytes, of: path.lastComponent, converters: converters)
        let files = archive.entries.lazy.filter { !$0.isDirectory }
        return (manifest, Set(files.compactMap { Seal.platform(of: $0.name) }).sorted())
    }

    /// Opens the archive, and checks that it has the top-level items of a bundle.
    ///
    /// - Throws: ``AtriumError`` with code `packageInvalid` or `inputOutput`.
    package func archive() throws(AtriumError) -> ZipArchive {
        let archive = try soundArchive()
        if let flaw = BundleShape.flaw(in: archive.entries.lazy.map(\.name)) {
            throw AtriumError(.packageInvalid, path.lastComponent, reason: flaw)
        }
        return archive
    }

    /// Opens the archive, and checks that it is valid and within the limits of a package.
    ///
    /// - Throws: as ``archive()``.
    func soundArchive() throws(AtriumError) -> ZipArchive {
        do {
            return try ZipArchive(path: path.string, limits: SealedPackage.limits)
        } catch {
            throw .invalidPackage(path, error)
        }
    }

    /// Returns the names and uncompressed sizes of the files.
    ///
    /// - Throws: ``AtriumError`` with code `packageInvalid`.
    public func files() throws(AtriumError) -> [(name: String, size: UInt64)] {
        try archive().entries.filter { !$0.isDirectory }.map { ($0.name, $0.uncompressedSize) }
    }

    /// Returns the SHA-256 of the seal in lowercase hexadecimal, which distinguishes the content of packages of the same version.
    ///
    /// The seal lists the digests of all files; it isn't verified here.
    ///
    /// - Throws: ``AtriumError`` with code `packageInvalid`, or `unsigned` when there is no seal.
    public func sealDigest() throws(AtriumError) -> String {
        let archive = try archive()
        guard archive.entry(named: Seal.name) != nil else {
            throw AtriumError(.unsigned, path.lastComponent, reason: "noFileInPackage", ["name": .text(Seal.name)])
        }
        return try ContentDigest.of(archive.contents(of: Seal.name, limit: Seal.sizeLimit, at: path))
    }

    /// Returns the SHA-256 of the whole file, in lowercase hexadecimal.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when it can't be read.
    public func digest() throws(AtriumError) -> String {
        try ContentDigest.of(file: path)
    }
}

extension ZipArchive {
    /// Reads a file of the package at a path.
    ///
    /// - Throws: ``AtriumError`` with code `packageInvalid`, `storageFull` or `inputOutput`.
    package func contents(of name: String, limit: Int, at path: FilePath) throws(AtriumError) -> [UInt8] {
        do {
            return try contents(of: name, limit: limit)
        } catch {
            throw .invalidPackage(path, error)
        }
    }
}

extension ZipError {
    /// The reason, for an error that has the archive's path.
    fileprivate var reason: ErrorReason {
        if code == .noSuchEntry, let entry { return ErrorReason("noEntry", ["entry": .text(entry)]) }
        let problem: ErrorReason =
            switch code {
            case .notAnArchive: ErrorReason("notArchive", ["finding": .text(detail)])
            case .checksumMismatch: ErrorReason("checksumDiffers")
            case .system: .verbatim(errno.map(FileSystem.message) ?? detail)
            default: .verbatim(detail.isEmpty ? code.rawValue : detail)
            }
        return entry.map { ErrorReason("inEntry", ["entry": .text($0), "problem": .reason(problem)]) } ?? problem
    }
}

extension AtriumError {
    package static func invalidPackage(_ path: FilePath, _ error: ZipError) -> Self {
        if error.code == .system, error.errno.map(FileSystem.isStorageFull) == true {
            return Self(.storageFull, error.path ?? path.string, reason: error.reason)
        }
        // A failing disk, or missing permission, says nothing about the package.
        if error.code == .system, error.path != path.string || error.errno.map(FileSystem.isOfMachine) == true {
            return Self(.inputOutput, error.path ?? path.string, reason: error.reason)
        }
        return Self(.packageInvalid, path.lastComponent, reason: error.reason)
    }
}

extension Manifest {
    /// The file names of the libraries: the bundle's own, and those of a layer, such as extensions'.
    public var libraries: [String] { [entry].compactMap(\.self) + layerLibraries.map(\.entry) }

    /// The libraries that elements of a layer's fields name as their `entry`, each with the identifier of its element.
    package var layerLibraries: [(entry: String, identifier: String)] {
        let lists = try? StrictJSON.decode([String: [LayerElement]].self, from: Array(layerFields.utf8))
        return (lists ?? [:]).values.joined().compactMap { element in
            element.entry.flatMap { ManifestReader.isLibraryName($0) ? ($0, element.identifier) : nil }
        }
    }
}

/// The part of a layer's element that the runtime knows.
private struct LayerElement: Decodable {
    let identifier: String
    let entry: String?
}

/// The items that a bundle may have at its top level.
package enum BundleShape {
    private static let topLevel = ["Resources", "lib", "manifest.json", "signature"]

    /// Returns the path in a bundle of a library for a platform or build, by default for this platform.
    package static func libraryPath(of entry: String, for platform: String = Platform.triple) -> String {
        "lib/\(platform)/\(entry)"
    }

    /// Returns the reason for the first item that doesn't belong in a bundle, if there is one.
    ///
    /// - Parameter paths: the paths of files and folders, relative to the bundle.
    package static func flaw(in paths: some Sequence<String>) -> ErrorReason? {
        for path in paths {
            let name = path.utf8.prefix { $0 != UInt8(ascii: "/") }
            guard topLevel.contains(where: { $0.utf8.elementsEqual(name) }) else {
                return ErrorReason(
                    "itemNotAllowed", ["item": "\(Substring(name))", "allowed": .list(topLevel)])
            }
        }
        return nil
    }

    /// Returns the reason for the first file below `lib` that is neither the bundle's library nor one of its extensions'.
    ///
    /// The libraries of other platforms lie in folders of their own, under the same names.
    static func libraryFlaw(in paths: some Sequence<String>, of manifest: Manifest) -> ErrorReason? {
        for path in paths where path.hasPrefix("lib/") {
            let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            guard parts.count != 3 || !manifest.libraries.contains(parts[2]) else { continue }
            return ErrorReason(
                "libraryNotDeclared", ["file": .text(path), "declared": .list(manifest.libraries)])
        }
        return nil
    }
}

// The codes of manifests, packages and seals.
extension AtriumError.Code {
    /// A manifest that breaks one or more rules. The error lists all of them.
    public static let manifestInvalid = Self("manifestInvalid")
    /// A package that is not a complete, safe archive of a single bundle.
    public static let packageInvalid = Self("packageInvalid")
    /// A package or bundle without a seal, or with a seal that is not signed.
    public static let unsigned = Self("unsigned")
    /// A signature that is malformed or does not belong to the key that it names.
    public static let signatureInvalid = Self("signatureInvalid")
    /// A key file that cannot be read, or not with this password.
    public static let keyInvalid = Self("keyInvalid")
}
