import PluginCore
import Console
import CrashReports
import HostSystem
import Preflight
import Processes

/// The `hostapp crashes` command.
let crashesCommand = HostCommand("crashes", subcommands: [crashList, crashShow, crashClear], body: list)

@MainActor
private func list(_ call: HostCall) throws -> Answer {
    call.listing(
        try CrashReportFolder(call.sandbox).all(), as: "crashes", \.json, in: ["NAME", "WHEN", "WHAT", "PLUGIN"],
        otherwise: localized("Nothing has crashed.\n")
    ) { [printable($0.name), timestamp($0.at), $0.event, $0.bundle] }
}

extension RecordedCrash {
    /// The signal's name, or that the thread has hung.
    fileprivate var event: String { signal.map(SignalName.name(of:)) ?? localized("hang") }

    /// The extension or plugin to which the crash belongs, as a line of text.
    fileprivate var owner: String {
        if let sender, bundle == sender.bundle {
            return hostText("crashSender", sender.extension?.text ?? sender.bundle.description)
        }
        if let identifier = purpose?.extension {
            return localized("Extension: \(identifier) of \(bundle?.description ?? "-")")
        }
        return bundle.map { localized("Plugin: \($0)") } ?? localized("Plugin: none has code on the stack")
    }

    var json: JSONText {
        let limit = deadline.map { ["task": $0.phase.rawValue, "seconds": $0.seconds] as JSONText }
        return [
            "name": name, "at": timestamp(at), "event": event, "signal": signal.map { Int($0) }, "deadline": limit,
            "process": process, "thread": thread == 0 ? nil : thread, "bundle": bundle,
            "extension": purpose?.extension,
        ]
    }
}

extension RecordedCrash.Owner {
    fileprivate func words(in report: RecordedCrash) -> String {
        switch self {
        case .bundle(let identity, _): identity.description
        case .library(let path): path.lastComponent
        case .program: report.purpose == nil ? localized("the host's program") : "extension-runner"
        case .unknown: localized("no library")
        }
    }
}

private let crashList = HostCommand("list", body: list)

private let crashShow = HostCommand(
    "show", arguments: [.optional("NAME", kind: .host(.crashReport))],
    options: [.value("symbols", placeholder: "DIR", kind: .folder)]
) { call in
    let reports = CrashReportFolder(call.sandbox)
    let newest = try reports.all().first
    guard let name = call.parsed.argument("NAME") ?? newest?.name else { return try list(call) }
    let isFile = name.contains("/")
    let report = isFile ? try CrashReportFolder.report(at: call.resolve(name)) : try reports.report(named: name)
    let places = try call.value("symbols").map { text in
        let folder = try call.resolve(text)
        guard InputFile.isFolder(folder.appending(".build-id")) else {
            throw call.parsed.invalid("--symbols", text, [hostText("symbolsExpected")])
        }
        return try CrashSymbols(folder: folder, searchPath: call.environment.searchPath).places(of: report)
    }
    let symbols = try CallSymbols(of: report, in: call.sandbox, call.registry) {
        FunctionNames(ofLibrary: $0)?.function(at:)
    }
    var table = Table([.init("", .trailing), "OWNER", "CODE"])
    var calls: [JSONText] = []
    for (index, called) in report.calls.enumerated() {
        let place = places?[called]
        let function = symbols.function(of: called)
        let address = "0x" + String(called.address, radix: 16)
        let code =
            place.map { "\(printable($0.function))  \(printable($0.line))" }
            ?? function.map { "\(printable($0.name)) + \($0.offset)" } ?? address
        let owner = called.owner.words(in: report)
        table.add(["\(index)", printable(owner), code])
        calls.append([
            "owner": owner, "address": address, "library": symbols.library(of: called),
            "function": place?.function ?? function?.name, "offset": function.map { Int($0.offset) },
            "build": report.builds[called.owner],
            "line": place?.line,
        ])
    }
    let (event, time) = (report.event, timestamp(report.at))
    let heading =
        (report.thread == 0
            ? localized("\(report.name): \(event) in process \(report.process), at \(time)\n")
            : localized("\(report.name): \(event) in process \(report.process), thread \(report.thread), at \(time)\n"))
        + "\(report.owner)\n" + (report.deadline.map { localized("Reason: \($0.failureReason.sentence)\n") } ?? "")
        + "\n"
    let stack = call.text(of: table, otherwise: hostText("stackUnknown"))
    return Answer(text: heading + stack, json: report.json + ["calls": calls])
}

private let crashClear = HostCommand("clear") { call in
    let count = try CrashReportFolder(call.sandbox).remove { _ in true }
    return Answer(
        text: count == 1 ? localized("1 report was removed.\n") : localized("\(count) reports were removed.\n"),
        json: ["removed": count])
}
