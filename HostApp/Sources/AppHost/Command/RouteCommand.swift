import Console
import PluginCore
import PluginRouter
import PluginRuntime

/// The `hostapp route` command.
let routeCommand = HostCommand(
    description: Command(
        "route", summary: "Tell why an address leads where it leads.",
        subcommands: [
            Command(
                "explain", summary: "Tell which routes an address could take, which it takes, and why.",
                discussion: """
                    The candidates in the order in which they are asked, why each of the others lost, and what the winner \
                    captures. No plugin's code runs. With --pattern it needs no sandbox: the patterns alone are asked, \
                    and --json prints which matches and what it captures.
                    """,
                arguments: [.required("URL", help: "The address.")],
                options: [
                    .value(
                        "pattern", short: "p", placeholder: "PATTERN", repeatable: true,
                        help: "Ask these patterns in place of the app's routes."),
                    .flag("external", help: "As a link from outside the app asks."),
                    .value("plugin", placeholder: "ID", help: "As the plugin with this identifier asks."),
                    .flag("object", help: "As one asks for an object, in place of opening."),
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
        return try PatternTrial(call.parsed.values("pattern"), text).answer(for: call.terminal)
    }
    let uri = try ResourceURI(text)
    let origin = try origin(of: call)
    let composed = try call.composition()
    let (router, _) = try await composed.connect(call.manager, to: PageStack())
    let kinds: Set<RouteKind> = call.parsed.flag("object") ? [.object] : [.page, .handler]
    let explanation = try await router.explain(uri, origin: origin, kinds: kinds)
    let absent = try composed.member(for: uri).flatMap { try call.manager.isAbsent($0) ? $0 : nil }
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
