public import BundleFormat
public import Console
import ExtensionHost
import HostSystem
public import PluginCore
import PluginRuntime
public import Preflight
import Signing
import Trust

/// The contents of a package, determined without extracting it.
public struct PackageInspection: Sendable {
    /// The path of the package.
    public let path: FilePath
    /// The size of the package in bytes.
    public let size: Int
    /// The SHA-256 digest of the package in lowercase hexadecimal.
    public let digest: String
    /// The package's manifest.
    public let manifest: Manifest
    /// A host's assessment of the library; `nil` for a bundle without code.
    public let library: LibraryReport?
    /// A host's assessment of each extension's library.
    public let extensionLibraries: [(entry: String, report: LibraryReport)]
    /// The platforms for which the package is sealed or has libraries, sorted by triple.
    public let platforms: [InspectedPlatform]
    /// The seal, validated except for the contents and the signer.
    public let seal: SealFacts
    /// The error with which every host denies the bundle access to its app groups; `nil` if none is known.
    public let groupRefusal: AtriumError?
    /// The files in the archive's order.
    public let files: [(name: String, size: UInt64)]

    /// Reads a package.
    ///
    /// - Parameters:
    ///   - path: the path of the package.
    ///   - converters: the converters that its hosts register in addition to the standard ones.
    ///   - dependencies: the packages of the libraries that it links.
    ///   - hostLibraries: the libraries that its hosts offer in addition to those of Atrium.
    /// - Throws: ``CommandError`` if the file doesn't exist, or `AtriumError` with code `packageInvalid`, `manifestInvalid`,
    ///   `dependencyUnmet`, `dependencyConflict` or `inputOutput`.
    public init(
        of path: FilePath, converters: [String] = [], dependencies: [FilePath] = [], hostLibraries: [FilePath] = []
    ) throws {
        guard case .file(let size) = Files.kind(of: path) else {
            throw CommandError.notThere(path, remedy: "specify a package; \"bundletool pack\" creates one")
        }
        let package = PackageFile(path: path)
        self.path = path
        self.size = size
        manifest = try package.manifest(converters: .standard(registering: converters))
        try ExtensionRules().require(manifest, of: path.lastComponent)
        files = try package.files()
        seal = SealFacts(of: path, converters: converters)
        let libraries = try LibraryDependencies(
            of: manifest, in: Files.packages(dependencies), hostLibraries: hostLibraries)
        library = try package.libraryReport(for: manifest, dependencies: libraries)
        var assessed: [(entry: String, report: LibraryReport)] = []
        for entry in manifest.extensions.map(\.entry) {
            let report = try package.libraryReport(for: manifest, named: entry, dependencies: libraries)
            if let report { assessed.append((entry, report)) }
        }
        extensionLibraries = assessed
        platforms = try InspectedPlatform.all(
            in: package, manifest, files: files.map(\.name), sealed: seal.package?.seal.platforms ?? [],
            own: (library, assessed))
        digest = try package.digest()
        do throws(AtriumError) {
            try AppGroupOwnership.requireOwn(in: manifest, team: seal.package?.seal.team)
            groupRefusal = nil
        } catch {
            groupRefusal = error
        }
    }

    /// The file name under which a catalog finds the package.
    public var catalogName: String { PackageFile.name(of: manifest.identity) }

    /// The languages that have a string table, sorted.
    public var languages: [String] {
        let suffix = ".lproj/Localizable.json"
        return files.map(\.name).filter { $0.hasPrefix("Resources/") && $0.hasSuffix(suffix) }
            .map { String($0.dropFirst("Resources/".count).dropLast(suffix.count)) }
            .filter { !$0.contains("/") && !$0.isEmpty }.sorted()
    }
}

/// A platform for which a package is sealed, with an assessment of its libraries.
public struct InspectedPlatform: Sendable {
    /// The triple.
    public let triple: String
    /// The libraries by their file names; none if the file has been left without those of this platform.
    public let libraries: [(entry: String, report: LibraryReport)]

    /// The machine of the libraries according to their files, such as `aarch64`; empty if there are none.
    public var architecture: String { libraries.first?.report.facts.architecture ?? "" }

    /// A Boolean value that indicates whether the package has its libraries.
    public var isContained: Bool { !libraries.isEmpty }

    /// The libraries of a platform.
    typealias Libraries = [(entry: String, report: LibraryReport)]

    /// Returns the platforms of a package.
    ///
    /// - Parameters:
    ///   - files: the names of the files in the package.
    ///   - sealed: the platforms of its seal, if there is one.
    ///   - own: the assessments of the libraries for this machine, which cover more than those of others.
    static func all(
        in package: PackageFile, _ manifest: Manifest, files: [String], sealed: [String],
        own: (library: LibraryReport?, extensions: Libraries)
    ) throws(AtriumError) -> [InspectedPlatform] {
        let contained = Set(files.compactMap { Seal.platform(of: $0) })
        let entries = [manifest.entry].compactMap(\.self) + manifest.extensions.map(\.entry)
        var platforms: [InspectedPlatform] = []
        for triple in contained.union(sealed).sorted() {
            var libraries: Libraries = []
            if triple == Platform.triple, contained.contains(triple), let library = own.library,
                let first = entries.first
            {
                libraries = [(first, library)] + own.extensions
            } else if contained.contains(triple) {
                for entry in entries {
                    let report = try package.libraryReport(for: manifest, named: entry, platform: triple)
                    if let report { libraries.append((entry, report)) }
                }
            }
            platforms.append(InspectedPlatform(triple: triple, libraries: libraries))
        }
        return platforms
    }

    var json: JSONText {
        [
            "triple": .string(triple),
            "architecture": .string(orNull: architecture.isEmpty ? nil : architecture),
            "isContained": .bool(isContained),
            "libraries": .array(
                libraries.map { found in
                    [
                        "entry": .string(found.entry), "architecture": .string(found.report.facts.architecture),
                        "findings": .strings(found.report.findings.map(\.reason.sentence)),
                    ]
                }),
        ]
    }
}

/// The facts in a package's seal that can be checked without reading the contents or knowing the signer.
public struct SealFacts: Sendable {
    /// The package, if its files are those that the seal lists.
    public let package: SealedPackage?
    /// The reason for which there are no facts; an error with code `unsigned` for a package without a seal.
    public let refusal: AtriumError?

    init(of path: FilePath, converters: [String]) {
        do throws(AtriumError) {
            package = try SealedPackage(opening: path, converters: .standard(registering: converters))
            refusal = nil
        } catch {
            package = nil
            refusal = error
        }
    }

    /// The signer and the time in one line, or the reason for which there are none.
    public var words: String {
        if let package {
            return "by \(package.seal.team) with key \(package.keyID) at \(package.seal.signedTime)"
        }
        guard let refusal, refusal.code != .unsigned else { return "no; \"bundletool sign\" signs it" }
        return "not valid: "
            + refusal.reasons.map(\.sentence).joined(separator: "; ")
    }

    /// The facts as JSON.
    ///
    /// The members are `{"team", "keyID", "signedAt", "sealedFiles", "sealSHA256", "code", "problems"}`; the last two explain why
    /// the others are null.
    public var json: JSONText {
        [
            "team": .string(orNull: package?.seal.team),
            "keyID": .string(orNull: package?.keyID.description),
            "signedAt": .string(orNull: package?.seal.signedTime),
            "sealedFiles": .integer(orNull: package?.seal.files.count),
            "sealSHA256": .string(orNull: package?.digest),
            "code": .string(orNull: refusal?.code.name),
            "problems": .strings((refusal?.reasons ?? []).map(\.sentence)),
        ]
    }
}

extension PackageInspection {
    /// The kind of the package, as `codesign` displays it.
    public var format: String {
        library == nil ? "zip with resources only" : "zip with an ELF library"
    }
}
