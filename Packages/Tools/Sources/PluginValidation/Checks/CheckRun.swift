import Console
import PluginCore
import PluginRuntime
import Processes
import Synchronization

extension Error {
    /// The message of the error's report.
    var sentence: String { FailureReport.of(self).report.message }
}

/// The reason why a check does not apply to a plugin, which is in the section `checks` of `en.json` as `skipped KEY`.
struct CheckSkipped: Error {
    let key: String
}

/// One run of a check, which collects its findings.
@MainActor
public final class CheckRun {
    /// The number of problems, and of notes, in a result.
    private static let findingLimit = 20
    /// The number of calls of a stack in a result.
    private nonisolated static let stackLimit = 5

    let settings: ValidationSettings
    let manifest: Manifest
    /// The folder of this run, with its sandbox and its surroundings.
    let root: FilePath
    /// The host on the sandbox of this run.
    private(set) lazy var host = makeHost()
    /// Returns the problems that are known if the process must end early, because code blocks the main actor.
    let earlyProblems = Mutex<@Sendable () -> [String]>({ [] })
    private let check: ValidationCheck
    private let progress: CheckProgress
    private let endProcess: @Sendable () -> Never
    private var problems: [String] = []
    private var notes: [String] = []
    private var hasWarnings = false

    private init(
        _ check: ValidationCheck, _ manifest: Manifest, _ settings: ValidationSettings, _ progress: CheckProgress,
        endProcess: @escaping @Sendable () -> Never
    ) {
        self.check = check
        self.manifest = manifest
        self.settings = settings
        self.progress = progress
        self.endProcess = endProcess
        root = settings.folder.appending("checks/\(check.identifier)")
    }

    /// Runs a check in this process, which gets a home, a temporary and a working folder of its own.
    ///
    /// - Parameters:
    ///   - progress: receives the steps, and the result in place of the caller if code blocks the main actor.
    ///   - endProcess: called after that, on another thread.
    /// - Throws: the reason why the plugin cannot be installed.
    public static func result(
        of check: ValidationCheck, _ settings: ValidationSettings, _ progress: CheckProgress,
        endProcess: @escaping @Sendable () -> Never
    ) async throws -> CheckResult {
        let manifest = try settings.manifest()
        let run = CheckRun(check, manifest, settings, progress, endProcess: endProcess)
        try Surroundings(root: run.root).enter()
        try await run.host.install()
        do {
            try await check.body(run)()
        } catch let skipped as CheckSkipped {
            let reason = TextCatalog.authorText("checks", "skipped " + skipped.key)
            return CheckResult(check: check.identifier, outcome: .skipped, problems: [reason])
        } catch {
            run.fail(error.sentence)
        }
        return CheckResult(
            check: check.identifier,
            outcome: !run.problems.isEmpty ? .failed : run.hasWarnings ? .warning : .passed,
            problems: limited(run.problems), notes: limited(run.notes))
    }

    /// Skips the check unless it applies.
    func require(_ applies: Bool, _ key: String) throws {
        if !applies { throw CheckSkipped(key: key) }
    }

    /// Adds a fault of the plugin.
    func fail(_ problem: String) { problems.append(problem) }

    /// Adds a problem that need not be a fault of the plugin, such as an error that answers a guessed request, or a missing check.
    func warn(_ problem: String) {
        notes.append(problem)
        hasWarnings = true
    }

    /// Adds a fact that is no problem.
    func note(_ fact: String) { notes.append(fact) }

    /// Creates a host on the sandbox of this run.
    func makeHost(languages: [String] = ["en"]) -> ValidationHost {
        let host = makeHost(of: manifest, settings, in: "sandbox", languages: languages)
        host.onProcessEnd = { [self] in fail($0) }
        return host
    }

    /// Creates a host for the last release or the validated version, by default in a sandbox with the packages of both.
    func makeHost(
        of manifest: Manifest, _ settings: ValidationSettings, in folder: String = "released",
        languages: [String] = ["en"]
    ) -> ValidationHost {
        ValidationHost(manifest, in: root.appending(folder), settings, languages: languages, progress) { [self] in
            endEarly(stack: $0.stack.lines)
        }
    }

    /// Reports the result and ends the process, because code blocks the main actor, on which the check runs, too.
    nonisolated private func endEarly(stack: [String]) {
        let hang = "code blocked the main actor for \(settings.deadline) s during: \(progress.step)"
        let problems = earlyProblems.withLock { $0 }()
        let isFault = check.findsHangs
        let calls = stack.prefix(Self.stackLimit).map { "on the stack: \($0)" }
        progress.finish(
            CheckResult(
                check: check.identifier, outcome: isFault || !problems.isEmpty ? .failed : .warning,
                problems: problems + (isFault ? [hang] : []),
                notes: isFault ? calls : ["it ended early, see the check \"hang\": \(hang)"]))
        endProcess()
    }

    private static func limited(_ findings: [String]) -> [String] {
        guard findings.count > findingLimit else { return findings }
        return findings.prefix(findingLimit) + ["and \(findings.count - findingLimit) more"]
    }
}

/// A check of a plugin's behavior, which runs in a process of its own.
///
/// ```swift
/// guard let check = ValidationCheck.named("texts") else { return }
/// let result = try await CheckRun.result(of: check, settings, progress) { ProcessEnd.now(status: 0) }
/// ```
public struct ValidationCheck: Sendable {
    /// The identifier, which never changes.
    public let identifier: String
    /// A sentence about the requirement.
    public let summary: String
    /// A Boolean value that indicates whether code that blocks the main actor is a fault of this check.
    ///
    /// Other checks leave that to the check `hang`.
    let findsHangs: Bool
    let body: Body

    /// The method of a run that makes the check.
    typealias Body = @MainActor @Sendable (CheckRun) -> @MainActor () async throws -> Void

    /// Creates a check, whose summary is in the section `checks` of `en.json`.
    private init(_ identifier: String, findsHangs: Bool = true, _ body: @escaping Body) {
        (self.identifier, self.findsHangs, self.body) = (identifier, findsHangs, body)
        summary = TextCatalog.authorText("checks", identifier)
    }

    /// All checks, in the order in which they run.
    public static let all = [
        // The others need a plugin that loads, so the command runs this one first.
        load,
        Self("load-twice", CheckRun.loadTwice),
        Self("unload-with-open-pages", findsHangs: false, CheckRun.unloadWithOpenPages),
        Self("routes-answer", CheckRun.routesAnswer),
        Self("actions-answer", CheckRun.actionsAnswer),
        Self("garbage-parameters", CheckRun.sendGarbage),
        Self("hang", CheckRun.findHangs),
        Self("descriptor-leak", findsHangs: false, CheckRun.findDescriptorLeak),
        Self("memory-leak", findsHangs: false, CheckRun.findMemoryLeak),
        Self(thereAndBack, findsHangs: false, CheckRun.goThereAndBack),
        Self(observed, findsHangs: false, CheckRun.observeWrites),
        Self("texts", findsHangs: false, CheckRun.checkTexts),
        Self("extensions-answer", CheckRun.extensionsAnswer),
        Self("extensions-garbage", CheckRun.sendExtensionsGarbage),
        Self("extensions-leak", CheckRun.findExtensionLeaks),
    ]

    /// The identifier of the check that looks at the writes of the whole process, which must be observed from its start.
    public static let observed = "container-writes"

    /// The identifier of the check that needs the last release.
    public static let thereAndBack = "there-and-back"

    /// The check that all others require.
    public static let load = Self("load", CheckRun.load)

    /// Returns a check; `nil` if no check has the identifier.
    public static func named(_ identifier: String) -> ValidationCheck? { all.first { $0.identifier == identifier } }
}
