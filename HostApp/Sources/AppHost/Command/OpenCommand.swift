import Console
import PluginRuntime
import PluginCore

/// The `hostapp open` command.
let openCommand = HostCommand(
    description: Command(
        "open", summary: "Open an address, and perform actions of its pages.",
        discussion: """
            The plugin that handles the address is loaded, and installed first if only the catalog has it; if it was \
            uninstalled by name, only after a question on the terminal. Each --tap performs an action of the top page: \
            its number or name, and its fields as NAME=VALUE. A value extends to the next NAME=; NAME="VALUE" is taken \
            literally, with \\" for a quotation mark and \\\\ for a backslash. Web, mail and telephone links that no \
            plugin handles are passed on to the system, after a question.
            """,
        arguments: [
            .optional("URL", kind: .item(.address), help: "The address; by default the start address in bundle.json.")
        ],
        options: [
            .value("tap", short: "t", placeholder: "ACTION", repeatable: true, help: "Perform an action of the page."),
            .flag("external", help: "Act as a link from outside the app, which reaches only what is exposed to links."),
            noInstallOption,
            isolateOption,
            systemLinksOption,
        ],
        examples: [
            Command.Example("hostapp open 'app://shop/item/42?from=demo'"),
            Command.Example("hostapp open app://shop/item/42 --tap buy"),
            Command.Example("hostapp open app://orders --tap 'signIn name=Ada'"),
            Command.Example(#"hostapp open app://notes --tap 'add title="one = two" text=Some words'"#),
        ]
    )
) { call in
    if call.origin == .external, call.environment.isStartedByLink, let text = call.parsed.argument("URL") {
        call.note(returned: try ResourceURI(text))
    }
    let composed = try await call.sessionComposition()
    guard let text = call.parsed.argument("URL") ?? composed.start else {
        // The argument is optional only if `bundle.json` names a start address.
        throw UsageError(.missingArgument, subject: "<URL>", expected: ["<URL>"], command: ["hostapp", "open"])
    }
    let uri = try ResourceURI(text)
    let transcript = Transcript(call)
    return try await call.inSession(
        composed, as: call.origin, onNotice: transcript.notice
    ) { session in
        try await transcript.step(nil, in: session) { try await session.open(uri) }
        for tap in call.parsed.values("tap") {
            try await transcript.tap(Tap(tap), in: session)
        }
        return transcript.answer(("url", uri.text), session.stack)
    }
}
