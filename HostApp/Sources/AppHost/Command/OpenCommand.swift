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
            .flag("defer", help: "Save the address for \"hostapp deferred run\" if its plugin is not ready."),
        ],
        examples: [
            Command.Example("hostapp open 'app://shop/item/42?from=demo'"),
            Command.Example("hostapp open app://shop/item/42 --tap buy"),
            Command.Example("hostapp open app://orders --tap 'signIn name=Ada'"),
            Command.Example(#"hostapp open app://notes --tap 'add title="one = two" text=Some words'"#),
            Command.Example("hostapp open app://shop/item/42 --defer", "now, or when the catalog is available"),
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
    guard !call.parsed.flag("defer") else { return try await openOrKeep(uri, composed, transcript, call) }
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

/// Opens an address, or stores it until its bundle is ready.
@MainActor
private func openOrKeep(
    _ uri: ResourceURI, _ composed: ComposedRoutes, _ transcript: Transcript, _ call: HostCall
) async throws -> Answer? {
    guard call.parsed.values("tap").isEmpty else {
        // A tap needs a page that is open now, but a deferred address may be opened when no user is present.
        throw UsageError(
            .conflictingOptions, subject: "--defer", expected: ["--tap"], command: ["hostapp", "open"])
    }
    do {
        return try await call.inSession(
            composed, as: call.origin, onNotice: transcript.notice
        ) { session in
            try await transcript.step(nil, in: session) { try await session.open(uri) }
            return transcript.answer(("url", uri.text), session.stack)
        }
    } catch {
        guard call.mayOpenLater(error), let kept = try call.deferred.save(uri, for: call.origin) else { throw error }
        let failure = Failure(error)
        if !call.isJSON { failure.note() }
        return Answer(
            text: localized(
                "Kept \(printable(uri.text)) until \(timestamp(call.deferred.end(of: kept))); "
                    + "\"hostapp deferred run\" opens it.\n"),
            json: .object([("deferred", call.json(kept))] + failure.jsonMembers), status: .tryLater
        )
    }
}
