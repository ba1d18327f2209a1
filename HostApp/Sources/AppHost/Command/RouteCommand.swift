import Console
import PluginCore
import PluginRouter
import PluginRuntime

/// The `hostapp routes` command.
let routesCommand = HostCommand(
    description: Command(
        "routes", summary: "List the routes of the app.",
        discussion: """
            Lists every route that the installed plugins and bundle.json declare, with its owner, exposure and \
            interceptors; in a session also the routes that running code has registered.
            """,
        examples: [Command.Example("hostapp routes"), Command.Example("hostapp routes --json", "for a script")]
    )
) { call in
    let manager = call.manager
    let listing = try RouteListing(
        of: call.composition(), manager.registry, in: manager.sandbox, registered: manager.router.registeredRoutes)
    return Answer(text: listing.text(for: call.terminal), json: listing.json)
}

/// The `hostapp route` command.
let routeCommand = HostCommand(
    description: Command(
        "route", summary: "Explain where an address leads.",
        subcommands: [
            Command(
                "explain", summary: "Show which routes match an address, which one is chosen, and why.",
                discussion: """
                    Lists the candidates in the order in which they are tried, why each of the others lost, and the \
                    captures of the winner. Runs no plugin code.
                    """,
                arguments: [.required("URL", kind: .item(.address), help: "The address.")],
                options: [
                    .flag("external", help: "Explain it for a link from outside the app."),
                    .value(
                        "plugin", placeholder: "ID", kind: .item(.installed),
                        help: "Explain it for a request of this plugin."),
                    .flag("object", help: "Explain a request for an object, instead of opening."),
                ],
                examples: [
                    Command.Example("hostapp route explain 'app://shop/item/42?from=demo'")
                ]
            )
        ]
    )
) { call in
    let uri = try ResourceURI(call.parsed.argument("URL") ?? "")
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
        throw call.parsed.conflict("external", "plugin")
    }
    return .plugin(plugin)
}
