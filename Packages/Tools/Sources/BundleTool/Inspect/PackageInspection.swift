import BundleFormat
import Console
import ExtensionHost
import HostSystem
import PluginCore
import Preflight
import Signing
import Trust

/// The contents of a package, determined without extracting it.
struct PackageInspection {
    /// The path of the package.
    let path: FilePath
    /// The size of the package in bytes.
    let size: Int
    /// The SHA-256 digest of the package in lowercase hexadecimal.
    let digest: String
    /// The package's manifest.
    let manifest: Manifest
    /// A host's assessment of the library; `nil` for a bundle without code.
    let library: LibraryReport?
    /// A host's assessment of each extension's library.
    let extensionLibraries: [(entry: String, report: LibraryReport)]
    /// The platforms and builds for which the package is sealed or has libraries, sorted.
    let platforms: [InspectedPlatform]
    /// The seal, validated except for the contents and the signer.
    let seal: SealFacts
    /// The error with which every host denies the bundle access to its app groups; `nil` if none is known.
    let groupRefusal: AtriumError?
    /// The files in the archive's order.
    let files: [(name: String, size: UInt64)]

    /// Reads a package.
    ///
    /// - Parameters:
    ///   - path: the path of the package.
    ///   - converters: the converters that its hosts register in addition to the standard ones.
    ///   - dependencies: the packages of the libraries that it links.
    ///   - hostLibraries: the libraries that its hosts offer in addition to those of Atrium.
    /// - Throws: ``CommandError`` if the file doesn't exist, or `AtriumError` with code `packageInvalid`, `manifestInvalid`,
    ///   `dependencyUnmet`, `dependencyConflict` or `inputOutput`.
    init(
        of path: FilePath, converters: [String] = [], dependencies: [FilePath] = [], hostLibraries: [FilePath] = []
    ) throws {
        guard case .file(let size) = Files.kind(of: path) else { throw CommandError.notThere(path, remedy: "package") }
        let package = PackageFile(path: path)
        self.path = path
        self.size = size
        let manifest = try package.manifest(converters: .standard(registering: converters))
        self.manifest = manifest
        try ExtensionRules().require(manifest, of: path.lastComponent)
        files = try package.files()
        let seal = SealFacts { () throws(AtriumError) in
            try SealedPackage(opening: path, converters: .standard(registering: converters))
        }
        self.seal = seal
        let (contained, ownFolder) = (Set(files.compactMap { Seal.platform(of: $0.name) }), try package.ownFolder())
        let own = try package.reports(
            on: manifest,
            with: LibraryDependencies(of: manifest, in: Files.packages(dependencies), hostLibraries: hostLibraries))
        library = own.first { $0.entry == manifest.entry }?.report
        extensionLibraries = own.filter { $0.entry != manifest.entry }
        platforms = try contained.union(seal.package?.seal.platforms ?? []).sorted().map { triple in
            guard contained.contains(triple) else { return InspectedPlatform(triple: triple, libraries: []) }
            // The assessments of the libraries for this machine cover more than those of others.
            let libraries =
                triple == ownFolder ? own : try package.reports(on: manifest, with: .none, for: triple)
            return InspectedPlatform(triple: triple, libraries: libraries)
        }
        digest = try package.digest()
        do {
            try AppGroupOwnership.requireOwn(in: manifest, team: seal.package?.seal.team)
            groupRefusal = nil
        } catch {
            groupRefusal = error
        }
    }

    /// The file name under which a catalog finds the package.
    var catalogName: String { PackageFile.name(of: manifest.identity) }

    /// The languages that have a string table, sorted.
    var languages: [String] {
        let suffix = ".lproj/Localizable.json"
        return files.map(\.name).filter { $0.hasPrefix("Resources/") && $0.hasSuffix(suffix) }
            .map { String($0.dropFirst("Resources/".count).dropLast(suffix.count)) }
            .filter { !$0.contains("/") && !$0.isEmpty }.sorted()
    }
}

/// A platform or build for which a package is sealed, with an assessment of its libraries.
struct InspectedPlatform {
    /// The triple, or the build.
    let triple: String
    /// The libraries by their file names; none if the file has been left without those of this platform.
    let libraries: [(entry: String, report: LibraryReport)]

    /// The machine of the libraries according to their files, such as `aarch64`; empty if there are none.
    var architecture: String { libraries.first?.report.facts.architecture ?? "" }

    /// A Boolean value that indicates whether the package has its libraries.
    var isContained: Bool { !libraries.isEmpty }

    /// The hosts that the libraries serve; the platform alone if their files do not say more.
    var hosts: LibraryBuild {
        let platform = LibraryBuild(triple).platform
        return libraries.first?.report.facts.build(for: platform) ?? LibraryBuild(triple)
    }

    var json: JSONText {
        let libraries = libraries.map { entry, report in
            JSONText([
                "entry": entry, "architecture": report.facts.architecture,
                "findings": report.findings.map(\.reason.sentence),
            ])
        }
        return [
            "triple": triple, "hosts": hosts.json, "architecture": architecture.isEmpty ? nil : architecture,
            "isContained": isContained,
            "libraries": libraries,
        ]
    }
}

extension PackageFile {
    /// Assesses the libraries for a platform or build, the plugin's own first.
    func reports(
        on manifest: Manifest, with dependencies: LibraryDependencies, for platform: String? = nil
    ) throws -> [(entry: String, report: LibraryReport)] {
        try manifest.libraries.map {
            ($0, try libraryReport(for: manifest, named: $0, dependencies: dependencies, platform: platform))
        }
    }
}

/// The facts in a package's seal that can be checked without reading the contents or knowing the signer.
///
/// The package has the files that the seal lists. Otherwise there is the reason for which there are no facts, with code `unsigned` for a
/// package without a seal.
typealias SealFacts = Result<SealedPackage, AtriumError>

extension SealFacts {
    /// The package; `nil` without facts.
    var package: SealedPackage? { try? get() }

    /// The signer and the time in one line, or the reason for which there are none.
    var words: String {
        switch self {
        case .success(let package):
            "by \(package.seal.team) with key \(package.keyID) at \(package.seal.signedTime)"
        case .failure(let error) where error.code == .unsigned: "no; \"bundletool sign\" signs it"
        case .failure(let error): "not valid: " + error.reasons.map(\.sentence).joined(separator: "; ")
        }
    }

    /// The facts as JSON.
    ///
    /// The members are `{"team", "keyID", "signedAt", "sealedFiles", "sealSHA256", "code", "problems"}`; the last two explain why
    /// the others are null.
    var json: JSONText {
        let refusal: AtriumError? = if case .failure(let error) = self { error } else { nil }
        return Self.json(package?.seal, package?.keyID, package?.digest, code: refusal?.code)
            + ["problems": (refusal?.reasons ?? []).map(\.sentence)]
    }

    /// Returns members of a JSON document about a seal; what is not known is null.
    static func json(_ seal: Seal?, _ key: String?, _ digest: String?, code: AtriumError.Code?) -> JSONText {
        [
            "team": seal?.team, "keyID": key, "signedAt": seal?.signedTime, "sealedFiles": seal?.files.count,
            "sealSHA256": digest, "code": code?.name,
        ]
    }

    /// Returns the signer, the time and the number of files, for a table.
    static func facts(_ seal: Seal?, _ key: String?) -> [(String, String?)] {
        [
            ("team", seal?.team), ("key", key), ("signed", seal?.signedTime),
            ("sealed files", seal.map { "\($0.files.count)" }),
        ]
    }
}

extension PackageInspection {
    /// The kind of the package, as `codesign` displays it.
    var format: String {
        library == nil ? "zip with resources only" : "zip with an ELF library"
    }
}
