import Console
import PluginCore

/// The session as a conversation: reads a line, does it, shows the page. What goes wrong is told, and the session goes
/// on.
@MainActor
struct Shell {
    private let call: HostCall
    private let session: Session
    private let transcript: Transcript
    private let input = LineInput()

    init(_ call: HostCall, _ session: Session, _ transcript: Transcript) {
        self.call = call
        self.session = session
        self.transcript = transcript
    }

    func run(from start: ResourceURI?) async throws {
        if let start { try await attempt { try await open(start) } }
        while true {
            if input.isTerminal { try StandardOutput.write("> ") }
            guard let line = await input.next() else { break }
            let words = line.split(separator: " ").map(String.init)
            guard let word = words.first else { continue }
            if ["quit", "exit"].contains(word) { break }
            try await attempt { try await perform(word, words, line: line) }
        }
        session.stack.closeAll()
    }

    private func perform(_ word: String, _ words: [String], line: String) async throws {
        switch word {
        case "help": try StandardOutput.write(Self.help)
        case "open":
            guard words.count == 2 else { throw UsageError(.missingArgument, subject: "URL", command: ["open"]) }
            try await open(ResourceURI(words[1]))
        case "back":
            try await session.back()
            try transcript.step("back", session.stack, nil)
        case "page": try transcript.step("page", session.stack, nil)
        case "pages":
            let titles = session.stack.pages.map { printable($0.title) }
            try StandardOutput.write(titles.isEmpty ? "No page is open.\n" : titles.joined(separator: " > ") + "\n")
        default:
            let isTap = session.stack.top?.actions.contains { $0.identifier == word } ?? false
            if !isTap, Int(word) == nil, let command = HostCommands.all.first(where: { $0.description.name == word }) {
                return try await run(command, words)
            }
            try await session.tap(Tap(line))
            try transcript.step(line, session.stack, nil)
        }
    }

    /// Runs one of the host's own commands inside the session, on the session's sandbox and catalog.
    private func run(_ command: HostCommand, _ words: [String]) async throws {
        guard command.description.name != "shell" else {
            throw AtriumError(.pageActionUnknown, "shell", detail: "this is one")
        }
        let parsed = try CommandLineParser(HostCommands.root).parse(words)
        if case .help = parsed.intent {
            try StandardOutput.write(HelpRenderer(HostCommands.root).text(for: parsed.path) ?? "")
            return
        }
        guard let answer = try await command.run(call.nested(parsed)) else { return }
        try StandardOutput.write(answer.text)
    }

    private func open(_ uri: ResourceURI) async throws {
        let value = try await session.open(uri)
        try transcript.step(nil, session.stack, value)
    }

    /// Does something; a failure is told on standard error. Only a broken output ends the session.
    private func attempt(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as OutputError {
            throw error
        } catch let error as UsageError {
            StandardOutput.note(error.report.text(for: Terminal(.error)))
        } catch let error as AtriumError {
            StandardOutput.note(error.report.text(for: Terminal(.error)))
        } catch {
            StandardOutput.note("error: a plugin failed: \(printable("\(error)"))\n")
        }
    }

    private static let help = """
        NUMBER | ACTION [FIELD=VALUE ...]   do an action of the page
        open URL                            open an address
        back                                leave the page
        page                                show the page again
        pages                               show the way here
        catalog, install, update, rollback, uninstall, list, info, history
                                            as on the command line; try "help" behind --, as in: install --help
        quit                                leave the session

        """
}
