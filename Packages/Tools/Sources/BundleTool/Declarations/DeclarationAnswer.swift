import Console
import FoundationEssentials
import HostSystem
import PluginCore
import PluginRuntime

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
