import Console
import PluginRuntime
import PluginCore

/// The `hostapp shell` command.
let shellCommand = HostCommand(
    description: Command(
        "shell", summary: "Walk through the app page by page.",
        discussion: """
            A session: pages are pushed and popped, actions are chosen by number or name, and plugins keep their state \
            until you leave. Commands are read from standard input, one a line; "help" lists them. What goes wrong is \
            told on standard error, and the session goes on. There is no --json here: use "hostapp open --tap".
            """,
        arguments: [.optional("URL", help: "The address to begin with; by default the start that bundle.json names.")],
        options: [
            noInstallOption,
            .value(
                "record", placeholder: "FILE",
                help: "Write down what is done and what comes of it; \"hostapp replay FILE\" does it again."),
        ]
    )
) { call in
    guard !call.isJSON else {
        // A session has no defined end at which one JSON document could be printed; `open --json` reports the same steps.
        throw UsageError(.unknownOption, subject: "--json", command: ["hostapp", "shell"])
    }
    let composed = try call.composition()
    let start = try (call.parsed.argument("URL") ?? composed.start).map { try ResourceURI($0) }
    let transcript = Transcript(call)
    let recording = try call.parsed.value("record").map { try Recording(call.resolve($0)) }
    return try await call.inSession(composed, onNotice: transcript.notice) { session in
        let stack = session.stack
        await call.manager.onOutsideChange { stack.show(notice: $0.notice) }
        try await Shell(call, session, transcript).run(from: start, recording: recording)
        return nil
    }
}
