import Console
import PluginCore
import PluginRuntime

/// One call of the command line, read: which sandbox, which catalog, which language, and how to answer.
@MainActor
final class HostCall {
    let parsed: ParsedCommand
    let isJSON: Bool
    let terminal: Terminal
    private let environment: HostEnvironment

    init(parsed: ParsedCommand, environment: HostEnvironment) {
        self.parsed = parsed
        self.environment = environment
        isJSON = parsed.flag("json")
        terminal = Terminal(.output)
    }

    /// The manager of the sandbox that is meant. Nothing is read or written before it is asked for something.
    lazy var manager: BundleManager = {
        let sandbox = parsed.value("sandbox").map(environment.resolve) ?? environment.sandbox
        let catalog = parsed.value("catalog").map(environment.resolve) ?? environment.catalog
        let progress = InstallProgress()
        return BundleManager(
            sandbox: Sandbox(root: sandbox), catalog: DirectoryCatalog(folder: catalog),
            services: HostServices(languages: languages, log: log), observer: progress.observe
        )
    }()

    /// A call of another command on the same sandbox and catalog, by the same manager.
    func nested(_ parsed: ParsedCommand) -> HostCall {
        let call = HostCall(parsed: parsed, environment: environment)
        call.manager = manager
        return call
    }

    /// The app's composition: the given one, the shipped one, or none.
    func composition() throws(AtriumError) -> ComposedRoutes {
        guard let path = parsed.value("composition").map(environment.resolve) ?? environment.composition else {
            return .none
        }
        return try CompositionReader.read(path)
    }

    /// A session on the manager's router: what `open` and `shell` walk on.
    func session(
        _ composed: ComposedRoutes, onNotice: @escaping @MainActor (String) -> Void
    ) async -> Session {
        let stack = PageStack()
        let (router, _) = await manager.connect(
            stack, directory: ComposedDirectory(composed: composed, registry: manager.registry),
            supply: ComposedSupply(composed: composed, manager: manager)
        )
        return Session(router: router, stack: stack, onNotice: onNotice)
    }

    /// `ID[@VERSION]` as the argument `name` gives it.
    func bundle(_ name: String) throws -> (identifier: String, version: SemanticVersion?) {
        let word = parsed.argument(name) ?? ""
        guard let at = word.firstIndex(of: "@") else { return (word, nil) }
        let text = String(word[word.index(after: at)...])
        guard let version = SemanticVersion(text) else {
            throw UsageError(
                .invalidValue, subject: name, expected: ["ID or ID@VERSION, such as com.example.app.shop@1.0.0"],
                command: ["hostapp"] + parsed.path, value: word
            )
        }
        return (String(word[..<at]), version)
    }

    private var languages: [String] { parsed.value("language").map { [$0] } ?? environment.languages }

    private var log: @Sendable (String, BundleLogger.Level, String) -> Void {
        let threshold = parsed.flag("verbose") ? BundleLogger.Level.debug : .error
        return { bundle, level, message in
            guard level >= threshold else { return }
            StandardOutput.note("\(printable(bundle)): \(level.rawValue): \(printable(message))\n")
        }
    }
}
