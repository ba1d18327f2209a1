import Console
import PluginCore
import PluginRuntime
import Registry

/// The `hostapp pin` command.
let pinCommand = HostCommand(
    "pin", summary: "Keep a plugin at its version, or within a range of versions.",
    discussion: """
        Updates, installs and requirements of other plugins cannot move it out of the range; a version that \
        crashes the host is still replaced by the previous one. A rollback also pins a plugin, until a version \
        newer than the one it was rolled back from is available. "hostapp unpin" removes both limits.
        """,
    arguments: [
        .required(
            "ID[@RANGE]", kind: .host(.installedVersion),
            help: "The plugin's identifier; with a range such as ^1.2.0, or \">=1.2.0 <2.0.0\".")
    ],
    examples: [
        Example("hostapp pin com.example.app.shop", "stay at the active version"),
        Example("hostapp pin com.example.app.shop@^1.0.0", "take updates below 2.0.0"),
    ]
) { call in
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
            "identifier": identifier, "version": active, "pin": pin,
            "unstaged": unstaged?.identity.version,
        ])
}

/// The `hostapp unpin` command.
let unpinCommand = HostCommand(
    "unpin", summary: "Remove the pin or rollback limit of a plugin.",
    arguments: [.required("ID", kind: .host(.pinned), help: "The plugin's identifier.")],
    examples: [Example("hostapp unpin com.example.app.shop")]
) { call in
    let identifier = try call.installed(call.argument("ID"))
    let pin = try await call.transactions.pins.unpin(identifier)
    return Answer(
        text: pin.map { localized("\(identifier) is no longer pinned; before, \($0.words).\n") }
            ?? localized("\(identifier) is not pinned.\n"),
        json: ["identifier": identifier, "pin": pin])
}

extension VersionPin: JSONObject {
    /// The limit as people read it, such as "it is pinned to ^1.0.0".
    var words: String { reason?.sentence ?? "" }

    var jsonMembers: JSONMembers {
        ["versions": versions?.description, "skippedThrough": skippedThrough]
    }
}

/// The `hostapp rollback` command.
let rollbackCommand = HostCommand(
    "rollback", summary: "Return plugins to their previous versions.",
    discussion: """
        Takes effect at once, because the previous versions are still installed; several plugins are rolled back \
        together or not at all. A version with another data version starts when the open pages of the newer one are \
        closed. The bundle that contains bundle.json takes its members along. The replaced versions are kept: another rollback returns to them. An update does \
        not: each plugin stays until a version newer than the one it was rolled back from is available, or until \
        "hostapp unpin".
        """,
    arguments: [.repeated("ID", atLeastOne: true, kind: .host(.installed), help: "The plugins' identifiers.")],
    examples: [Example("hostapp rollback com.example.app.shop")]
) { call in
    let identifiers = try call.installed(in: "ID")
    let reports = try await call.transactions.rollback.run(identifiers)
    let lines = try reports.map { report in
        try line(for: report, call.registry.notes.notes(about: report.bundle.identity.identifier).pin)
    }
    return Answer(text: lines.joined(), json: reports.jsonMembers(single: identifiers.count == 1))
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
let unblockCommand = HostCommand(
    "unblock", summary: "Allow versions again that crashed or hung the host.",
    discussion: """
        A version that crashed or hung the host is quarantined, and its content is blocked: it is neither \
        installed nor loaded again. The same version with different content is not blocked, and "hostapp \
        uninstall" also removes the blocks of a plugin. "hostapp doctor" lists what is blocked.
        """,
    arguments: [
        .required(
            "ID[@VERSION]", kind: .host(.blocked), help: "The plugin's identifier; with a version, that version alone.")
    ],
    examples: [Example("hostapp unblock com.example.app.shop"), Example("hostapp unblock com.example.app.shop@1.0.0")]
) { call in
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
        json: ["unblocked": unblocked])
}

extension QuarantinedVersion: JSONObject {
    var jsonMembers: JSONMembers {
        identity.jsonMembers + ["sealSHA256": digest, "reason": reason, "at": timestamp(at)]
    }
}
