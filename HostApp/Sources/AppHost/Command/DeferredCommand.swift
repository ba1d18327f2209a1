import Console
import PluginCore
import PluginRouter
import PluginRuntime

/// The `hostapp deferred` command.
let deferredCommand = HostCommand(
    description: Command(
        "deferred", summary: "Manage addresses that wait until their plugin is ready.",
        discussion: """
            If "hostapp open --defer" cannot open an address yet, it is saved for a day; "hostapp shell" opens the \
            saved addresses when it starts.
            """,
        subcommands: [
            Command("list", summary: "List the deferred addresses, in the order in which they are tried."),
            Command(
                "run", summary: "Open the deferred addresses.",
                discussion: """
                    Addresses whose plugin is still not ready stay deferred, and the command exits with status 75. \
                    Addresses that fail for another reason are reported and dropped.
                    """
            ),
            Command("clear", summary: "Drop the deferred addresses."),
        ]
    )
) { call in
    switch call.parsed.path.last {
    case "run": try await run(call)
    case "clear": try clear(call)
    default: try list(call)
    }
}

@MainActor
private func list(_ call: HostCall) throws -> Answer {
    let requests = try call.deferred.waiting()
    var table = Table([Table.Column("URL"), Table.Column("FOR"), Table.Column("SINCE"), Table.Column("UNTIL")])
    for request in requests {
        table.add([
            request.address, request.origin.description, timestamp(request.time),
            timestamp(call.deferred.end(of: request)),
        ])
    }
    return Answer(
        text: table.isEmpty ? localized("No deferred addresses.\n") : table.rendered(for: call.terminal),
        json: ["deferred": .array(requests.map(call.json))]
    )
}

@MainActor
private func clear(_ call: HostCall) throws -> Answer {
    let dropped = try call.deferred.clear()
    return Answer(
        text: dropped.isEmpty ? localized("No deferred addresses.\n") : localized("Dropped \(dropped.count).\n"),
        json: ["dropped": .array(dropped.map(call.json))]
    )
}

@MainActor
private func run(_ call: HostCall) async throws -> Answer {
    let composed = try await call.sessionComposition()
    let transcript = Transcript(call)
    let round = DeferredRound(call)
    guard try !call.deferred.waiting().isEmpty else { return round.answer }
    do {
        try await call.inSession(composed, onNotice: transcript.notice) { session in
            try await round.run(in: session, transcript)
        }
    } catch let error as AtriumError where error.code == .sandboxBusy {
        // Another process has locked the sandbox, so no request was tried.
        if !call.isJSON { Failure(error).note() }
        try round.keepAll()
    }
    return round.answer
}
