import Console
import HostSystem
import PluginCore
import PluginValidation
import Processes
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
        let request = CheckRequest(settings: settings, checks: [check.identifier], isJSON: false)
        let child = try ChildProcess(
            running: HelperProcess.program, HelperProcess.words(.checks(request)), within: limit,
            answerLimit: Self.messageLimit)
        // The plugin can write to any descriptor of its process.
        let messages = child.answer.split(separator: UInt8(ascii: "\n")).compactMap {
            try? StrictJSON.decode(CheckMessage.self, from: Array($0))
        }
        var (step, found): (String?, CheckResult?)
        for message in messages {
            found = nil
            switch message {
            case .step(let begun): step = begun
            case .result(let result): found = result
            case .refusal(let reason):
                throw CommandError(.refused, "", reason: "packageNotInstalled", ["problem": "\(reason)"])
            }
        }
        var result =
            found
            ?? .init(check: check.identifier, endedBy: ending(of: child), during: step, output: child.lastLines)
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

/// The checks of a plugin that a second `bundletool` runs.
struct CheckRequest: Codable {
    let settings: ValidationSettings
    /// The identifiers of the checks: one, or all checks of a validation that runs in one process.
    let checks: [String]
    /// A Boolean value that indicates whether the report is JSON.
    let isJSON: Bool

    /// Prepares the process, which has one thread.
    func begin() {
        if checks.contains(ValidationCheck.observed) { ObservedWrites.begin(besides: settings.folder) }
        // The check reports the call, by the output of the process.
        ProcessEnd.protect(status: ExitStatus.software.rawValue, descriptor: StandardStream.error.rawValue) {
            "\($0) called \($1)()\n"
        }
    }

    /// Runs the checks.
    ///
    /// - Parameter report: receives each step and result.
    @MainActor
    func run(_ report: @escaping @Sendable (CheckMessage) -> Void) async {
        let progress = CheckProgress(report: report)
        for check in checks.compactMap(ValidationCheck.named) {
            do {
                progress.finish(
                    try await CheckRun.result(of: check, settings, progress) {
                        ProcessEnd.claim(as: .watch)
                        ProcessEnd.now(as: .watch, status: 0)
                    })
            } catch {
                let failure = FailureReport.of(error).report
                report(.refusal(([failure.message] + failure.details).joined(separator: "; ")))
            }
        }
    }

    /// Runs all checks and prints the report, in a process that a debugger can follow, and ends it.
    @MainActor
    func printReport() async -> Never {
        do {
            // Text that the plugin prints must not be mistaken for the report.
            try StandardOutput.reserve()
            let identity = try settings.manifest().identity
            let results = Mutex<[CheckResult]>([])
            let progress = CheckProgress { [self] message in
                // The last message if the main actor is blocked, so that no other check can run.
                guard case .result(let result) = message else { return }
                let stopped = CheckResult(
                    check: result.check, outcome: .failed,
                    problems: result.problems + result.notes + ["the checks after this one did not run"])
                end(with: results.withLock { $0 + [stopped] }, of: identity)
            }
            for check in checks.compactMap(ValidationCheck.named) {
                let start = ContinuousClock.now
                let skipped = CheckResult(skipping: check, after: results.withLock { $0 })
                var result =
                    if let skipped { skipped } else {
                        try await CheckRun.result(of: check, settings, progress) {
                            ProcessEnd.now(as: .watch, status: ExitStatus.refused.rawValue)
                        }
                    }
                result.seconds = (ContinuousClock.now - start) / .seconds(1)
                results.withLock { $0.append(result) }
            }
            end(with: results.withLock { $0 }, of: identity)
        } catch {
            Files.removeTree(settings.folder)
            let status = Program.tell(error, about: isJSON ? ["validate", "--json"] : ["validate"])
            ProcessEnd.now(status: status.rawValue)
        }
    }

    private func end(with results: [CheckResult], of identity: BundleIdentity) -> Never {
        ProcessEnd.claim()
        Files.removeTree(settings.folder)
        let answer = Answer(about: identity, seed: settings.seed, results, for: Terminal(.output))
        _ = try? StandardOutput.write(answer.written(asJSON: isJSON))
        ProcessEnd.now(status: answer.status.rawValue)
    }
}
