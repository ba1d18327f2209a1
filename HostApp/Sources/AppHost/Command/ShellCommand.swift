import Console
import PluginCore
import PluginRuntime

/// The `hostapp shell` command.
let shellCommand = HostCommand(
    "shell", summary: "Walk through the app page by page.",
    discussion: """
        An interactive session: pages are pushed and popped, actions are chosen by number or name, and plugins \
        keep their state until you quit. Commands are read from standard input, one per line; "help" lists them. \
        Errors are printed on standard error, and the session continues. There is no --json here: use "hostapp \
        open --tap".
        """,
    arguments: [
        .optional("URL", kind: .item(.address), help: "The first address; by default the start address in bundle.json.")
    ],
    options: [
        noInstallOption,
        isolateOption,
        systemLinksOption,
        .flag("follow", help: "Open the page again when another process has updated its plugin."),
    ]
) { call in
    guard !call.isJSON else {
        // A session has no defined end at which one JSON document could be printed; `open --json` reports the same steps.
        throw UsageError(.unknownOption, subject: "--json", command: ["hostapp", "shell"])
    }
    let composed = try await call.sessionComposition()
    let start = try (call.parsed.argument("URL") ?? composed.start).map { try ResourceURI($0) }
    let transcript = Transcript(call)
    return try await call.inSession(composed, onNotice: transcript.notice) { session in
        let stack = session.stack
        let shell = Shell(call, session, transcript)
        let follows = call.parsed.flag("follow")
        call.manager.liveUpdates.observer = { [weak shell] changes in
            stack.show(notice: changes.notice)
            if follows, changes.contains(where: { $0.now != nil }) { shell?.openAgain(else: start) }
        }
        try await shell.run(from: start)
        return nil
    }
}

extension [OutsideChange] {
    /// The notice about bundles in use that another process has changed, in one line.
    var notice: String {
        let parts = map { change in
            change.now.map { localized("\(change.identifier) is now \($0)") }
                ?? localized("\(change.identifier) was removed")
        }
        return parts.joined(separator: ", ")
    }
}
