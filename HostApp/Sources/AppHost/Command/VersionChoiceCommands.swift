import Console
import Doctor
import PluginCore
import PluginRuntime
import Registry

/// The `hostapp pin` command.
let pinCommand = HostCommand("pin", arguments: [.required("ID[@RANGE]", kind: .host(.installedVersion))]) { call in
    let (word, range) = try call.bundle(
        call.argument("ID[@RANGE]"), as: "ID[@RANGE]",
        localized("an identifier, or identifier and range such as com.example.app.shop@^1.0.0")
    ) { VersionRange($0) }
    let identifier = try call.installed(word)
    let (pin, unstaged) = try await call.transactions.pins.pin(identifier, to: range)
    let active = try call.registry.requireInstalled(identifier).active.identity.version
    var text = localized("\(identifier) is pinned to \(pin.versions?.description ?? "-")")
    if pin.versions?.contains(active) == false {
        text += localized("; \(active), the active version, is not in that range")
    }
    if let unstaged { text += localized("; \(unstaged.identity.version) is no longer staged") }
    return Answer(
        text: text + ".\n",
        json: [
            "identifier": identifier, "version": active, "pin": pin.json,
            "unstaged": unstaged?.identity.version,
        ])
}

/// The `hostapp unpin` command.
let unpinCommand = HostCommand("unpin", arguments: [.required("ID", kind: .host(.pinned))]) { call in
    let identifier = try call.installed(call.argument("ID"))
    let pin = try await call.transactions.pins.unpin(identifier)
    return Answer(
        text: pin.map { localized("\(identifier) is no longer pinned; before, \($0.words).\n") }
            ?? localized("\(identifier) is not pinned.\n"),
        json: ["identifier": identifier, "pin": pin?.json])
}

extension VersionPin {
    /// The limit as people read it, such as "it is pinned to ^1.0.0".
    var words: String { reason?.sentence ?? "" }

    var json: JSONText {
        ["versions": versions?.description, "skippedThrough": skippedThrough]
    }
}

/// The `hostapp rollback` command.
let rollbackCommand = HostCommand("rollback", arguments: [.repeated("ID", atLeastOne: true, kind: .host(.installed))]) {
    call in
    let identifiers = try call.installed(in: "ID")
    let reports = try await call.transactions.rollback.run(identifiers)
    let lines = try reports.map { report in
        try line(for: report, call.registry.notes.notes(about: report.bundle.identity.identifier).pin)
    }
    return Answer(text: lines.joined(), json: reports.json(single: identifiers.count == 1))
}

private func line(for report: InstallReport, _ pin: VersionPin?) -> String {
    let before = report.before?.identity.version.description ?? "-"
    let identity = report.bundle.identity
    let end = pin?.skippedThrough.map {
        localized(
            " It stays there until a version newer than \($0) is available, or \"hostapp unpin \(identity.identifier)\"."
        )
    }
    return localized("Rolled \(identity.identifier) back from \(before) to \(identity.version).\(end ?? "")\n")
}

/// The `hostapp unblock` command.
let unblockCommand = HostCommand("unblock", arguments: [.required("ID[@VERSION]", kind: .host(.blocked))]) { call in
    let (word, version) = try call.bundle(
        call.argument("ID[@VERSION]"), as: "ID[@VERSION]",
        localized("an identifier, or identifier and version such as com.example.app.shop@1.0.0")
    ) { SemanticVersion($0) }
    guard let identifier = BundleIdentifier(word) else {
        let known = Set(try call.registry.quarantine.all().map(\.identity.identifier)).sorted()
        throw AtriumError(.nothingToUnblock, word, nearest: Nearest.identifiers(to: word, in: known))
    }
    let unblocked = try await call.transactions.quarantine.unblock(identifier, version: version)
    return Answer(
        text: unblocked.map { localized("\($0.identity) is no longer blocked; it \(printable($0.reason.sentence)).\n") }
            .joined(),
        json: ["unblocked": unblocked.map(\.json)])
}

extension QuarantinedVersion {
    var json: JSONText {
        identity.jsonObject + ["sealSHA256": digest, "reason": reason.sentence, "at": timestamp(at)]
    }
}
