import PluginCore
import PluginRuntime

/// Judges what is to be packed, all of it before the author hears of the first problem.
struct PluginJudge {
    private let source: [UInt8]
    private let path: FilePath
    private let resources: FilePath?
    private let library: LibraryContent?

    init(manifest source: [UInt8], of path: FilePath, resources: FilePath?, library: LibraryContent?) {
        self.source = source
        self.path = path
        self.resources = resources
        self.library = library
    }

    /// The manifest of a plugin without problems.
    ///
    /// - Throws: ``AtriumError`` with all problems, and the code of the first sort there is: `manifestInvalid`,
    ///   `resourceInvalid`, `libraryUnloadable`.
    func judge() throws -> Manifest {
        let resourceProblems = try ResourceJudge(folder: resources).problems(layouts: LayoutReference.all(in: source))
        let libraryProblems = library?.problems ?? []
        let manifest: Manifest
        do {
            manifest = try ManifestReader.read(source, of: path.string)
        } catch {
            throw AtriumError(
                error.code, error.subject, detail: error.detail,
                problems: error.problems + resourceProblems + libraryProblems)
        }
        if !resourceProblems.isEmpty {
            throw AtriumError(
                .resourceInvalid, resources?.string ?? path.string, problems: resourceProblems + libraryProblems)
        }
        if let library, !libraryProblems.isEmpty {
            throw AtriumError(.libraryUnloadable, library.path.string, problems: libraryProblems)
        }
        return manifest
    }
}
