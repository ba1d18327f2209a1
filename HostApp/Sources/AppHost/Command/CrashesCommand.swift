import Console
import CrashReports
import HostSystem
import PluginCore
import PluginRuntime
import Registry

/// The `hostapp crashes` command.
let crashesCommand = HostCommand(
    description: Command(
        "crashes", summary: "List crashes and hangs, and show the stack.",
        discussion: """
            A crash or hang of a host, or of an extension or a plugin in a process of its own, leaves a report in the \
            sandbox. "hostapp gc" removes all but the newest 50 reports.
            """,
        examples: [Command.Example("hostapp crashes"), Command.Example("hostapp crashes show 1763936000-4711")],
        subcommands: [
            Command("list", summary: "List the reports, newest first."),
            Command(
                "show", summary: "Show a report with the stack.",
                discussion: """
                    The stack of a host that has crashed is the backtrace of the Swift runtime, and that of a host that hangs has \
                    addresses, which llvm-symbolizer or addr2line understands. If the variable SWIFT_BACKTRACE is set, Swift \
                    prints the backtrace as it says, and the report has none.
                    """,
                arguments: [
                    .optional("NAME", kind: .item(.crashReport), help: "The name of a report; without it, the newest.")
                ]),
            Command("clear", summary: "Remove all reports."),
        ],
        requiresSubcommand: false
    )
) { call in
    let reports = CrashReportFolder(call.manager.sandbox)
    switch call.parsed.path.last {
    case "show":
        let newest = try reports.all().first
        guard let name = call.parsed.argument("NAME") ?? newest?.name else { return list([], call) }
        return show(try reports.report(named: name))
    case "clear":
        let count = try reports.remove { _ in true }
        return Answer(
            text: count == 1 ? localized("1 report was removed.\n") : localized("\(count) reports were removed.\n"),
            json: ["removed": .integer(count)])
    default: return list(try reports.all(), call)
    }
}

@MainActor
private func list(_ reports: [RecordedCrash], _ call: HostCall) -> Answer {
    var table = Table([
        Table.Column("NAME"), Table.Column("WHEN"), Table.Column("WHAT"), Table.Column("PLUGIN"),
    ])
    for report in reports {
        table.add([printable(report.name), timestamp(report.at), report.event, report.bundle?.description ?? "-"])
    }
    return Answer(
        text: reports.isEmpty ? localized("Nothing has crashed.\n") : table.rendered(for: call.terminal),
        json: ["crashes": .array(reports.map { .object($0.facts) })])
}

private func show(_ report: RecordedCrash) -> Answer {
    let (event, time) = (report.event, timestamp(report.at))
    let heading =
        (report.thread == 0
            ? localized("\(report.name): \(event) in process \(report.process), at \(time)\n")
            : localized("\(report.name): \(event) in process \(report.process), thread \(report.thread), at \(time)\n"))
        + "\(report.owner)\n" + (report.deadline.map { localized("Reason: \($0.failureReason.sentence)\n") } ?? "")
        + "\n"
    let stack =
        report.stack.isEmpty
        ? localized("The stack is unknown.\n") : report.stack.map { printable($0) + "\n" }.joined()
    return Answer(text: heading + stack, json: .object(report.facts + [("stack", .strings(report.stack))]))
}

extension RecordedCrash {
    /// The signal's name, or that the thread has hung.
    fileprivate var event: String { signal.map(SignalName.name(of:)) ?? localized("hang") }

    /// The extension or plugin to which the crash belongs, as a line of text.
    fileprivate var owner: String {
        if let sender, bundle == sender.bundle {
            return localized(
                "Sender of the message that the host handled: \(sender.extension?.text ?? sender.bundle.description)")
        }
        if let identifier = purpose?.extension {
            return localized("Extension: \(identifier) of \(bundle?.description ?? "-")")
        }
        return bundle.map { localized("Plugin: \($0)") } ?? localized("Plugin: none has code on the stack")
    }

    fileprivate var facts: [(String, JSONText)] {
        [
            ("name", .string(name)), ("at", .string(timestamp(at))), ("event", .string(event)),
            ("signal", signal.map { .integer(Int($0)) } ?? .null),
            (
                "deadline",
                deadline.map { ["task": .string($0.phase.rawValue), "seconds": .number($0.seconds)] } ?? .null
            ),
            ("process", .integer(process)),
            ("thread", thread == 0 ? .null : .integer(thread)), ("bundle", .string(orNull: bundle?.description)),
            ("extension", .string(orNull: purpose?.extension?.text)),
        ]
    }
}
