import BundleFormat
public import HostSystem
public import PluginCore
public import PluginRuntime

/// The checks of a library against its bundle's manifest.
extension LibraryPreflight {
    /// Returns whether the start of a file is that of a library for this machine, Core and compiler.
    public func isSound(_ library: LibraryFile) -> Bool { LibraryHead.isSound(library) }

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
        for contained in [nil] + manifest.extensions.map(Optional.some) {
            var report = Self.validate(
                libraryOf: manifest, extension: contained, in: folder, dependencies: dependencies, for: host)
            // A host can load it all the same, but the process of an extension cannot.
            if isInstalled, contained == nil { report?.findings.removeAll { $0.rule == .unlinkedLibrary } }
            guard let report, !report.isLoadable else { continue }
            return LibraryDiagnosis(report, of: contained?.identifier.text ?? manifest.identity.description)
        }
        return LibraryDiagnosis()
    }

    /// Checks a library of a bundle in a folder.
    ///
    /// - Parameters:
    ///   - extension: the extension whose library is checked; `nil` for the bundle's own.
    ///   - dependencies: the libraries of the bundles that it requires, by the names they are needed by.
    ///   - host: the host that is to load it; `nil` for this process.
    /// - Returns: `nil` for a bundle without code.
    static func validate(
        libraryOf manifest: Manifest, extension: ExtensionDeclaration? = nil, in folder: FilePath,
        dependencies: [String: FilePath] = [:], for host: HostDescription? = nil
    ) -> LibraryReport? {
        guard let entry = `extension`?.entry ?? manifest.entry else { return nil }
        let path = folder.appending(BundleShape.libraryPath(of: entry))
        let report = validate(path, dependencies: dependencies, for: host)
        // Name the path in the bundle instead of the path of the file.
        if report.findings.first?.rule == .missing { return self.report(ofMissing: entry, manifest) }
        return self.report(report, with: manifest, for: host)
    }

    /// Checks a library of a bundle that is, or will be, in a package.
    ///
    /// - Parameters:
    ///   - manifest: the bundle's manifest.
    ///   - name: the file name of the library; `nil` for the bundle's own.
    ///   - content: the library's bytes; `nil` when there is none for the platform.
    ///   - dependencies: the libraries of the bundles that it requires.
    ///   - platform: the triple of the platform of its hosts, as in ``validate(_:named:dependencies:platform:)``.
    /// - Returns: `nil` for a bundle without code.
    public static func validate(
        libraryOf manifest: Manifest, named name: String? = nil, content: [UInt8]?,
        dependencies: LibraryDependencies = .none, platform: String = Platform.triple
    ) -> LibraryReport? {
        guard let entry = name ?? manifest.entry else { return nil }
        guard let content else { return report(ofMissing: entry, manifest, platform) }
        return report(
            validate(content, named: entry, dependencies: dependencies, platform: platform), with: manifest)
    }

    private static func report(
        ofMissing entry: String, _ manifest: Manifest, _ platform: String = Platform.triple
    ) -> LibraryReport {
        var report = LibraryReport()
        let path = BundleShape.libraryPath(of: entry, for: platform)
        report.add(
            .missing, path, ErrorReason("libraryNotContained", ["path": .text(path)]),
            remedy: Remedy.build(for: ELFMachine(platform: platform) ?? .host))
        return self.report(report, with: manifest)
    }

    private static func report(
        _ report: LibraryReport, with manifest: Manifest, for host: HostDescription? = nil
    ) -> LibraryReport {
        var report = report
        let ownABI = host?.coreABI ?? CoreVersion.abi
        // A difference to the library's own ABI has been reported already.
        if manifest.coreABI != ownABI, !report.facts.coreABIs.contains(manifest.coreABI) {
            report.add(manifestABI: manifest.coreABI, than: ownABI)
        }
        guard report.facts.isRead, let entry = manifest.entry else { return report }
        if manifest.kind == .lib { report.validateName(for: entry) } else { report.validateNoName() }
        return report
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
    /// Reports a soname, under which other bundles could find the library.
    ///
    /// The loader returns a loaded library to every request for its soname, even a request for a path, so that another bundle
    /// would get this code instead of its own.
    fileprivate mutating func validateNoName() {
        guard let soname = facts.soname else { return }
        add(
            .soname, soname, ErrorReason("sonameNotAllowed", ["soname": .text(soname)]),
            remedy: Remedy.noSoname)
    }

    /// Reports a soname under which dependent plugins would not find the library.
    ///
    /// The loader compares only names, so a library with the name of a host's library would never be found.
    fileprivate mutating func validateName(for entry: String) {
        if facts.soname != entry {
            add(
                .soname, facts.soname ?? entry,
                facts.soname.map { ErrorReason("sonameDiffers", ["soname": .text($0), "library": .text(entry)]) }
                    ?? ErrorReason("sonameMissing"),
                remedy: Remedy.soname(entry))
        }
        if (try? HostLibraries.current.library(named: entry)) != nil {
            add(
                .soname, entry, ErrorReason("libraryOfHost", ["library": .text(entry)]),
                remedy: ErrorReason("renameLibrary"))
        }
    }
}
