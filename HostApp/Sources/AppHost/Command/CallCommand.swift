import Console
import PluginCore
import PluginRuntime

/// The `hostapp call` command.
let callCommand = HostCommand(
    description: Command(
        "call", summary: "Call an action of a plugin, and print the result.",
        discussion: """
            The plugin that has the target is loaded, and installed first if only the catalog has it. Values are text; \
            an action that expects a number converts it. Target and action can also be given as an address. Each --tap \
            performs an action of a page that the call has opened, as in "hostapp open".
            """,
        arguments: [
            .required(
                "TARGET", kind: .item(.target), help: "The target, or an address such as app://Account/isSignedIn."),
            .repeated(
                "WORD", kind: .item(.action),
                help: "The action, unless an address names it, and parameters as NAME=VALUE."),
        ],
        options: [
            .value("tap", short: "t", placeholder: "ACTION", repeatable: true, help: "Perform an action of the page."),
            noInstallOption,
            isolateOption,
            .flag("external", help: "Act as a link from outside the app, which reaches only what is exposed to links."),
        ],
        examples: [
            Command.Example("hostapp call Account isSignedIn"),
            Command.Example("hostapp call Orders place item=Socks price=900"),
            Command.Example("hostapp call Account requireSignIn --tap 'signIn name=Ada'"),
            Command.Example("hostapp call app://Account/currentUser --json"),
        ]
    )
) { call in
    let action = try ActionCall([call.parsed.argument("TARGET") ?? ""] + call.parsed.arguments("WORD"))
    let composed = try await call.sessionComposition()
    let transcript = Transcript(call)
    return try await call.inSession(
        composed, as: call.origin, onNotice: transcript.notice
    ) { session in
        try await transcript.step(nil, in: session) { try await session.call(action) }
        for tap in call.parsed.values("tap") {
            try await transcript.tap(Tap(tap), in: session)
        }
        return transcript.answer(("call", action.name), session.stack)
    }
}
