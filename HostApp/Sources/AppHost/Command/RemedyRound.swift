import Console
import Doctor
import PluginCore

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

    /// A command, and the findings whose remedy it is.
    private struct Step {
        let command: RemedyCommand
        var findings: [CheckupFinding]
        var state = State.planned
        var failure: Failure?
        /// The warnings and the text of the answer.
        var text = ""
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
        var steps: [Step] = []
        for finding in findings {
            guard case .command(let command) = finding.action else { continue }
            if let index = steps.firstIndex(where: { $0.command == command }) {
                steps[index].findings.append(finding)
            } else {
                steps.append(Step(command: command, findings: [finding]))
            }
        }
        return steps
    }

    /// The answer that lists the commands and what else is to be done, for which nothing was changed.
    var plan: Answer {
        var steps = steps
        for index in steps.indices where call.parsed.flag("yes") && steps[index].command.isDecision {
            steps[index].state = .undecided
        }
        let lines = steps.map { step in
            let line = Self.line(step.command)
            let isPlanned = step.state == .planned
            return (isPlanned ? localized("Would run: \(line)\n") : localized("Would leave to you: \(line)\n"))
                + Self.reasons(of: step)
        }
        let text = steps.isEmpty ? localized("No remedy is a command.\n") : lines.joined()
        let isWrong = findings.contains { $0.severity == .wrong }
        return Answer(
            text: text + adviceText(findings),
            json: [
                "sound": .bool(!isWrong), "remedies": .array(steps.map(json)), "advice": adviceJSON(findings),
            ],
            status: isWrong ? .refused : .done)
    }

    /// Runs the commands, each after a question unless the call forbids questions.
    ///
    /// - Parameter check: makes all checks again.
    /// - Returns: the outcomes, and the findings that remain.
    /// - Throws: `UsageError` if questions are needed and no user can be asked.
    func run(_ check: @MainActor () async -> [CheckupFinding]) async throws -> Answer {
        var steps = steps
        let asks = !call.parsed.flag("yes")
        if asks, call.isJSON || !TerminalQuestion.isPossible, !steps.isEmpty {
            throw UsageError(
                .missingArgument, subject: localized("a terminal to ask on, or --yes"),
                expected: ["--fix --yes", "--dry-run"], command: ["hostapp", "doctor"])
        }
        var text = steps.isEmpty ? localized("No remedy is a command.\n") : ""
        for index in steps.indices {
            await perform(&steps[index], asks: asks)
            text += Self.outcome(of: steps[index])
        }
        let remaining = await check()
        let answer = call.answer(
            about: remaining,
            after: (
                text + localized("\nWhat remains:\n"),
                [
                    ("remedies", .array(steps.map(json))),
                    ("advice", adviceJSON(remaining.filter { $0.severity != .fine })),
                ]
            ))
        guard answer.status == .done, let failed = steps.compactMap(\.failure).first else { return answer }
        return Answer(text: answer.text, json: answer.json, status: failed.status)
    }

    private func perform(_ step: inout Step, asks: Bool) async {
        if asks {
            StandardOutput.note(Self.reasons(of: step))
            guard await TerminalQuestion.answer(localized("Run \"\(printable(Self.line(step.command)))\"?")) else {
                step.state = .declined
                return
            }
        } else if step.command.isDecision {
            step.state = .undecided
            return
        }
        do {
            let parsed = try CommandLineParser(HostCommands.shellRoot).parse(step.command.arguments)
            guard let command = HostCommands.inShell.first(where: { $0.description.name == parsed.path.first }) else {
                throw UsageError(.unknownCommand, subject: parsed.path.joined(separator: " "), command: ["hostapp"])
            }
            let answer = try await command.run(call.nested(parsed))
            step.text = answer?.text ?? ""
            step.state = .done
        } catch {
            step.failure = Failure(error)
            step.state = .failed
        }
        call.progress.clear()
    }

    // MARK: Words

    private static func line(_ command: RemedyCommand) -> String {
        HostConfiguration.current.naming((["hostapp"] + command.arguments).joined(separator: " "))
    }

    private static func reasons(of step: Step) -> String {
        step.findings.map { "  \(words($0, $0.what.sentence))\n" }.joined()
    }

    /// Returns what is said about a finding, after its check and its subject.
    private static func words(_ finding: CheckupFinding, _ words: String) -> String {
        let (check, subject) = (localized(key: finding.check.rawValue), printable(finding.subject))
        let said = subject.isEmpty ? printable(words) : localized("\(subject): \(printable(words))")
        return localized("\(check): \(said)")
    }

    private static func outcome(of step: Step) -> String {
        switch step.state {
        case .planned: ""
        case .done: localized("Done: \(line(step.command))\n") + indented(step.text)
        case .declined: localized("Not done: \(line(step.command))\n")
        case .undecided:
            localized("Left to you: \(line(step.command)); \(printable(step.command.reason.sentence))\n")
        case .failed:
            localized("Failed: \(line(step.command))\n") + indented(step.failure?.report.text() ?? "")
        }
    }

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n").map { "  \($0)\n" }.joined()
    }

    private func adviceText(_ findings: [CheckupFinding]) -> String {
        Self.advised(findings).map { localized("For you: \(Self.words($0, $1))\n") }.joined()
    }

    private func adviceJSON(_ findings: [CheckupFinding]) -> JSONText {
        .array(
            Self.advised(findings).map { finding, advice in
                [
                    "check": .string(finding.check.rawValue), "subject": .string(finding.subject),
                    "advice": .string(advice),
                ]
            })
    }

    /// The findings whose remedy is an advice.
    private static func advised(_ findings: [CheckupFinding]) -> [(CheckupFinding, String)] {
        findings.compactMap { finding in
            guard case .advice = finding.action, let text = finding.remedyText else { return nil }
            return (finding, text)
        }
    }

    private func json(_ step: Step) -> JSONText {
        var members: [(String, JSONText)] = [
            ("command", .strings(step.command.arguments)), ("state", .string(step.state.rawValue)),
            ("findings", .array(step.findings.map(\.json))),
        ]
        if let failure = step.failure { members += failure.jsonMembers }
        return .object(members)
    }
}
