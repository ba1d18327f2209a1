public import Console
import HostSystem
import PluginCore
import Processes

/// The command line of a host, which parses the arguments, runs the command and reports the result.
///
/// Results go to standard output, everything else to standard error. With `--json` standard output gets exactly one JSON
/// document, whether the command succeeds or fails.
///
/// ```swift
/// await HostCommandLine(HostConfiguration(name: "acme")).main()
/// ```
@MainActor
public struct HostCommandLine {
    let configuration: HostConfiguration
    let environment: HostEnvironment

    /// Creates the command line of a host.
    ///
    /// - Parameter environment: the process's own environment by default.
    public init(_ configuration: HostConfiguration = .standard, environment: HostEnvironment = .current) {
        self.configuration = configuration
        var environment = environment
        environment.folder = configuration.folder
        self.environment = environment
    }

    /// Runs the command that the process was started with and exits with its status.
    ///
    /// The process belongs to the host: output that plugins write to standard output is redirected to standard error, and a plugin
    /// that calls `exit` is treated as crashed. No plugin code runs while the process ends.
    public func main() async -> Never {
        StandardOutput.prepareProcess()
        let arguments = ProgramArguments.current
        answerScript(arguments)
        let isJSON = CommandLineParser(HostCommands.root).mentions(flag: "json", in: arguments.words)
        // Threads that belong to no task write, too, such as the one that watches for hangs.
        Localization.choose(environment.catalog(forTextsOf: arguments.words))
        if arguments.error == nil { HostConfiguration.$current.withValue(configuration) { editLines(arguments.words) } }
        do {
            try HostProcess.begin(isJSON: isJSON)
        } catch {
            let status = HostConfiguration.$current.withValue(configuration) { tell(Failure(error), isJSON: isJSON) }
            HostProcess.end(status)
        }
        HostProcess.end(await run(arguments.words, refusing: arguments.error))
    }

    /// Starts a session on a terminal anew in the program that edits its lines; returns for any other command line.
    private func editLines(_ words: [String]) {
        guard !EditedLines.isOn, LineInput().isTerminal, Terminal(.output).canRedraw,
            let parsed = try? CommandLineParser(HostCommands.root).parse(words), case .run = parsed.intent,
            parsed.path == [shellCommand.name],
            let call = try? HostCall(parsed: parsed, environment: environment), !call.isJSON
        else { return }
        EditedLines(call).begin(words)
    }

    /// Runs one command.
    ///
    /// - Parameter arguments: the arguments after the program's name.
    /// - Returns: the exit status.
    public func run(_ arguments: some Sequence<String>) async -> ExitStatus {
        await run(Array(arguments), refusing: nil)
    }

    /// Runs a command, or rejects arguments that are not valid UTF-8.
    private func run(_ words: [String], refusing error: UsageError?) async -> ExitStatus {
        await Localization.with(environment.catalog(forTextsOf: words)) {
            await HostConfiguration.$current.withValue(configuration) { await perform(words, refusing: error) }
        }
    }

    private func perform(_ words: [String], refusing error: UsageError?) async -> ExitStatus {
        StandardOutput.ignoreBrokenPipes()
        let parser = CommandLineParser(HostCommands.root)
        let isJSON = parser.mentions(flag: "json", in: words)
        do {
            if let error { throw error }
            let parsed = try parser.parse(words)
            switch parsed.intent {
            case .help: try help(parsed, isJSON: isJSON)
            case .version:
                let version = Answer(
                    text: "\(configuration.name) \(configuration.version) (Core ABI \(CoreVersion.abi))\n",
                    json: CoreVersion.json(of: configuration.version) + ["folder": configuration.folder])
                try StandardOutput.write(version.written(asJSON: isJSON))
            case .run: return try await run(parsed)
            }
            return .done
        } catch let error as UsageError where error.code == .missingCommand && !isJSON {
            if error.command.count <= 1, let parsed = try? parser.parse(words + [storeCommand.name]) {
                if let status = await showScreens(parsed) { return status }
            }
            // An incomplete command shows its help. Running `hostapp` without arguments is not an error.
            let path = Array(error.command.dropFirst())
            StandardOutput.note(configuration.named(help: HelpRenderer(HostCommands.root).text(for: path) ?? ""))
            if !path.isEmpty { StandardOutput.note("\n" + Failure(error).report.text(for: Terminal(.error))) }
            return .usage
        } catch {
            return tell(Failure(error), isJSON: isJSON && !(error is OutputError))
        }
    }

    /// Opens the app on its first page; returns `nil` without a terminal for screens.
    private func showScreens(_ parsed: ParsedCommand) async -> ExitStatus? {
        do {
            let call = try HostCall(parsed: parsed, environment: environment)
            guard call.canShowScreens else { return nil }
            try await call.showScreens(from: .app)
            return .done
        } catch {
            return tell(Failure(error), isJSON: false)
        }
    }

    private func run(_ parsed: ParsedCommand) async throws -> ExitStatus {
        guard let command = HostCommands.all.first(where: { $0.name == parsed.path.first }) else {
            throw UsageError(.missingCommand, subject: "hostapp", command: ["hostapp"])
        }
        let call = try HostCall(
            parsed: parsed, environment: environment, takesEmptyArguments: command.takesEmptyArguments)
        defer { call.progress.clear() }
        if let file = parsed.value("trace") { try TraceFile(environment.resolve(file)).record() }
        let interval = Tracing.begin(.command, parsed.path.joined(separator: " "))
        defer { interval?.end() }
        guard let answer = try await command.run(call) else { return .done }
        ProcessEnd.claim()
        try StandardOutput.write(answer.written(asJSON: call.isJSON))
        return answer.status
    }

    private func help(_ parsed: ParsedCommand, isJSON: Bool) throws {
        let width = min(100, max(40, Terminal(.output).width))
        let renderer = HelpRenderer(HostCommands.root, width: width, terminal: Terminal(.output))
        let text = configuration.named(help: renderer.text(for: parsed.path) ?? "")
        try StandardOutput.write(Answer(text: text, json: ["help": text]).written(asJSON: isJSON))
    }

    private func tell(_ failure: Failure, isJSON: Bool) -> ExitStatus {
        if isJSON {
            ProcessEnd.claim()
            let document = failure.report.json.text(pretty: true) + "\n"
            if (try? StandardOutput.write(document)) != nil { return failure.status }
        }
        failure.note()
        return isJSON ? .ioError : failure.status
    }

    /// Answers and ends the process, if the arguments are such a question.
    ///
    /// It answers before anything else of a process is set up, because a user waits for it at each press of the tab key. It never fails:
    /// standard error belongs to the line that the user types.
    func answerScript(_ arguments: ProgramArguments) {
        let text = HostConfiguration.$current.withValue(configuration) { answer(arguments.words) }
        guard let text else { return }
        StandardOutput.ignoreBrokenPipes()
        _ = try? StandardOutput.write(arguments.error == nil ? text : "")
        ExitStatus.done.exit()
    }

    /// Returns the answer to a script; `nil` for any other command line.
    func answer(_ words: [String]) -> String? {
        // The explanations of the words are in the user's language.
        Localization.with(environment.catalog(forTextsOf: [])) {
            CompletionAnswer(words)?.text(
                CommandCompletion(HostCommands.root) { [environment] item, context in
                    HostItems(context, in: environment)?.list(item, context) ?? []
                })
        }
    }
}

/// The `hostapp completion` command.
let completionCommand = HostCommand(CompletionCommand.declaration) { call in
    try CompletionCommand.answer(call.parsed, for: HostConfiguration.current.name)
}

/// The report of an error and the exit status that belongs to it.
struct Failure {
    private(set) var report: FailureReport
    let status: ExitStatus

    /// Creates the failure for an error.
    ///
    /// Every error that the host throws is reportable; any other error comes from a plugin.
    init(_ error: any Error) {
        (report, status) = FailureReport.of(error is any ReportableError ? error : Self.ofPlugin(error))
        let host = HostConfiguration.current
        report.message = host.naming(report.message)
        report.remedy = report.remedy.map(host.naming)
        report.details = report.details.map(host.naming)
    }

    /// Returns the error in place of one of a type that is private to an unknown plugin.
    static func ofPlugin(_ error: any Error) -> AtriumError {
        AtriumError(.pluginFailed, localized("a plugin"), reason: .verbatim("\(error)"))
    }

    /// Prints the report to standard error.
    func note() {
        StandardOutput.note(report.text(for: Terminal(.error)))
    }
}

/// An error that has a report of its own.
struct ReportedError: ReportableError {
    let report: FailureReport
    let exitStatus: ExitStatus
}

/// Returns the outcome of an asynchronous body.
func attempt<Success>(_ body: () async throws -> Success) async -> Result<Success, any Error> {
    do {
        return .success(try await body())
    } catch {
        return .failure(error)
    }
}
