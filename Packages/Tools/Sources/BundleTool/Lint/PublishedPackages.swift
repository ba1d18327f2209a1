import BundleFormat
import CatalogFormat
import CatalogPublisher
import Console
import PluginCore
import PluginLint
import Preflight

/// The packages with which a plugin is compared: those of a published catalog, or those in a folder.
struct PublishedPackages {
    /// Returns the identifiers of all bundles, sorted.
    let identifiers: () throws -> [BundleIdentifier]
    /// Returns the versions of a bundle, newest first.
    let versions: (BundleIdentifier) throws -> [SemanticVersion]
    /// Returns the manifest and the package of a version, or `nil`.
    let package: (BundleIdentity) throws -> (manifest: Manifest, package: FilePath)?

    /// Returns the packages of a catalog, with those that are added but not published yet.
    static func of(_ editor: CatalogEditor) -> PublishedPackages {
        PublishedPackages(
            identifiers: editor.identifiers, versions: editor.offeredVersions(of:), package: editor.offered)
    }

    /// Opens a catalog or a folder.
    ///
    /// - Throws: ``CommandError`` for anything else; `AtriumError` with code `inputOutput`.
    static func at(_ folder: FilePath) throws -> PublishedPackages {
        guard folder.isFolder else { throw CommandError.nothingPublished(folder) }
        if folder.appending("metadata/timestamp.json").isFile {
            return .of(try CatalogEditor(existing: folder))
        }
        let identities = try Files.names(in: folder).compactMap(PackageFile.identity(named:))
        let versions = Dictionary(grouping: identities, by: \.identifier).mapValues { identities in
            identities.map(\.version).sorted(by: >)
        }
        guard !versions.isEmpty else { throw CommandError.nothingPublished(folder) }
        return PublishedPackages(
            identifiers: { versions.keys.sorted() }, versions: { versions[$0] ?? [] },
            package: { identity in
                guard identities.contains(identity) else { return nil }
                let path = folder.appending(PackageFile.name(of: identity))
                return (try PackageContent(path).manifest(), path)
            })
    }

    /// Returns the newest version of each other bundle.
    ///
    /// - Parameter hasImports: `true` if the names that their libraries import are needed.
    func others(than identifier: BundleIdentifier, hasImports: Bool) throws -> [CatalogBundle] {
        try identifiers().filter { $0 != identifier }.compactMap { other in
            guard let newest = try versions(other).first,
                let found = try package(BundleIdentity(identifier: other, version: newest))
            else { return nil }
            let requires = found.manifest.requirements.contains { $0.identifier == identifier }
            let content = hasImports && requires ? try self.content(of: found.package) : nil
            let symbols = try content?.symbols(of: found.manifest) ?? [:]
            return CatalogBundle(
                manifest: found.manifest, imported: symbols.values.reduce(into: []) { $0.formUnion($1.imported) })
        }
    }

    /// Returns the packages of the libraries that requirements name, directly or indirectly, unless they are given.
    func libraries(for requirements: [BundleRequirement], besides given: [FilePath]) throws -> [FilePath] {
        var known = Set(try given.map { try PackageContent($0).manifest().identity.identifier })
        var (found, waiting) = ([FilePath](), requirements)
        while let requirement = waiting.popLast() {
            guard known.insert(requirement.identifier).inserted,
                let version = try versions(requirement.identifier).first(where: requirement.versions.contains),
                let package = try package(BundleIdentity(identifier: requirement.identifier, version: version)),
                package.manifest.kind == .lib, package.package.exists
            else { continue }
            found.append(package.package)
            waiting += package.manifest.requirements
        }
        return found
    }

    /// Returns the content of a package; `nil` for one that is not in this copy of the catalog.
    func content(of package: FilePath) throws -> PackageContent? {
        package.isFile ? try PackageContent(package) : nil
    }

    /// Returns the package of the newest release before a version; `nil` if there is none in this copy of the catalog.
    func releasePackage(before identity: BundleIdentity) throws -> FilePath? {
        try newest(before: identity).flatMap { $0.package.isFile ? $0.package : nil }
    }

    private func newest(before identity: BundleIdentity) throws -> (manifest: Manifest, package: FilePath)? {
        let version = try versions(identity.identifier).first { $0 < identity.version && $0.prerelease.isEmpty }
        return try version.flatMap { try package(BundleIdentity(identifier: identity.identifier, version: $0)) }
    }

    /// Returns the newest release before a version, with what can be compared without running code.
    func release(before identity: BundleIdentity) throws -> (version: PublishedVersion, content: PackageContent?)? {
        guard let found = try newest(before: identity) else { return nil }
        let content = try content(of: found.package)
        // Only libraries of kind lib are linked by others.
        let entry = found.manifest.kind == .lib ? found.manifest.entry : nil
        let symbols = try entry.flatMap { try content?.symbols(of: found.manifest)[$0] }
        return (PublishedVersion(manifest: found.manifest, symbols: symbols), content)
    }
}

/// The comparison of new packages with the versions before them, before they are published.
struct ContractCheck {
    /// Checks that a package breaks no contract of the last release, unless its version number says so.
    ///
    /// The code is not run, so new required parameters are not found.
    ///
    /// - Parameters:
    ///   - package: the package, which is not in the catalog yet.
    ///   - editor: the catalog.
    ///   - silences: the codes that may be found.
    /// - Throws: ``CommandError`` with all findings.
    static func check(
        _ package: CheckedPackage, against editor: CatalogEditor, allowing silences: LintSilences
    ) throws {
        let manifest = package.entry.manifest
        let published = PublishedPackages.of(editor)
        guard try published.package(manifest.identity) == nil,
            let (old, _) = try published.release(before: manifest.identity)
        else { return }
        var subject = LintSubject()
        subject.manifest = manifest
        subject.published = old
        if manifest.kind == .lib { subject.libraries = try PackageContent(package.path).symbols(of: manifest) }
        guard !LintReport(of: subject, allowing: silences, rules: LintRule.contracts).findings.isEmpty else { return }
        // Reading all other bundles takes long in a large catalog.
        subject.catalog = try published.others(than: manifest.identity.identifier, hasImports: manifest.kind == .lib)
        let report = LintReport(of: subject, allowing: silences, rules: LintRule.contracts)
        throw CommandError(
            .refused, manifest.identity, reason: "contractBroken",
            [
                "old": "\(old.manifest.identity.version)",
                "codes": .list(report.findings.map { "--allow \($0.rule.code)" }),
            ],
            details: report.findings.flatMap { group in
                group.problems.map { "\(group.rule.code): \($0.words)" }
            })
    }
}
