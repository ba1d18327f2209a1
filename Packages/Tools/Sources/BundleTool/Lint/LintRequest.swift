import Authoring
import BundleFormat
import Console
import HostSystem
import PluginCore
import PluginLint
import PluginRuntime
import Preflight

/// A request to check a package or a plugin's folder, which collects what the rules need to know.
struct LintRequest {
    /// The packer of the folder with the plugin's manifest; its folder may also be a package, which is not packed.
    let packer: Packer
    /// The packages with which it is compared.
    var published: PublishedPackages?

    /// Collects everything.
    ///
    /// - Throws: ``CommandError`` or `AtriumError` for what prevents any check.
    func subject() throws -> LintSubject {
        try Files.withTemporaryFolder { temporary in
            guard path.isFolder else { return try subject(of: path, in: temporary) }
            let package: FilePath
            do {
                var packer = packer
                packer.dependencies += try linked(by: requirements())
                package = try packer.pack(into: temporary.appending("packed"))
            } catch let error as AtriumError {
                guard let code = Self.code(of: error) else { throw error }
                return try refused(error, code)
            }
            var subject = try subject(of: package, in: temporary)
            subject.sources = try sources()
            return subject
        }
    }

    /// Returns the requirements in the author's manifest; none if it is not valid, which packing reports.
    private func requirements() throws -> [BundleRequirement] {
        let file = packer.manifestFile
        guard file.isFile else { return [] }
        let source = try Files.bytes(of: file, limit: ManifestReader.sizeLimit)
        let names = ConverterReference.names(in: source, nil)
        let written = try? CompletedManifest(
            source, of: file.string, with: nil, converters: .standard(registering: names))
        return written?.manifest.requirements ?? []
    }

    /// Returns the packages of required libraries that only the catalog has.
    private func linked(by requirements: [BundleRequirement]) throws -> [FilePath] {
        try published?.libraries(for: requirements, besides: dependencies) ?? []
    }

    /// Returns the code of the rule for a plugin that cannot be packed; `nil` for an error of the request.
    private static func code(of error: AtriumError) -> String? {
        switch error.code {
        case .manifestInvalid: "manifest-invalid"
        case .resourceInvalid: "resource-invalid"
        case .libraryUnloadable, .libraryIncompatible, .libraryMissing: "library-unloadable"
        default: nil
        }
    }

    private var path: FilePath { packer.folder }
    private var dependencies: [FilePath] { packer.dependencies }

    private func refused(_ error: AtriumError, _ code: String) throws -> LintSubject {
        var subject = LintSubject()
        subject.refusals[code] = Self.problems(of: error)
        let resources = path.appending("Resources")
        guard resources.isFolder else { return subject }
        subject.resources = try ResourceValidator(of: resources, layouts: []).resources
        return subject
    }

    private static func problems(of error: AtriumError) -> [LintRule.Problem] {
        let problems = error.problems.isEmpty ? error.reasons : error.problems
        return problems.map { LintRule.Problem(FilePath(error.subject).lastComponent, $0.sentence) }
    }

    private func subject(of package: FilePath, in temporary: FilePath) throws -> LintSubject {
        let content = try PackageContent(package)
        let unpacked = temporary.appending("unpacked")
        try content.extract(to: unpacked)
        var subject = LintSubject()
        subject.files = content.files
        if case .file(let size) = Files.kind(of: package) { subject.size = size }
        let source = try content.bytes(of: "manifest.json", limit: ManifestReader.sizeLimit) ?? []
        let resources = unpacked.appending("Resources")
        let found = try ResourceValidator(
            of: resources.isFolder ? resources : nil, layouts: LayoutReference.all(in: source))
        subject.resources = found.resources
        try read(resources, into: &subject.resources)
        subject.refusals["resource-invalid"] = found.problems.map { LintRule.Problem("Resources", $0) }
        do {
            subject.manifest = try content.manifest()
        } catch let error as AtriumError where error.code == .manifestInvalid {
            subject.refusals["manifest-invalid"] = Self.problems(of: error)
        }
        guard let manifest = subject.manifest else { return subject }
        subject.libraries = try content.symbols(of: manifest)
        subject.dependencies = try dependencies.map { try PackageContent($0).manifest() }
        let libraries = try dependencies + linked(by: manifest.requirements)
        let linked = try LibraryDependencies(
            of: manifest, in: Files.packages(libraries), hostLibraries: packer.hostLibraries)
        let reports = try PackageFile(path: content.path).reports(on: manifest, with: linked)
        subject.refusals["library-unloadable"] = reports.flatMap { entry, report in
            report.findings.map { LintRule.Problem(entry, $0.reason.sentence) }
        }
        try compare(content, manifest, libraries, &subject)
        return subject
    }

    /// Compares the package with the last published version.
    private func compare(
        _ content: PackageContent, _ manifest: Manifest, _ libraries: [FilePath], _ subject: inout LintSubject
    ) throws {
        guard let published else { return }
        let identity = manifest.identity
        subject.catalog = try published.others(than: identity.identifier, hasImports: manifest.kind == .lib)
        if let same = try published.package(identity) {
            let other = try published.content(of: same.package)
            subject.isVersionReused = other.map { !$0.hasFiles(of: content) } ?? false
        }
        guard let (old, oldContent) = try published.release(before: identity) else { return }
        let oldLibraries = try dependencies + linked(by: old.manifest.requirements)
        let new = try content.declarations(of: manifest, libraries: libraries, hostLibraries: packer.hostLibraries)
        (subject.inputs, subject.events) = (new?.inputs, new?.code.events)
        let earlier = try? oldContent?.declarations(
            of: old.manifest, libraries: oldLibraries, hostLibraries: packer.hostLibraries)
        subject.published = PublishedVersion(
            manifest: old.manifest, symbols: old.symbols, inputs: earlier?.inputs, events: earlier?.code.events)
    }

    /// Reads the icon, and the JSON files that can refer to texts and pages.
    private func read(_ folder: FilePath, into resources: inout PluginResources) throws {
        let known = Set(resources.tables.keys).union(resources.layouts.keys)
        for name in resources.names where !known.contains("Resources/\(name)") {
            func bytes() throws -> [UInt8] {
                try Files.bytes(of: folder.appending(name), limit: ResourceValidator.sizeLimit)
            }
            if name == "icon.png" { resources.icon = try bytes() }
            if name.hasSuffix(".json") { resources.documents.append(String(decoding: try bytes(), as: UTF8.self)) }
        }
    }

    /// Returns the contents of the plugin's source files.
    private func sources() throws -> [String] {
        let folder = path.appending("Sources")
        guard folder.isFolder else { return [] }
        return try Files.names(below: folder).filter { $0.hasSuffix(".swift") }.map(folder.appending).compactMap {
            guard case .file = Files.kind(of: $0, followingLinks: false) else { return nil }
            return String(decoding: try Files.bytes(of: $0, limit: ResourceValidator.sizeLimit), as: UTF8.self)
        }
    }
}
