import HostSystem
import PluginCore
import PluginRuntime
import PluginValidation

/// The process of one check. However it ends, there is a result.
struct CheckProcess {
    /// The size of all messages of a process in bytes.
    private static let messageLimit = 64 << 20
    /// The number of lines of output that a result contains.
    private static let lineLimit = 10

    let settings: ValidationSettings
    /// The time limit for the check.
    let limit: Duration

    /// Runs a check.
    ///
    /// - Throws: ``ValidationError`` if the plugin cannot be installed, `AtriumError` with code `inputOutput`.
    func result(of check: ValidationCheck) throws -> CheckResult {
        let start = ContinuousClock.now
        let child = try ChildProcess(
            running: DeclarationQuery.program, within: limit, findingLibrariesIn: [], inheriting: [],
            answerLimit: Self.messageLimit
        ) { descriptor in
            CheckAnswer.words(
                CheckAnswer.Request(settings: settings, checks: [check.identifier], isJSON: false),
                answeringTo: descriptor)
        }
        // The plugin can write to any descriptor of its process.
        let messages = child.answer.split(separator: UInt8(ascii: "\n")).compactMap {
            try? StrictJSON.decode(CheckMessage.self, from: Array($0))
        }
        if let refusal = messages.lazy.compactMap(\.refusal).first { throw ValidationError.notInstalled(refusal) }
        var result =
            messages.last?.result
            ?? CheckResult(
                check: check.identifier, endedBy: ending(of: child), during: messages.last { $0.step != nil }?.step,
                output: lines(of: child))
        result.seconds = (ContinuousClock.now - start) / .seconds(1)
        return result
    }

    private func ending(of child: ChildProcess) -> String {
        switch child.end {
        case .killed(let signal): "the plugin crashed (\(SignalName.name(of: signal)))"
        case .exited(let status): "the process ended with exit status \(status)"
        case .timedOut: "the check did not end within \(limit.components.seconds) s"
        }
    }

    private func lines(of child: ChildProcess) -> [String] {
        String(decoding: child.output, as: UTF8.self).split(whereSeparator: \.isNewline).suffix(Self.lineLimit)
            .map(String.init)
    }
}
