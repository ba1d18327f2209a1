import Console
import PluginCore

/// The session as a conversation: reads a line, does it, shows the page. What goes wrong is told, and the session goes
/// on until the input ends or nobody reads the output any more.
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
        while transcript.isHeard, let line = try await nextLine() {
            let words = line.split(separator: " ").map(String.init)
            guard let word = words.first else { continue }
            if ["quit", "exit"].contains(word) { return }
            try await attempt { try await perform(word, words, line: line) }
        }
    }

    private func nextLine() async throws -> String? {
        let isAsking = input.isTerminal && call.terminal.isTerminal
        if isAsking { try transcript.write("> ") }
        let line = await input.next()
        if line == nil, isAsking { try transcript.write("\n") }
        return line
    }

    /// Does something; a failure is told on standard error. Only an output that can not be written ends the session.
    private func attempt(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as OutputError {
            throw error
        } catch {
            call.progress.clear()
            Failure(error).note()
        }
    }

    private func perform(_ word: String, _ words: [String], line: String) async throws {
        // What the page shows comes first: its author can not know the words of every shell.
        let isOffered = session.stack.top?.actions.contains { $0.identifier == word } ?? false
        if isOffered || Int(word) != nil {
            return try await transcript.step(line, in: session) { try await session.tap(Tap(line)) }
        }
        switch word {
        case "help": try transcript.write(Self.help)
        case "open": try await open(address(in: line))
        case "back": try await transcript.step("back", in: session) { try await session.back() }
        case "page": try await transcript.step("page", in: session) { nil }
        case "pages":
            let titles = session.stack.pages.map { printable($0.title) }
            try transcript.write(titles.isEmpty ? "No page is open.\n" : titles.joined(separator: " > ") + "\n")
        default: try await runCommand(word, words)
        }
    }

    private func open(_ uri: ResourceURI) async throws {
        try await transcript.step(nil, in: session) { try await session.open(uri) }
    }

    /// All that stands behind `open`.
    private func address(in line: String) throws -> ResourceURI {
        let text = line.drop { $0 == " " }.dropFirst("open".count).drop { $0 == " " }
        guard !text.isEmpty else {
            throw UsageError(.missingArgument, subject: "<URL>", expected: ["<URL>"], command: ["open"])
        }
        return try ResourceURI(String(text))
    }

    /// Runs one of the host's own commands inside the session, on the session's sandbox and catalog.
    private func runCommand(_ word: String, _ words: [String]) async throws {
        guard let command = HostCommands.inShell.first(where: { $0.description.name == word }) else {
            throw unknown(word)
        }
        let parsed = try CommandLineParser(HostCommands.shellRoot).parse(words)
        if case .help = parsed.intent {
            return try transcript.write(HelpRenderer(HostCommands.shellRoot).text(for: parsed.path) ?? "")
        }
        let inner = try call.nested(parsed)
        guard let answer = try await call.progress.during(word, { try await command.run(inner) }) else { return }
        try transcript.write(answer.written(asJSON: inner.isJSON))
    }

    private func unknown(_ word: String) -> AtriumError {
        let offered = session.stack.top?.actions.map(\.identifier) ?? []
        let known = offered + Self.words + HostCommands.inShell.map(\.description.name)
        return AtriumError(
            .pageActionUnknown, word, detail: "\"help\" lists what else can be typed",
            nearest: Nearest.words(to: word, in: known)
        )
    }

    private static let words = ["help", "open", "back", "page", "pages", "quit"]

    private static let help = """
        NUMBER | ACTION [FIELD=VALUE ...]   do an action of the page; what the page offers comes first
        open URL                            open an address
        back                                leave the page
        page                                show the page again
        pages                               show the way here
        catalog, install, update, rollback, uninstall, list, info, history
                                            as on the command line; "install --help" tells more about install
        quit                                leave the session

        """
}
