import Registry
import Console
import PluginCore
import PluginRuntime

/// The `hostapp gc` command.
let gcCommand = HostCommand(
    description: Command(
        "gc", summary: "Remove versions and remains that nothing needs any more.",
        discussion: """
            What is active, what can be rolled back to and what is staged stays, and so does what a running host uses. \
            Plugins' data is not touched. Plugins that came along with others and that nothing needs any more are named; \
            "hostapp autoremove" removes them.
            """,
        examples: [Command.Example("hostapp gc")]
    )
) { call in
    let report = try await call.manager.collectGarbage()
    var text = report.removed.map { "Removed \($0.string).\n" }.joined()
    text += report.inUse.map { "Left \($0.string), which a running host uses.\n" }.joined()
    let unneeded = try call.manager.unneeded().map(\.identity)
    text += unneeded.map { "\($0) came along with others, and nothing needs it any more.\n" }.joined()
    if !unneeded.isEmpty { text += "\"hostapp autoremove\" removes what nothing needs.\n" }
    text += "\(byteCount(Int(report.freed))) freed.\n"
    return Answer(
        text: text,
        json: [
            "removed": .strings(report.removed.map(\.string)), "inUse": .strings(report.inUse.map(\.string)),
            "unneeded": .strings(unneeded.map(\.description)), "freed": .integer(Int(report.freed)),
        ]
    )
}
