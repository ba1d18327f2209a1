import BundleFormat
import Preflight
import Console
import PluginCore
import PluginRuntime

/// The validator of a plugin's files, which finds all problems before it reports them.
struct PluginValidator {
    private let source: [UInt8]
    private let path: FilePath
    private let resources: FilePath?
    private let library: LibraryContent?
    private let converters: [String]
    private let dependencies: [PackageFile]
    private let hostLibraries: [FilePath]

    init(
        manifest source: [UInt8], of path: FilePath, resources: FilePath?, library: LibraryContent?,
        converters: [String], dependencies: [PackageFile], hostLibraries: [FilePath]
    ) {
        self.hostLibraries = hostLibraries
        self.dependencies = dependencies
        self.converters = converters
        self.source = source
        self.path = path
        self.resources = resources
        self.library = library
    }

    /// Returns the manifest of a valid plugin and the warnings about its resources.
    ///
    /// - Throws: ``AtriumError`` with all problems and the code of the first kind of problem: `manifestInvalid`, then
    ///   `resourceInvalid`,
    ///   then the code with which a host would reject the library.
    func validate() throws -> (manifest: Manifest, warnings: [String]) {
        let found = try ResourceValidator.findings(in: resources, layouts: LayoutReference.all(in: source))
        let resourceProblems = found.problems
        let manifest: Result<Manifest, AtriumError> = Result { () throws(AtriumError) in
            try ManifestReader.read(source, of: path.string, registeredConverters: converters)
        }
        let libraries =
            try (try? manifest.get()).map {
                try LibraryDependencies(of: $0, in: dependencies, hostLibraries: hostLibraries)
            } ?? .none
        let refusal = library.flatMap {
            $0.verdict(in: try? manifest.get(), with: libraries).refusal(of: $0.path.string)
        }
        let libraryProblems = (refusal?.problems ?? []).map { "\(library?.path.lastComponent ?? ""): \($0)" }
        switch manifest {
        case .failure(let error):
            throw AtriumError(
                error.code, error.subject, detail: error.detail,
                problems: error.problems + advice(on: error.problems) + resourceProblems + libraryProblems)
        case .success(let manifest):
            if !resourceProblems.isEmpty {
                let folder = path.parent.string
                throw AtriumError(
                    .resourceInvalid, folder, message: "the resources of \(quoted(folder)) cannot be packed",
                    problems: resourceProblems + libraryProblems)
            }
            // A library for a bundle without code is rejected as such, whatever is wrong with it.
            if let refusal, manifest.entry != nil {
                throw AtriumError(refusal.code, refusal.subject, problems: libraryProblems)
            }
            return (manifest, found.warnings)
        }
    }

    /// Returns advice about converters that only some hosts register, found by validating the manifest with each of them.
    private func advice(on problems: [String]) -> [String] {
        ConverterReference.names(in: source).compactMap { name in
            guard !converters.contains(name), count(with: converters + [name]) < problems.count else { return nil }
            return "manifest.json: if every host of the plugin registers the converter \"\(name)\", "
                + "add --converter \(name)"
        }
    }

    /// Returns the number of problems that remain if hosts register these converters.
    private func count(with converters: [String]) -> Int {
        do {
            _ = try ManifestReader.read(source, of: path.string, registeredConverters: converters)
            return 0
        } catch {
            return error.problems.count
        }
    }
}
