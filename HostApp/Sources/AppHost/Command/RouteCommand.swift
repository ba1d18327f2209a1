import Console
import PluginCore
import PluginRouter
import PluginRuntime

/// The `hostapp route` command.
let routeCommand = HostCommand(
    description: Command(
        "route", summary: "Explain where an address leads.",
        subcommands: [
            Command(
                "explain", summary: "Show which routes match an address, which one is chosen, and why.",
                discussion: """
                    Lists the candidates in the order in which they are tried, why each of the others lost, and the \
                    captures of the winner. Runs no plugin code. With --pattern no sandbox is needed: only the given \
                    patterns are matched, and --json prints which one matches and its captures.
                    """,
                arguments: [.required("URL", kind: .item(.address), help: "The address.")],
                options: [
                    .value(
                        "pattern", short: "p", placeholder: "PATTERN", repeatable: true,
                        help: "Match these patterns instead of the app's routes."),
                    .flag("external", help: "Explain it for a link from outside the app."),
                    .value(
                        "plugin", placeholder: "ID", kind: .item(.installed),
                        help: "Explain it for a request of this plugin."),
                    .flag("object", help: "Explain a request for an object, instead of opening."),
                ],
                examples: [
                    Command.Example("hostapp route explain 'app://shop/item/42?from=demo'"),
                    Command.Example(
                        "hostapp route explain --pattern 'shop/:id' --pattern 'shop/new' --json -- shop/new"),
                ]
            )
        ]
    ),
    takesEmptyArguments: true
) { call in
    let text = call.parsed.argument("URL") ?? ""
    if call.parsed.count("pattern") > 0 {
        if let other = ["external", "plugin", "object"].first(where: { call.parsed.count($0) > 0 }) {
            // Patterns given on the command line have no owner.
            throw UsageError(
                .conflictingOptions, subject: "--pattern", expected: ["--\(other)"],
                command: ["hostapp", "route", "explain"])
        }
        return try GivenPatterns(call.parsed.values("pattern"), text).answer(for: call.terminal)
    }
    let uri = try ResourceURI(text)
    let origin = try origin(of: call)
    let composed = try call.composition()
    // Only the router of the open session knows what running code has registered.
    let manager = try call.session == nil ? call.manager(for: composed, on: PageStack()) : call.manager
    let kinds: Set<RouteKind> = call.parsed.flag("object") ? [.object] : [.page, .handler]
    let explanation = try await manager.router.explain(uri, origin: origin, kinds: kinds)
    let absent = try composed.member(for: uri).flatMap { member in
        try BundleIdentifier(member.pkg).map(manager.offers.isAbsent) == true ? member.pkg : nil
    }
    return Answer(
        text: explanation.text(for: call.terminal, absent: absent), json: explanation.json(absent: absent))
}

@MainActor
private func origin(of call: HostCall) throws(UsageError) -> RequestOrigin {
    guard let plugin = call.parsed.value("plugin") else { return call.origin }
    guard call.origin == .host else {
        throw UsageError(
            .conflictingOptions, subject: "--external", expected: ["--plugin"],
            command: ["hostapp", "route", "explain"])
    }
    return .plugin(plugin)
}
