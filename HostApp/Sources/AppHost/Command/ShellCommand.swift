import Console
import PluginRuntime
import PluginCore

/// `hostapp shell`
let shellCommand = HostCommand(
    description: Command(
        "shell", summary: "Walk through the app page by page.",
        discussion: """
            A session: pages are pushed and popped, actions are chosen by number or name, and plugins keep their state \
            until you leave. Commands are read from standard input, one a line; "help" lists them.
            """,
        arguments: [.optional("URL", help: "The address to begin with; by default the start of the app.")]
    )
) { call in
    if call.isJSON {
        throw UsageError(
            .unexpectedArgument, subject: "--json", expected: ["hostapp open URL --tap ACTION --json"],
            command: ["hostapp", "shell"])
    }
    let composed = try call.composition()
    let start = try (call.parsed.argument("URL") ?? composed.composition.start).map { try ResourceURI($0) }
    let transcript = Transcript(call)
    let session = await call.session(composed) { transcript.notice($0) }
    try await call.manager.whileOpen(exclusively: true) {
        try await Shell(call, session, transcript).run(from: start)
    }
    return nil
}
