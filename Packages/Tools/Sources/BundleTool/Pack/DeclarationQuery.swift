import Authoring
import BundleFormat
import Console
import HostSystem
import PluginCore
import PluginExtension
import Preflight
import Processes

/// The declarations of a plugin, and the parameters of its routes and actions.
typealias PluginDeclarations = (
    code: BundleDeclarations, points: [ExtensionPointDeclaration], inputs: [InputDeclaration]
)

/// A query to a built plugin or extension for the declarations in its code, which a process of its own answers.
struct DeclarationQuery {
    let library: AssessedLibrary
    let linked: LibraryDependencies
    /// The libraries that only the plugin's own hosts offer.
    let hostLibraries: [FilePath]
    var deadline = Duration.seconds(30)

    /// Returns the declarations of a plugin.
    ///
    /// - Throws: ``CommandError`` with `codeNotQueried` if the library doesn't answer, or contains no plugin; `AtriumError`
    ///   with code `inputOutput`.
    func declarations() throws -> PluginDeclarations {
        guard case .plugin(let code, let points, let inputs) = try answer() else {
            throw failure("its entry describes an extension and no plugin")
        }
        return (code, points, inputs)
    }

    /// Returns the point of an extension.
    ///
    /// - Throws: as ``declarations()``, also for a library that contains no extension.
    func extensionPoint() throws -> ExtensionPointDeclaration {
        guard case .extension(let point) = try answer() else {
            throw failure("its entry describes a plugin and no extension")
        }
        return point
    }

    private func answer() throws -> LibraryDeclarations {
        let content = library.content
        // Each of the linked ones comes after those that it needs itself.
        let loaded = linked.files + [(content.path.lastComponent, content.bytes)]
        let files = try loaded.map { try MemoryFile($0.content, named: $0.name) }
        let paths = library.report.missingRuntime + hostLibraries + files.indices.map(ChildProcess.path(ofInherited:))
        // The loader searches its folders for a name without a slash.
        let names = paths.map { $0.string.contains("/") ? $0.string : "./\($0)" }
        let child = try withExtendedLifetime(files) {
            try ChildProcess(
                running: HelperProcess.program, HelperProcess.words(.declarations(names)), within: deadline,
                findingLibrariesIn: folders, inheriting: files.map(\.descriptor))
        }
        switch child.end {
        case .exited(status: 0) where !child.answer.isEmpty:
            let answer = try? StrictJSON.decode(DeclarationAnswer.self, from: child.answer)
            if let declarations = answer?.declarations { return declarations }
            throw failure(answer?.refusal ?? "it printed something else in place of the answer", child)
        case .exited(let status): throw failure("it ended the process with exit status \(status)", child)
        case .signaled(let signal): throw failure("it crashed (\(SignalName.name(of: signal)))", child)
        case nil: throw failure("it did not answer within \(deadline)", child)
        }
    }

    /// The folders of the host's libraries, in which the loader finds those that have no soname.
    ///
    /// Those of this program come first, because a host has copies of the libraries that both share.
    private var folders: [FilePath] {
        guard !hostLibraries.isEmpty else { return [] }
        let own = HelperProcess.program.parent
        return [own.parent.appending("lib"), own] + hostLibraries.map(\.parent)
    }

    private func failure(_ problem: String, _ child: ChildProcess? = nil) -> CommandError {
        CommandError(
            .badInput, library.content.path, reason: "codeNotQueried",
            ["problem": "\(problem)", "symbol": "\(PluginEntry.symbol)"],
            details: (child?.lastLines ?? []).map { "it printed: \($0)" })
    }
}

/// The answer to a query for the declarations of a plugin: the declarations, or the reason why there are none.
struct DeclarationAnswer: Codable {
    var declarations: LibraryDeclarations?
    var refusal: String?

    /// Loads the plugin after the libraries that it is linked with.
    @MainActor
    init(loading libraries: [String]) {
        let files = libraries.map { FilePath($0) }
        let identity = BundleIdentity(identifier: "local.plugin", version: .init(major: 0, minor: 0, patch: 0))
        do {
            declarations = try LibraryDeclarations.read(files.last ?? "", after: files.dropLast(), of: identity)
        } catch {
            refusal = error.reason?.sentence ?? "\(error)"
        }
    }
}
