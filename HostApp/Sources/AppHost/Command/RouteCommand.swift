import Console
import PluginCore
import PluginRuntime

/// `hostapp route`
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
                        help: "Ask these patterns in place of the app's routes.")
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
        return try PatternTrial(call.parsed.values("pattern"), text).answer(for: call.terminal)
    }
    throw AtriumError(.routeUnknown, text)
}
