import Console
import PluginRuntime
import PluginCore

/// `hostapp open`
let openCommand = HostCommand(
    description: Command(
        "open", summary: "Open an address, and tap through the pages it leads to.",
        discussion: """
            The plugin that serves the address is loaded, and installed first if only the catalog has it. Each --tap does \
            an action of the page that is then on top: its number or its name, and its fields as NAME=VALUE.
            """,
        arguments: [.optional("URL", help: "The address; by default the start of the app.")],
        options: [
            .value("tap", short: "t", placeholder: "ACTION", repeatable: true, help: "Do an action; may be repeated.")
        ],
        examples: [
            Command.Example("hostapp open 'app://shop/item/42?from=demo'"),
            Command.Example("hostapp open app://shop/item/42 --tap buy"),
            Command.Example("hostapp open app://orders --tap 'signIn name=Ada'"),
        ]
    )
) { call in
    let composed = try call.composition()
    guard let text = call.parsed.argument("URL") ?? composed.composition.start else {
        throw UsageError(.missingArgument, subject: "URL", command: ["hostapp", "open"])
    }
    let uri = try ResourceURI(text)
    let transcript = Transcript(call)
    let session = await call.session(composed) { transcript.notice($0) }
    try await call.manager.whileOpen(exclusively: false) {
        let value = try await session.open(uri)
        try await transcript.step(nil, session.stack, value)
        for tap in call.parsed.values("tap") {
            try await transcript.tap(Tap(tap), in: session)
        }
    }
    return transcript.answer(uri, session.stack)
}
