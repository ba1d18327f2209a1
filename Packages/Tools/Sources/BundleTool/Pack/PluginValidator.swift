import Authoring
import BundleFormat
import ExtensionHost
import HostSystem
import Preflight
import Console
import PluginCore
import PluginExtension

/// The validator of a plugin's files, which finds all problems before it reports them.
struct PluginValidator {
    /// The packer, with the paths and options of the plugin.
    let packer: Packer
    /// The author's manifest.
    let source: [UInt8]
    let resources: FilePath?
    let library: LibraryContent?
    let dependencies: [PackageFile]

    private var path: FilePath { packer.manifestFile }

    /// Checks the whole plugin.
    ///
    /// - Returns: the manifest, the libraries of extensions and those for other platforms, and the warnings about the resources.
    /// - Throws: ``AtriumError`` with all problems and the code of the first kind of problem: `manifestInvalid`, then
    ///   `resourceInvalid`, then the code with which a host would reject the library; or ``CommandError`` if the code of a sound library does
    ///   not say what it declares.
    func validate() throws -> (manifest: CompletedManifest, otherLibraries: [AssessedLibrary], warnings: [String]) {
        let found = try ResourceValidator(of: resources, layouts: LayoutReference.all(in: source))
        let members = Result { () throws(AtriumError) in try compositionMembers() }
        let complete = try? completed(with: nil, nil, try? members.get(), for: packer.converters).get()
        let author = complete?.manifest
        var resourceProblems = found.problems.map(ErrorReason.verbatim)
        if author?.kind == .assets, case .failure(let error) = members {
            resourceProblems += error.reasons.map { .at(error.subject, $0) }
        }
        let linked =
            try author.map { try LibraryDependencies(of: $0, in: dependencies, hostLibraries: packer.hostLibraries) }
            ?? .none
        let own = library.map { AssessedLibrary($0, in: author, with: linked, for: packer.ownPlatform) }
        let extensions = try complete.map {
            try packer.own.extensions(of: $0.manifest, named: $0.extensionEntries, with: linked)
        }
        var others = extensions ?? []
        if let author { others += try packer.others.flatMap { try $0.assessed(for: author) } }
        var code: PluginDeclarations?
        if let own, own.refusal == nil, author?.kind == .app { code = try query(own, linked).declarations() }
        // Without all libraries, the points are unknown, and only the libraries are reported.
        var points: [String: ExtensionPointDeclaration]?
        if let extensions, extensions.allSatisfy({ $0.refusal == nil }) {
            points = [:]
            for library in extensions { points?[library.entry] = try query(library, linked).extensionPoint() }
        }
        let rules = ExtensionRules(
            points: (points ?? [:]).values.map(\.self), lacksCode: code == nil,
            lacksExtensionCode: code == nil || points == nil)
        let manifest = completed(with: code, points, try? members.get(), for: packer.converters, checking: rules.check)
        let libraries = [own].compactMap(\.self) + others
        let libraryProblems: [ErrorReason] = libraries.flatMap { library in
            (library.refusal?.problems ?? []).map { .at(library.name, $0) }
        }
        switch manifest {
        case .failure(let error):
            throw AtriumError(
                error.code, error.subject, reason: error.reason,
                problems: error.problems + advice(on: error.problems, code) + resourceProblems + libraryProblems)
        case .success(let complete):
            if !resourceProblems.isEmpty {
                let folder = path.parent.string
                throw AtriumError(
                    .resourceInvalid, folder, message: "the resources of \(quoted(folder)) cannot be packed",
                    problems: (resourceProblems + libraryProblems).map(\.sentence))
            }
            // A library for a bundle without code is rejected as such, whatever is wrong with it.
            let needed = complete.manifest.entry == nil ? others : libraries
            if let refusal = needed.lazy.compactMap(\.refusal).first {
                throw AtriumError(refusal.code, refusal.subject, problems: libraryProblems)
            }
            return (complete, others, found.warnings)
        }
    }

    /// Returns the bundles of the bundle.json among the resources; `nil` if there is none.
    private func compositionMembers() throws(AtriumError) -> CompositionMembers? {
        guard let file = resources?.appending("bundle.json"), file.isFile else { return nil }
        let bytes = try Result { try Files.bytes(of: file, limit: ResourceValidator.sizeLimit) }
            .mapError { AtriumError(.resourceInvalid, "Resources/bundle.json", reason: .verbatim("\($0)")) }.get()
        return try CompositionMembers(bytes, of: "Resources/bundle.json")
    }

    private func query(_ library: AssessedLibrary, _ linked: LibraryDependencies) -> DeclarationQuery {
        DeclarationQuery(
            library: library, linked: linked, hostLibraries: packer.hostLibraries, deadline: packer.deadline)
    }

    /// Returns the author's manifest, completed by the code if that is known, for hosts with these converters.
    private func completed(
        with code: PluginDeclarations?, _ points: [String: ExtensionPointDeclaration]? = nil,
        _ members: CompositionMembers? = nil, for converters: [String],
        checking check: (Manifest, ManifestProblems) -> Void = { _, _ in }
    ) -> Result<CompletedManifest, AtriumError> {
        Result { () throws(AtriumError) in
            try CompletedManifest(
                source, of: path.string, with: code?.code, ownPoints: code?.points ?? [],
                extensionPoints: points ?? [:], members: members, prerelease: packer.prerelease,
                converters: .standard(registering: converters), checking: check)
        }
    }

    /// Returns advice about converters that only some hosts register, found by validating the manifest with each of them.
    private func advice(on problems: [ErrorReason], _ code: PluginDeclarations?) -> [ErrorReason] {
        ConverterReference.names(in: source, code?.code).compactMap { name in
            guard !packer.converters.contains(name) else { return nil }
            if case .failure(let error) = completed(with: code, for: packer.converters + [name]),
                error.problems.count >= problems.count
            {
                return nil
            }
            return ErrorReason("converterAdvice", ["name": "\(name)"])
        }
    }
}
