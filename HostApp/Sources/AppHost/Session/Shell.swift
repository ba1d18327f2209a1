import Console
import PluginCore
import PluginRouter

/// The session as a conversation: reads a line, does it, shows the page. What goes wrong is told, and the session goes
/// on until the input ends or nobody reads the output any more.
@MainActor
struct Shell {
    private let call: HostCall
    private let session: Session
    private let transcript: Transcript

    init(_ call: HostCall, _ session: Session, _ transcript: Transcript) {
        self.call = call
        self.session = session
        self.transcript = transcript
    }

    /// Reads lines and does what they say.
    ///
    /// - Parameters:
    ///   - start: what is opened first.
    ///   - recording: gets every step that does something.
    func run(from start: ResourceURI?, recording: Recording?) async throws {
        let input = LineInput()
        if let start { try await tell("open " + start.text, recording) }
        if recording == nil { try await openDeferred() }
        while transcript.isHeard, let line = try await nextLine(of: input) {
            guard let word = line.split(separator: " ").first else { continue }
            if ["quit", "exit"].contains(word) { return }
            try await tell(line, recording)
        }
    }

    /// Does what a line says. A failure is part of the outcome; only an output that can not be written is thrown.
    func step(_ line: String) async throws(OutputError) -> StepOutcome {
        transcript.beginStep()
        var failure: Failure?
        do {
            try await perform(line)
        } catch let error as OutputError {
            throw error
        } catch {
            failure = Failure(error)
        }
        let (result, notices) = transcript.lastStep
        return StepOutcome(session.stack, result: result, notices: notices, failure: failure)
    }

    /// Does what a line says; a failure is told on standard error, and the session goes on.
    private func tell(_ line: String, _ recording: Recording?) async throws {
        // What came while the user thought comes before what they do.
        try transcript.tellNotices()
        let outcome = try await step(line)
        if let failure = outcome.failure {
            call.progress.clear()
            failure.note()
        }
        if Self.isStep(line) { try recording?.add(line, outcome) }
    }

    /// Opens what waits, so that it lies on top of where the app starts. A recording begins where the app starts. What can not be
    /// read goes on waiting, and the session does not wait for it.
    private func openDeferred() async throws {
        let round = DeferredRound(call)
        do {
            try await round.run(in: session, transcript)
        } catch let error as AtriumError {
            call.progress.clear()
            Failure(error).note()
        }
    }

    private func nextLine(of input: LineInput) async throws -> String? {
        let isAsking = input.isTerminal && call.terminal.isTerminal
        if isAsking { try transcript.write("> ") }
        let line = await input.next()
        if line == nil, isAsking { try transcript.write("\n") }
        return line
    }

    /// Whether a line does something, and does not only show what is there.
    static func isStep(_ line: String) -> Bool {
        let words = line.split(separator: " ")
        guard let word = words.first else { return false }
        if words.starts(with: ["trust", "list"]) { return false }
        return !(["help", "page", "pages"] + Self.looks).contains(String(word)) || words.contains("--rebuild")
    }

    private func perform(_ line: String) async throws {
        let words = line.split(separator: " ").map(String.init)
        guard let word = words.first else { return }
        // What the page shows comes first: its author can not know the words of every shell.
        let isOffered = session.stack.top?.actions.contains { $0.identifier == word } ?? false
        if isOffered || Int(word) != nil {
            return try await transcript.step(line, in: session) { try await session.tap(Tap(line)) }
        }
        switch word {
        case "help": try transcript.write(Self.help)
        case "open": try await open(address(in: line))
        case "link": try await open(address(in: line, behind: "link"), as: .external)
        case "call" where !words.contains("--help"): try await callAction(Array(words.dropFirst()))
        case "back": try await transcript.step("back", in: session) { try await session.back() }
        case "page": try await transcript.step("page", in: session) { nil }
        case "pages":
            let titles = session.stack.pages.map { printable($0.title) }
            try transcript.write(titles.isEmpty ? "No page is open.\n" : titles.joined(separator: " > ") + "\n")
        default: try await runCommand(word, words)
        }
    }

    private func open(_ uri: ResourceURI, as origin: RequestOrigin? = nil) async throws {
        let router = origin.flatMap { call.router?.routing(for: $0) }
        try await transcript.step(nil, in: session) { try await session.open(uri, through: router) }
    }

    /// A parameter's value runs to the next `NAME=`, so that it may hold spaces, as in a tap.
    private func callAction(_ words: [String]) async throws {
        var joined: [String] = []
        for word in words {
            if joined.count > 1, !word.contains("="), let last = joined.last, last.contains("="), !last.contains("://")
            {
                joined[joined.count - 1] = last + " " + word
            } else {
                joined.append(word)
            }
        }
        let action = try ActionCall(joined)
        try await transcript.step(nil, in: session) { try await session.call(action) }
    }

    /// All that stands behind the word.
    private func address(in line: String, behind word: String = "open") throws -> ResourceURI {
        let text = line.drop { $0 == " " }.dropFirst(word.count).drop { $0 == " " }
        guard !text.isEmpty else {
            throw UsageError(.missingArgument, subject: "<URL>", expected: ["<URL>"], command: [word])
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

    private static let words = ["help", "open", "link", "call", "back", "page", "pages", "quit"]

    static let help = """
        NUMBER | ACTION [FIELD=VALUE ...]   do an action of the page; what the page offers comes first
        open URL                            open an address
        link URL                            open it as a link from outside the app does
        call TARGET ACTION [NAME=VALUE ...] call an action of a plugin
        back                                leave the page
        page                                show the page again
        pages                               show the way here
        \(Self.commands)
                                            as on the command line; "install --help" tells more about install
        quit                                leave the session

        """

    /// Commands of the host that change nothing.
    static let looks = [
        "catalog", "outdated", "list", "info", "why", "history", "routes", "route", "verify", "doctor",
    ]

    /// The host's commands, in lines of the help's width.
    private static let commands = HostCommands.inShell.map(\.description.name).reduce(into: [""]) { lines, name in
        let line = lines.removeLast()
        let longer = line.isEmpty ? name : line + ", " + name
        lines += longer.count <= 100 ? [longer] : [line + ",", name]
    }.joined(separator: "\n")
}
