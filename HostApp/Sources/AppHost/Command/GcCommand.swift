import Registry
import Console
import CrashReports
import PluginCore
import PluginRuntime

/// The `hostapp gc` command.
let gcCommand = HostCommand(
    description: Command(
        "gc", summary: "Remove versions and leftovers that are no longer needed.",
        discussion: """
            Keeps active and staged versions, rollback targets, and whatever a running host uses. Of plugins' data, only data \
            versions are removed that none of the kept versions has, and never the one that was used last. Lists plugins that \
            were installed only as requirements and are no longer needed; "hostapp autoremove" removes them.
            """,
        options: [
            .flag("data", help: "Also remove newer data that was set aside because older data was used since.")
        ],
        examples: [Command.Example("hostapp gc")]
    )
) { call in
    let report = try await call.manager.transactions.maintenance.collectGarbage(withKeptData: call.parsed.flag("data"))
    var text = report.removed.map { localized("Removed \($0.string).\n") }.joined()
    text += report.inUse.map { localized("Kept \($0.string), which a running host uses.\n") }.joined()
    try CrashReportFolder(call.manager.sandbox).trim()
    let unneeded = try call.manager.transactions.uninstall.unneeded().map(\.identity)
    text += unneeded.map { localized("\($0) was installed as a requirement, and is no longer needed.\n") }.joined()
    if !unneeded.isEmpty { text += localized("\"hostapp autoremove\" removes such plugins.\n") }
    text += localized("\(byteCount(Int(report.freed))) freed.\n")
    return Answer(
        text: text,
        json: [
            "removed": .strings(report.removed.map(\.string)), "inUse": .strings(report.inUse.map(\.string)),
            "unneeded": .strings(unneeded.map(\.description)), "freed": .integer(Int(report.freed)),
        ]
    )
}
