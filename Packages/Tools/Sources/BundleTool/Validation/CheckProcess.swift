import Console
import FoundationEssentials
import HostSystem
import PluginCore
import PluginValidation
import Synchronization

/// The process of one check. However it ends, there is a result.
struct CheckProcess {
    /// The size of all messages of a process in bytes.
    private static let messageLimit = 64 << 20

    let settings: ValidationSettings
    /// The time limit for the check.
    let limit: Duration

    /// Runs a check.
    ///
    /// - Throws: ``CommandError`` if the plugin cannot be installed, `AtriumError` with code `inputOutput`.
    func result(of check: ValidationCheck) throws -> CheckResult {
        let start = ContinuousClock.now
        let child = try ChildProcess(
            running: DeclarationQuery.program,
            CheckAnswer.words(
                CheckAnswer.Request(settings: settings, checks: [check.identifier], isJSON: false),
                answeringTo: ChildProcess.answerDescriptor),
            within: limit, answerLimit: Self.messageLimit)
        // The plugin can write to any descriptor of its process.
        let messages = child.answer.split(separator: UInt8(ascii: "\n")).compactMap {
            try? StrictJSON.decode(CheckMessage.self, from: Array($0))
        }
        if let refusal = messages.lazy.compactMap(\.refusal).first {
            throw CommandError(.refused, "", reason: "packageNotInstalled", ["problem": .text(refusal)])
        }
        var result =
            messages.last?.result
            ?? CheckResult(
                check: check.identifier, endedBy: ending(of: child), during: messages.last { $0.step != nil }?.step,
                output: child.lastLines)
        result.seconds = (ContinuousClock.now - start) / .seconds(1)
        return result
    }

    private func ending(of child: ChildProcess) -> String {
        switch child.end {
        case .signaled(let signal): "the plugin crashed (\(SignalName.name(of: signal)))"
        case .exited(let status): "the process ended with exit status \(status)"
        case nil: "the check did not end within \(limit.components.seconds) s"
        }
    }
}

/// The run of a plugin's checks, for which `bundletool validate` starts a second `bundletool`.
///
/// It is no command: its command line can change with any release.
public struct CheckAnswer: Sendable {
    /// The request of the process that has started this one.
    struct Request: Sendable, Codable {
        let settings: ValidationSettings
        /// The identifiers of the checks: one, or all checks of a validation that runs in one process.
        let checks: [String]
        /// A Boolean value that indicates whether the report is JSON.
        let isJSON: Bool
    }

    private static let word = "--run-checks"

    private let request: Request
    /// The descriptor for messages; `nil` for a process that prints the report itself.
    private let descriptor: Int32?
    private let parent: Int32

    /// Returns the arguments of the process.
    ///
    /// - Parameter descriptor: the descriptor to which it writes messages; `nil` to run all checks and to print the report.
    static func words(_ request: Request, answeringTo descriptor: Int32?) -> [String] {
        let text = (try? JSONEncoder().encode(request)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return [word, descriptor.map(String.init) ?? "-", "\(Environment.processNumber)", text]
    }

    /// Reads the arguments of a process that runs checks; `nil` for any other command line.
    public init?(_ words: [String]) {
        guard words.count == 4, words[0] == Self.word, let parent = Int32(words[2]),
            let request = try? StrictJSON.decode(Request.self, from: Array(words[3].utf8))
        else { return nil }
        // Before this process has a second thread.
        if request.checks.contains(ValidationCheck.observed) { ObservedWrites.begin(besides: request.settings.folder) }
        self.request = request
        self.parent = parent
        descriptor = Int32(words[1])
    }

    /// Runs the checks, and ends the process.
    @MainActor
    public func give() async -> Never {
        // The check reports the call, by the output of the process.
        ProcessEnd.protect(status: ExitStatus.software.rawValue, descriptor: StandardStream.error.rawValue) {
            "\($0) called \($1)()\n"
        }
        guard let descriptor else { return await runAll() }
        ConfinedProcess.confine(to: parent)
        let progress = CheckProgress { Self.write($0, to: descriptor) }
        for check in request.checks.compactMap(ValidationCheck.named) {
            do {
                progress.finish(
                    try await CheckRun.result(of: check, request.settings, progress) {
                        ProcessEnd.claim(as: .watch)
                        ProcessEnd.now(as: .watch, status: 0)
                    })
            } catch {
                Self.write(CheckMessage(refusal: Self.words(for: error)), to: descriptor)
            }
        }
        ProcessEnd.now(status: 0)
    }

    private static func write(_ message: CheckMessage, to descriptor: Int32) {
        guard let line = try? JSONEncoder().encode(message) else { return }
        _ = Files.write(Array(line) + [UInt8(ascii: "\n")], to: descriptor)
    }

    private static func words(for error: any Error) -> String {
        let report = FailureReport.of(error).report
        return ([report.message] + report.details).joined(separator: "; ")
    }

    // MARK: All in one process

    /// Runs all checks here, where a debugger can follow them.
    @MainActor
    private func runAll() async -> Never {
        do {
            // Text that the plugin prints must not be mistaken for the report.
            try StandardOutput.reserve()
            let manifest = try request.settings.manifest()
            let results = Mutex<[CheckResult]>([])
            let progress = CheckProgress { [self] message in
                // The last message if the main actor is blocked, so that no other check can run.
                guard let result = message.result else { return }
                let stopped = CheckResult(
                    check: result.check, outcome: .failed,
                    problems: result.problems + result.notes + ["the checks after this one did not run"])
                results.withLock { $0.append(stopped) }
                end(with: ValidationReport(on: manifest.identity, seed: request.settings.seed, results.withLock { $0 }))
            }
            for check in request.checks.compactMap(ValidationCheck.named) {
                if let skipped = CheckResult(skipping: check, after: results.withLock { $0 }) {
                    results.withLock { $0.append(skipped) }
                    continue
                }
                let start = ContinuousClock.now
                var result = try await CheckRun.result(of: check, request.settings, progress) {
                    ProcessEnd.now(as: .watch, status: ExitStatus.refused.rawValue)
                }
                result.seconds = (ContinuousClock.now - start) / .seconds(1)
                results.withLock { $0.append(result) }
            }
            end(with: ValidationReport(on: manifest.identity, seed: request.settings.seed, results.withLock { $0 }))
        } catch {
            Files.removeTree(request.settings.folder)
            let status = Program.tell(error, about: request.isJSON ? ["validate", "--json"] : ["validate"])
            ProcessEnd.now(status: status.rawValue)
        }
    }

    private func end(with report: ValidationReport) -> Never {
        ProcessEnd.claim()
        Files.removeTree(request.settings.folder)
        let answer = report.answer(for: Terminal(.output))
        _ = try? StandardOutput.write(answer.written(asJSON: request.isJSON))
        ProcessEnd.now(status: answer.status.rawValue)
    }
}
