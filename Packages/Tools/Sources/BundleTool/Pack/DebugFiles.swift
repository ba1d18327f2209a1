import BundleFormat
import Console
import PluginCore
import Preflight
import Processes

/// The debug information of libraries, kept by their build IDs in the layout in which debuggers look for it.
///
/// ```
/// symbols/.build-id/09/d5fbead13fe65870a97f7172d83c3f42cdcf5d.debug
/// ```
enum DebugFiles {
    /// The programs that copy it, the toolchain's first.
    private static let programs = ["llvm-objcopy", "objcopy"]

    /// Copies the debug information of libraries into a folder.
    ///
    /// - Returns: The folder; `nil` if no library has debug information and a build ID.
    /// - Throws: ``CommandError`` with code `programMissing`, or if the program fails.
    static func keep(of libraries: [FilePath], in folder: FilePath) throws -> FilePath? {
        var isKept = false
        for library in libraries {
            let bytes = try Files.bytes(of: library, limit: LibraryPreflight.sizeLimit, remedy: "library")
            guard let symbols = LibrarySymbols(bytes), symbols.debugSize > 0, let build = symbols.buildID else {
                continue
            }
            guard let program = programs.lazy.compactMap(InheritingProcess.program).first else {
                throw CommandError(.notFound, programs[0], code: "programMissing", reason: "programMissing")
            }
            let file = folder.appending(".build-id/\(build.prefix(2))/\(build.dropFirst(2)).debug")
            try Files.makeFolder(file.parent)
            let fresh = file.parent.appending(Files.passingName)
            defer { Files.removeTree(fresh) }
            let words = ["--only-keep-debug", library.string, fresh.string]
            guard case .exited(0) = try ChildProcess(running: program, words, within: .seconds(120)).end else {
                throw CommandError.programFailed(program.lastComponent, status: 1)
            }
            try Files.move(fresh, to: file)
            isKept = true
        }
        return isKept ? folder : nil
    }
}

extension Packer {
    /// The libraries of a bundle for this machine: its own, and those of its extensions.
    func libraries(of manifest: Manifest) -> [FilePath] {
        guard let library else { return extensionLibraries }
        let named = Set(extensionLibraries.map(\.lastComponent) + [manifest.entry].compactMap(\.self))
        let beside = Set(manifest.libraries).subtracting(named).sorted().map(library.parent.appending)
        return [library] + extensionLibraries + beside
    }
}
