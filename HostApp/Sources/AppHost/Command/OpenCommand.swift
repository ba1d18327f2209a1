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
        arguments: [.optional("URL", help: "The address; by default the start that bundle.json names.")],
        options: [
            .value("tap", short: "t", placeholder: "ACTION", repeatable: true, help: "Do an action of the page.")
        ],
        examples: [
            Command.Example("hostapp open 'app://shop/item/42?from=demo'"),
            Command.Example("hostapp open app://shop/item/42 --tap buy"),
            Command.Example("hostapp open app://orders --tap 'signIn name=Ada'"),
        ]
    )
) { call in
    let composed = try call.composition()
    guard let text = call.parsed.argument("URL") ?? composed.start else {
        // Without a start in bundle.json the argument that may be left out must be there after all.
        throw UsageError(.missingArgument, subject: "<URL>", expected: ["<URL>"], command: ["hostapp", "open"])
    }
    let uri = try ResourceURI(text)
    let transcript = Transcript(call)
    return try await call.inSession(composed, exclusively: false, onNotice: transcript.notice) { session in
        try await transcript.step(nil, in: session) { try await session.open(uri) }
        for tap in call.parsed.values("tap") {
            try await transcript.tap(Tap(tap), in: session)
        }
        return transcript.answer(("url", uri.text), session.stack)
    }
}
