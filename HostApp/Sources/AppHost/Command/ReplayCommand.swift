import Console
import PluginCore
import PluginRuntime

/// The `hostapp replay` command.
let replayCommand = HostCommand(
    description: Command(
        "replay", summary: "Repeat a recorded session, and report the first difference.",
        discussion: """
            Repeats the steps recorded by "hostapp shell --record FILE" in a new session in the selected sandbox, and \
            compares the results: the page, the stack, returned values, messages and errors. Exits with status 1 at \
            the first difference.
            """,
        arguments: [.required("FILE", kind: .file, help: "The recording.")],
        examples: [Command.Example("hostapp replay checkout.jsonl")]
    )
) { call in
    let recorded = try RecordedSession.read(call.resolve(call.parsed.argument("FILE") ?? ""))
    let transcript = Transcript(call, isSilent: true)
    return try await call.inSession(call.sessionComposition(), onNotice: transcript.notice) { session in
        let shell = Shell(call, session, transcript)
        for (index, step) in recorded.steps.enumerated() {
            let now = try JSONValue(try await shell.step(step.line).json)
            guard let difference = step.outcome.difference(from: now) else { continue }
            return answer(difference, at: index + 1, of: recorded.steps.count, step.line)
        }
        let count = recorded.steps.count
        return Answer(
            text: count == 1 ? localized("1 step, no difference.\n") : localized("\(count) steps, no difference.\n"),
            json: ["steps": .integer(count), "difference": nil])
    }
}

private func answer(
    _ difference: JSONValue.Difference, at number: Int, of count: Int, _ line: String
) -> Answer {
    let (before, now) = (difference.recorded ?? localized("nothing"), difference.now ?? localized("nothing"))
    return Answer(
        text: localized(
            """
            Step \(number) of \(count) differs: \(printable(line))
              \(printable(difference.path))
              recorded: \(printable(before))
              now:      \(printable(now))

            """),
        json: [
            "steps": .integer(count),
            "difference": [
                "step": .integer(number), "line": .string(line), "path": .string(difference.path),
                "recorded": .string(orNull: difference.recorded), "now": .string(orNull: difference.now),
            ],
        ], status: .different)
}
