import Console
import FoundationEssentials
import HostSystem
import PluginCore
import PluginValidation
import Processes

/// The work for which `bundletool` starts a second `bundletool`, because code of plugins runs in it.
///
/// It is no command: its command line can change with any release.
public struct HelperProcess: Sendable {
    /// The work.
    enum Work: Sendable, Codable {
        /// Answers with a ``DeclarationAnswer``: what the code of the last library declares, which is loaded after the others.
        case declarations([String])
        /// Answers with a `CheckMessage` for each step and result, one in each line.
        case checks(CheckRequest)
    }

    private static let word = "--help-bundletool"

    private let work: Work
    /// The descriptor for the answer; `nil` for a process that prints the result itself.
    private let descriptor: Int32?
    private let parent: Int32

    /// Returns the arguments of the process.
    static func words(_ work: Work, answeringTo descriptor: Int32? = ChildProcess.answerDescriptor) -> [String] {
        let text = (try? JSONEncoder().encode(work)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return [word, descriptor.map(String.init) ?? "-", "\(Environment.processNumber)", text]
    }

    /// Reads the arguments of such a process; `nil` for any other command line.
    public init?(_ words: [String]) {
        guard words.count == 4, words[0] == Self.word, let parent = Int32(words[2]),
            let work = try? StrictJSON.decode(Work.self, from: Array(words[3].utf8))
        else { return nil }
        (self.work, self.parent, descriptor) = (work, parent, Int32(words[1]))
        // Before this process has a second thread.
        if case .checks(let request) = work { request.begin() }
    }

    /// Does the work, and ends the process. Exit handlers of plugins do not run.
    @MainActor
    public func give() async -> Never {
        guard let descriptor else {
            if case .checks(let request) = work { await request.printReport() }
            ProcessEnd.now(status: 1)
        }
        ConfinedProcess.confine(to: parent)
        switch work {
        case .declarations(let libraries): Self.write(DeclarationAnswer(loading: libraries), to: descriptor)
        case .checks(let request): await request.run { Self.write($0, to: descriptor) }
        }
        ProcessEnd.now(status: 0)
    }

    private static func write(_ answer: some Encodable, to descriptor: Int32) {
        guard let line = try? JSONEncoder().encode(answer) else { return }
        _ = try? StandardOutput.write(String(decoding: line, as: UTF8.self) + "\n", descriptor: descriptor)
    }

    /// The program that helps: `bundletool` itself, which stands beside the tests of this module, too.
    static var program: FilePath {
        let own = System.program
        let program = own.parent.appending(Program.command.name)
        return Files.isFile(program) ? program : own
    }
}
