import Console
import Doctor

/// One attempt to remove the causes of findings, by the commands that are their remedies.
///
/// A command that fails is reported, and the others still run. Each takes the locks that it takes on the command line.
@MainActor
struct RemedyRound {
    private let call: HostCall
    private let findings: [CheckupFinding]

    init(_ call: HostCall, _ findings: [CheckupFinding]) {
        self.call = call
        self.findings = findings.filter { $0.severity != .fine }
    }

    /// A command, the findings whose remedy it is, and what has become of it.
    private struct Step: JSONConvertible {
        let command: RemedyCommand
        let findings: [CheckupFinding]
        var state = State.planned
        var failure: Failure?
        /// The text of the answer.
        var text = ""

        var line: String {
            HostConfiguration.current.naming((["hostapp"] + command.arguments).joined(separator: " "))
        }

        var reasons: String { findings.map { "  \(words($0, $0.what.sentence))\n" }.joined() }

        /// The text about the step after it.
        var outcome: String {
            let heading = hostText("remedy \(state.rawValue)", line, printable(command.reason.sentence))
            let told = failure?.report.text() ?? text
            return heading + (state == .planned ? reasons : "")
                + told.split(separator: "\n").map { "  \($0)\n" }.joined()
        }

        var json: JSONText {
            ["command": command.arguments, "state": state.rawValue, "findings": findings.map(\.json)]
                + (failure.map { ["error": $0.report.content] } ?? [:])
        }
    }

    private enum State: String {
        /// It would run.
        case planned
        /// It has run.
        case done
        /// It has run, and failed.
        case failed
        /// The user does not want it.
        case declined
        /// Only a user can decide it, and none was asked.
        case undecided
    }

    /// The commands without duplicates, in the order in which they run.
    private var steps: [Step] {
        let commands = findings.compactMap { if case .command(let command) = $0.action { command } else { nil } }
        return commands.unique.map { command in
            Step(command: command, findings: findings.filter { $0.action == .command(command) })
        }
    }

    /// The answer that lists the commands and what else is to be done, for which nothing was changed.
    var plan: Answer {
        let steps = steps.map { step in
            var step = step
            if call.flag("yes"), step.command.isDecision { step.state = .undecided }
            return step
        }
        let lines = steps.map { step in
            step.state == .planned
                ? step.outcome : localized("Would leave to you: \(step.line)\n") + step.reasons
        }
        let advice = advised(findings).map { localized("For you: \(words($0, $1))\n") }
        let isWrong = findings.contains { $0.severity == .wrong }
        return Answer(
            text: (steps.isEmpty ? noCommand : "") + (lines + advice).joined(),
            json: ["sound": !isWrong, "remedies": steps, "advice": adviceJSON(findings)],
            status: isWrong ? .refused : .done)
    }

    /// Runs the commands, each after a question unless the call forbids questions.
    ///
    /// - Returns: the outcomes, and the findings that remain.
    /// - Throws: `UsageError` if questions are needed and no user can be asked.
    func run() async throws -> Answer {
        var steps = steps
        let asks = !call.flag("yes")
        if asks, !call.canAsk, !steps.isEmpty {
            throw UsageError(
                .missingArgument, subject: localized("a terminal to ask on, or --yes"),
                expected: ["--fix --yes", "--dry-run"], command: ["hostapp", "doctor"])
        }
        for index in steps.indices { await perform(&steps[index], asks: asks) }
        let remaining = await checked(call)
        let text = (steps.isEmpty ? noCommand : "") + steps.map(\.outcome).joined() + localized("\nWhat remains:\n")
        let advice = adviceJSON(remaining.filter { $0.severity != .fine })
        var answer = call.answer(about: remaining, after: (text, ["remedies": steps, "advice": advice]))
        if answer.status == .done, let failed = steps.compactMap(\.failure).first { answer.status = failed.status }
        return answer
    }

    private func perform(_ step: inout Step, asks: Bool) async {
        if asks {
            StandardOutput.note(step.reasons)
            guard await TerminalQuestion.answer(localized("Run \"\(printable(step.line))\"?")) else {
                step.state = .declined
                return
            }
        } else if step.command.isDecision {
            step.state = .undecided
            return
        }
        do {
            let parsed = try CommandLineParser(HostCommands.shellRoot).parse(step.command.arguments)
            let command = HostCommands.inShell.first { $0.name == parsed.path.first }
            step.text = try await command?.run(call.nested(parsed))?.text ?? ""
            step.state = .done
        } catch {
            step.failure = Failure(error)
            step.state = .failed
        }
        call.progress.clear()
    }
}

private var noCommand: String { localized("No remedy is a command.\n") }

/// Returns what is said about a finding, after its check and its subject.
private func words(_ finding: CheckupFinding, _ words: String) -> String {
    let (check, subject) = (localized(key: finding.check.rawValue), printable(finding.subject))
    let said = subject.isEmpty ? printable(words) : localized("\(subject): \(printable(words))")
    return localized("\(check): \(said)")
}

/// Returns the findings whose remedy is an advice.
private func advised(_ findings: [CheckupFinding]) -> [(finding: CheckupFinding, advice: String)] {
    findings.compactMap { finding in
        guard case .advice = finding.action, let text = finding.remedyText else { return nil }
        return (finding, text)
    }
}

private func adviceJSON(_ findings: [CheckupFinding]) -> [JSONText] {
    advised(findings).map {
        ["check": $0.finding.check.rawValue, "subject": $0.finding.subject, "advice": $0.advice]
    }
}
