import PluginIsolation
import PluginRouter
import ExtensionHost
import Console
import PluginCore
import PluginExtension
import PluginRuntime
import Processes
import AppScreens

/// An interactive session that reads a line, performs it and shows the page.
///
/// An error is reported and the session continues, until the input ends or the output is closed. Ctrl-C on a terminal cancels the
/// running step or clears the line.
@MainActor
final class Shell {
    private let call: HostCall
    private let session: Session
    private let transcript: Transcript
    private let input = LineInput()
    /// The task of the running step.
    private var running: Task<Void, any Error>?
    private let presses = InterruptCount()
    /// A Boolean value that indicates whether Ctrl-C was the last input at a prompt.
    private var isLeaving = false
    /// The extension with which the user types, or nil for none.
    private var keyboard: BundleIdentifier?
    /// A Boolean value that indicates whether the last command has shown the widgets, whose processes then wait.
    private var isShowingToday = false
    /// The line that the user typed after Ctrl-C in place of a field.
    private var nextTyped: String?

    init(_ call: HostCall, _ session: Session, _ transcript: Transcript) {
        self.call = call
        self.session = session
        self.transcript = transcript
        session.shown = { [call, stack = session.stack] in PageWithExtensions($0, at: stack.topAddress, call) }
        session.typed = { [weak self] keys in
            guard let self, let keyboard else { return keys }
            var text = ""
            // Each character is one key press.
            for key in keys {
                let press = KeyPress(key: String(key), before: text)
                text.apply(try await call.extensions.run(keyboard, at: ExtensionPoints.keyboard, press).output)
            }
            return text
        }
    }

    /// Chooses the keyboard that the rest of a line names, or none for "off", or shows the chosen one.
    private func chooseKeyboard(_ rest: Substring) async throws {
        guard let word = rest.split(separator: " ").first else {
            return try transcript.write((keyboard?.text ?? localized("No keyboard is chosen.")) + "\n")
        }
        await call.extensions.leave(ExtensionPoints.keyboard.identifier)
        guard word != "off" else {
            keyboard = nil
            return try transcript.write(localized("You type without a keyboard.\n"))
        }
        let identifier = try call.installedExtension(String(word))
        let declaration = try call.extensions.extension(identifier).declaration
        guard declaration.point == ExtensionPoints.keyboard.identifier else {
            throw AtriumError(
                .extensionMismatch, identifier, reason: "extensionPointDiffers",
                ["declared": .text(declaration.point), "found": .text(ExtensionPoints.keyboard.identifier)])
        }
        keyboard = identifier
        try transcript.write(localized("You type with \(printable(declaration.name)).\n"))
    }

    /// Reads lines and performs them.
    ///
    /// - Parameter start: the address to open first.
    func run(from start: ResourceURI?) async throws {
        let interrupts =
            isAsking
            ? SignalHandler.ofInterrupts(presses) { [weak self] press in
                guard press > 1 else { return _ = Task { await self?.interrupt() } }
                StandardOutput.note(hostText("stillRunning"))
            } : nil
        defer { interrupts?.end() }
        if let start { try await interruptible { try await self.tell(Self.opening(start)) } }
        while transcript.isHeard, StandardOutput.isHeard, let line = try await nextLine() {
            // A signal has ended the session.
            if call.isEnding { return }
            isLeaving = false
            guard let word = line.split(separator: " ").first else { continue }
            // An action of the page with the same name takes precedence.
            let isQuit = [".quit", ".exit"].contains(word) || ["quit", "exit"].contains(word)
            if isQuit, word.first == "." || !isOffered(String(word)) { return }
            guard let filled = try await filled(line) else { continue }
            try await interruptible { try await self.tell(filled) }
        }
    }

    /// Asks on a terminal for the fields of an action that the user has typed without any.
    ///
    /// - Returns: The line with the fields; `nil` at the end of the input, and after Ctrl-C.
    private func filled(_ line: String) async throws -> String? {
        guard isAsking, let page = session.top else { return line }
        var line = line
        for field in Tap(line).fields(on: page) {
            let question = printable(field.question)
            var answer: String?
            if EditedLines.isSecret(field.name) {
                answer = await input.secret(question)
            } else {
                try transcript.write(question)
                answer = await input.next()
            }
            guard !isLeaving, let answer else {
                nextTyped = answer
                return nil
            }
            if !answer.isEmpty { line += " " + field.typed(answer) }
        }
        return line
    }

    /// Opens the address of the top page again, on top of it.
    ///
    /// - Parameter start: The address for a page that a plugin has shown itself.
    func openAgain(else start: ResourceURI?) {
        guard let address = session.stack.topAddress ?? start else { return }
        Task {
            if isAsking { try transcript.write("\n") }
            try await interruptible { try await self.tell(Self.opening(address)) }
            if isAsking { try transcript.write("> ") }
        }
    }

    /// Returns the line that opens an address, whatever actions the page has.
    static func opening(_ address: ResourceURI) -> String { ".open " + address.text }

    /// Performs a line and reports an error on standard error; only a failure of the output is thrown.
    private func tell(_ line: String) async throws {
        // Notices that arrived while the user was typing are printed first.
        try transcript.tellNotices()
        do {
            try await perform(line)
        } catch let error as OutputError {
            throw error
        } catch {
            call.progress.clear()
            // A canceled step fails with an arbitrary error, which is not reported.
            if Task.isCancelled { return StandardOutput.note(localized("interrupted\n")) }
            Failure(error).note()
        }
    }

    private func isOffered(_ word: String) -> Bool {
        session.top.map { page in PageChoice.all(on: page).contains { $0.action.identifier == word } } ?? false
    }

    private var isAsking: Bool { input.isTerminal && call.terminal.isTerminal }

    private func nextLine() async throws -> String? {
        if let line = nextTyped {
            nextTyped = nil
            return line
        }
        if isAsking { try transcript.write("> ") }
        let line = await input.next()
        if isAsking, line == nil { try transcript.write("\n") }
        return line
    }

    private func perform(_ line: String) async throws {
        let line = line.drop { $0 == " " }
        let word = line.prefix { $0 != " " }
        if word.isEmpty { return }
        if isShowingToday, word != "today" {
            isShowingToday = false
            await call.extensions.leave(ExtensionPoints.today.identifier)
        }
        // Actions of the page take precedence, because a plugin's author cannot know all shell commands. A dot selects the command.
        if word.first == "." { return try await perform(line.dropFirst(), word: String(word.dropFirst())) }
        if isOffered(String(word)) || Int(word) != nil {
            let tap = Tap(String(line))
            return try await transcript.step(tap.text, in: session) { try await session.tap(tap) }
        }
        try await perform(line, word: String(word))
    }

    /// Performs a line that starts with a command of the shell.
    private func perform(_ line: Substring, word: String) async throws {
        let rest = line.dropFirst(word.count)
        switch word {
        case "help": try transcript.write(Self.help(width: call.terminal.wrappingWidth))
        case "open": try await open(address(rest, of: word))
        case "link": try await open(address(rest, of: word), as: .external)
        case "call" where !rest.split(separator: " ").contains("--help"): try await callAction(rest)
        case "keyboard": try await chooseKeyboard(rest)
        case "back": try await transcript.step("back", in: session) { try await session.back() }
        case "page": try await transcript.step("page", in: session) { nil }
        case "pages":
            let titles = session.stack.titles.map { printable($0) }
            try transcript.write(
                titles.isEmpty ? localized("No page is open.\n") : titles.joined(separator: " > ") + "\n")
        default: try await runCommand(word, String(line).lineWords())
        }
    }

    private func open(_ uri: ResourceURI, as origin: RequestOrigin? = nil) async throws {
        let router = origin.map { call.manager.router.routing(for: $0) }
        try await transcript.step(nil, in: session) { try await session.open(uri, through: router) }
    }

    /// Parses a target and an action, or an address, followed by parameters as in a tap.
    private func callAction(_ text: Substring) async throws {
        let parameters = try FieldValues(text) { !$0.isEmpty && !$0.contains("://") }
        let action = try ActionCall(parameters.others + parameters.values.map { "\($0.name)=\($0.value)" })
        try await transcript.step(nil, in: session) { try await session.call(action) }
    }

    /// Parses the rest of a line as an address.
    private func address(_ rest: Substring, of word: String) throws -> ResourceURI {
        let text = rest.drop { $0 == " " }
        guard !text.isEmpty else {
            throw UsageError(.missingArgument, subject: "<URL>", expected: ["<URL>"], command: [word])
        }
        return try ResourceURI(String(text))
    }

    /// Runs one of the host's commands inside the session, on the session's sandbox and catalog.
    private func runCommand(_ word: String, _ words: [String]) async throws {
        guard let command = HostCommands.inShell.first(where: { $0.name == word }) else {
            throw unknown(word)
        }
        let parsed = try CommandLineParser(HostCommands.shellRoot).parse(words)
        if case .help = parsed.intent {
            return try transcript.write(
                HostConfiguration.current.named(
                    help: HelpRenderer(HostCommands.shellRoot).text(for: parsed.path) ?? ""))
        }
        let inner = try call.nested(parsed)
        let page = session.stack.pages.last
        let catalog = inner.isJSON ? TextCatalog.english : Localization.current
        let answer = try await Localization.with(catalog) {
            try await call.progress.during(word, { try await command.run(inner) })
        }
        if word == "today" { isShowingToday = true }
        if let answer { try transcript.write(answer.written(asJSON: inner.isJSON)) }
        // An extension may have opened an address.
        if session.stack.pages.last !== page { try await transcript.step("page", in: session) { nil } }
    }

    private func unknown(_ word: String) -> AtriumError {
        let offered = session.top.map { PageChoice.all(on: $0).map(\.action.identifier).unique } ?? []
        let known = offered + Self.words + HostCommands.inShell.map(\.name)
        return AtriumError(
            .pageActionUnknown, word, reason: "helpListsCommands",
            nearest: Nearest.words(to: word, in: known)
        )
    }

    static let words = ["help", "open", "link", "call", "keyboard", "back", "page", "pages", "quit"]

    /// Returns the help text, wrapped at the terminal's width; `nil` for no wrapping.
    static func help(width: Int?) -> String {
        hostText("shellCommands").split(separator: "\n").map { line in
            guard line == "{commands}" else { return WrappedText(String(line)).text(width: width, hanging: 36) }
            let commands = HostCommands.inShell.map(\.name).joined(separator: ", ")
            return WrappedText(commands).text(width: width ?? 100)
        }.joined()
    }

    // MARK: Ctrl-C

    /// Runs a body that Ctrl-C can cancel, after the body that runs already.
    private func interruptible(_ body: @escaping @MainActor () async throws -> Void) async throws {
        let before = running
        let task = Task {
            _ = await before?.result
            try await body()
        }
        running = task
        defer {
            if running == task { running = nil }
            presses.reset()
        }
        try await task.value
    }

    private func interrupt() {
        if let running { return running.cancel() }
        presses.reset()
        // The terminal has already discarded the typed text.
        let hint = isLeaving ? hostText("leaveHint") : ""
        isLeaving = true
        _ = try? transcript.write("\n\(hint)> ")
    }
}
