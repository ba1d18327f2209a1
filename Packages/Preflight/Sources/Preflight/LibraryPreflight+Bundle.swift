public import BundleFormat
public import HostSystem
public import PluginCore
public import PluginRuntime
import Zip

/// The checks of a library against its bundle's manifest.
extension LibraryPreflight {
    /// Returns the result of checking a library that is about to be loaded.
    public func diagnosis(
        of library: FilePath, of bundle: BundleIdentity, dependencies: [String: FilePath]
    ) -> LibraryDiagnosis {
        LibraryDiagnosis(Self.validate(library, dependencies: dependencies, for: host), of: bundle.description)
    }

    /// Returns the result of checking the libraries of a bundle: its own, and those of its extensions.
    public func diagnosis(
        ofLibrariesOf manifest: Manifest, in folder: FilePath, dependencies: [String: FilePath], isInstalled: Bool
    ) -> LibraryDiagnosis {
        let own: [(entry: String?, contained: String?)] = [(manifest.entry, nil)]
        for (entry, contained) in own + manifest.layerLibraries.map({ ($0.entry, $0.identifier) }) {
            guard let entry else { continue }
            let own = try? BundleShape.libraryPath(of: entry, of: manifest.identity, in: folder)
            let name = own ?? BundleShape.libraryPath(of: entry)
            var report = Self.validate(folder.appending(name), dependencies: dependencies, for: host)
            // Names the path in the bundle instead of the path of the file.
            if report.findings.first?.rule == .missing { report = LibraryReport(missing: entry) }
            let build = name == BundleShape.libraryPath(of: entry) ? nil : LibraryBuild.host.coreABI
            report.validate(with: manifest, coreABI: build, for: host)
            // A host can load it all the same, but the process of an extension cannot.
            if isInstalled, contained == nil { report.findings.removeAll { $0.rule == .unlinkedLibrary } }
            guard !report.isLoadable else { continue }
            return LibraryDiagnosis(report, of: contained ?? manifest.identity.description)
        }
        return LibraryDiagnosis()
    }

    /// Checks a library of a bundle that is, or will be, in a package.
    ///
    /// - Parameters:
    ///   - manifest: the bundle's manifest.
    ///   - entry: the file name of the library.
    ///   - content: the library's bytes; `nil` when there is none for the platform.
    ///   - dependencies: the libraries of the bundles that it requires.
    ///   - platform: the platform or build of its hosts, as in ``validate(_:named:dependencies:platform:)``.
    public static func validate(
        libraryOf manifest: Manifest, named entry: String, content: [UInt8]?,
        dependencies: LibraryDependencies = .none, platform: String = Platform.triple
    ) -> LibraryReport {
        var report =
            content.map { validate($0, named: entry, dependencies: dependencies, platform: platform) }
            ?? LibraryReport(missing: entry, for: platform)
        report.validate(with: manifest, coreABI: LibraryBuild(platform).coreABI)
        return report
    }
}

extension PackageFile {
    /// Checks a library of the package.
    ///
    /// Nothing is extracted to the disk, and no code is run.
    ///
    /// - Parameters:
    ///   - manifest: the result of ``manifest(converters:)``.
    ///   - entry: the file name of the library.
    ///   - dependencies: the libraries of the bundles that it requires.
    ///   - platform: the platform or build of its hosts, as in
    ///     ``LibraryPreflight/validate(libraryOf:named:content:dependencies:platform:)``; `nil` for this host.
    /// - Throws: ``AtriumError`` with code `packageInvalid`.
    public func libraryReport(
        for manifest: Manifest, named entry: String, dependencies: LibraryDependencies = .none,
        platform: String? = nil
    ) throws(AtriumError) -> LibraryReport {
        let platform = if let platform { platform } else { try ownFolder() }
        return LibraryPreflight.validate(
            libraryOf: manifest, named: entry, content: try libraryContent(named: entry, for: platform),
            dependencies: dependencies, platform: platform)
    }

    /// Reads the library for a platform or build, by default for this host; `nil` when it is missing.
    package func libraryContent(
        named entry: String, for platform: String? = nil
    ) throws(AtriumError) -> [UInt8]? {
        let folder = if let platform { platform } else { try ownFolder() }
        let place = BundleShape.libraryPath(of: entry, for: folder)
        let archive = try archive()
        guard archive.entry(named: place) != nil else { return nil }
        return try archive.contents(of: place, limit: LibraryPreflight.sizeLimit, at: path)
    }
}

extension LibraryDiagnosis {
    init(_ report: LibraryReport, of subject: String) {
        self.init(refusal: report.refusal(of: subject))
        lacksLibrary = report.findings.contains { $0.rule == .neededLibrary }
        missingRuntime = report.missingRuntime
    }
}

extension LibraryReport {
    /// Creates the report about a library that its bundle doesn't contain.
    fileprivate init(missing entry: String, for platform: String = Platform.triple) {
        let path = BundleShape.libraryPath(of: entry, for: platform)
        let machine = ELFMachine(platform: LibraryBuild(platform).platform) ?? .host
        add(.missing, path, reason: "libraryNotContained", ["path": "\(path)"], remedy: machine.remedy)
    }

    /// Compares the library with the manifest of its bundle.
    ///
    /// - Parameter coreABI: the Core ABI that counts in place of the manifest's.
    fileprivate mutating func validate(
        with manifest: Manifest, coreABI: UInt32?, for host: HostDescription? = nil
    ) {
        let ownABI = host?.coreABI ?? CoreVersion.abi
        // A difference to the library's own ABI has been reported already.
        if coreABI == nil, manifest.coreABI != ownABI, !facts.coreABIs.contains(manifest.coreABI) {
            add(manifestABI: manifest.coreABI, than: ownABI)
        }
        guard facts.isRead, let entry = manifest.entry else { return }
        if manifest.kind == .lib { return validateName(for: entry) }
        // The loader returns a loaded library to every request for its soname, even a request for a path, so that another bundle would get this
        // code instead of its own.
        guard let soname = facts.soname else { return }
        let remedy = ErrorReason("linkWithoutSoname")
        add(.soname, soname, reason: "sonameNotAllowed", ["soname": "\(soname)"], remedy: remedy)
    }

    /// Reports a soname under which dependent plugins would not find the library.
    ///
    /// The loader compares only names, so a library with the name of a host's library would never be found.
    private mutating func validateName(for entry: String) {
        let library: [String: ErrorReason.Value] = ["library": "\(entry)"]
        if facts.soname != entry {
            let what =
                facts.soname.map { ErrorReason("sonameDiffers", ["soname": "\($0)", "library": "\(entry)"]) }
                ?? ErrorReason("sonameMissing")
            let remedy = ErrorReason("linkWithSoname", library)
            add(.soname, facts.soname ?? entry, reason: what, remedy: remedy)
        }
        if (try? HostLibraries.current.library(named: entry)) != nil {
            add(.soname, entry, reason: "libraryOfHost", library, remedy: ErrorReason("renameLibrary"))
        }
    }
}
