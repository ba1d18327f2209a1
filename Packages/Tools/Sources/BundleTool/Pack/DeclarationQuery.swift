import Authoring
import Console
import FoundationEssentials
import HostSystem
import PluginCore

/// A query to a built plugin or extension for the declarations in its code, which a process of its own answers.
struct DeclarationQuery {
    let library: LibraryContent
    /// The libraries that it is linked with, each after those that it needs itself.
    let linked: [(name: String, content: [UInt8])]
    /// The parts of the Swift runtime that it needs in addition.
    let runtime: [FilePath]
    /// The libraries that only the plugin's own hosts offer.
    let hostLibraries: [FilePath]
    let deadline: Duration

    /// Returns the declarations of a plugin, and the parameters of its routes and actions.
    ///
    /// - Throws: ``CommandError`` with `codeNotQueried` if the library doesn't answer, or contains no plugin; `AtriumError`
    ///   with code `inputOutput`.
    func declarations() throws -> (code: BundleDeclarations, inputs: [InputDeclaration]) {
        guard case .plugin(let code, let inputs) = try answer() else {
            throw failure("its entry describes an extension and no plugin")
        }
        return (code, inputs)
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
        let loaded = linked + [(library.path.lastComponent, library.bytes)]
        let files = try loaded.map { try MemoryFile($0.content, named: $0.name) }
        let child = try withExtendedLifetime(files) {
            try ChildProcess(
                running: Self.program,
                DeclarationAnswer.words(
                    answeringTo: ChildProcess.answerDescriptor,
                    loading: runtime + hostLibraries + files.indices.map(ChildProcess.path(ofInherited:))),
                within: deadline, findingLibrariesIn: folders, inheriting: files.map(\.descriptor))
        }
        switch child.end {
        case .exited(status: 0) where !child.answer.isEmpty:
            let answer = try? StrictJSON.decode(DeclarationAnswer.Content.self, from: child.answer)
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
        let own = Self.program.parent
        return [own.parent.appending("lib"), own] + hostLibraries.map(\.parent)
    }

    private func failure(_ problem: String, _ child: ChildProcess? = nil) -> CommandError {
        CommandError(
            .badInput, library.path, reason: "codeNotQueried",
            ["problem": .text(problem), "symbol": .text(PluginEntry.symbol)],
            details: (child?.lastLines ?? []).map { "it printed: \($0)" })
    }

    /// The program that answers: `bundletool` itself, which stands beside the tests of this module, too.
    static var program: FilePath {
        let own = Environment.program
        let program = own.parent.appending(Program.command.name)
        return Files.isFile(program) ? program : own
    }
}

/// The answer to a query for the declarations of a plugin, which `bundletool pack` lets a second `bundletool` give.
///
/// It is no command: its command line can change with any release.
public struct DeclarationAnswer {
    /// The answer's content: the declarations, or the reason why there are none.
    struct Content: Codable {
        var declarations: LibraryDeclarations?
        var refusal: String?
    }

    private static let word = "--answer-declarations"

    private let descriptor: Int32
    private let parent: Int32
    private let libraries: [FilePath]

    /// Returns the arguments of the process that answers.
    ///
    /// - Parameters:
    ///   - descriptor: the descriptor to which it writes the answer.
    ///   - libraries: the libraries in the order in which they are loaded; the last one is the plugin.
    static func words(answeringTo descriptor: Int32, loading libraries: [FilePath]) -> [String] {
        // The loader searches its folders for a name without a slash.
        let names = libraries.map { $0.string.contains("/") ? $0.string : "./\($0)" }
        return [word, "\(descriptor)", "\(Environment.processNumber)"] + names
    }

    /// Reads the arguments of a process that answers; `nil` for any other command line.
    public init?(_ words: [String]) {
        guard words.count >= 4, words[0] == Self.word, let descriptor = Int32(words[1]), let parent = Int32(words[2])
        else { return nil }
        self.descriptor = descriptor
        self.parent = parent
        libraries = words.dropFirst(3).map { FilePath($0) }
    }

    /// Loads the plugin, writes the answer, and ends the process.
    @MainActor
    public func give() -> Never {
        ConfinedProcess.confine(to: parent)
        let isGiven = Files.write(Array((try? JSONEncoder().encode(content())) ?? Data()), to: descriptor)
        // Exit handlers of the plugin do not run.
        ProcessEnd.now(status: isGiven ? 0 : 1)
    }

    @MainActor
    private func content() -> Content {
        let plugin = libraries[libraries.count - 1]
        let identity = BundleIdentity(
            identifier: "local.plugin", version: SemanticVersion(major: 0, minor: 0, patch: 0))
        do throws(AtriumError) {
            return Content(
                declarations: try LibraryDeclarations.read(plugin, after: libraries.dropLast(), of: identity))
        } catch {
            return Content(refusal: error.reason?.sentence ?? "\(error)")
        }
    }
}
