import Console
import Doctor
import PluginCore
import PluginRuntime
import Registry

/// The `hostapp outdated` command.
let outdatedCommand = HostCommand(
    "outdated", summary: "List available updates, and what prevents them.",
    discussion: """
        For each installed plugin, lists the newest version compatible with the others, the newest available \
        version, and why they differ. Exits with status 77 if this host cannot load an installed plugin; with --check, \
        with status 1 if an update is available.
        """,
    arguments: [
        .repeated("ID", kind: .item(.installed), help: "The plugins' identifiers; by default all installed plugins.")
    ],
    options: [.flag("check", help: "Exit with status 1 if an update is available.")],
    examples: [Example("hostapp outdated"), Example("hostapp outdated --check --json", "for a script")]
) { call in
    let identifiers = try call.installed(in: "ID")
    let updateReports = try await call.manager.search { try $0.updateReports(of: identifiers) }
    let unknown = updateReports.first { !$0.isKnown }?.obstacle
    var status = Console.ExitStatus.done
    if call.parsed.flag("check") {
        status = unknown?.exitStatus ?? (updateReports.contains(where: \.isOutdated) ? .different : .done)
    }
    let unloadable = try UnloadableVersions(call, of: updateReports.map(\.active.identity.identifier), isApp: false)
    return Answer(
        text: text(of: updateReports, unknown: unknown, for: call.terminal) + unloadable.text,
        json: [
            "bundles": updateReports, "unloadable": unloadable, "isKnown": unknown == nil,
            "problem": unknown?.report.content,
        ], status: unloadable.status(otherwise: status))
}

private func text(of reports: [UpdateReport], unknown: AtriumError?, for terminal: Terminal) -> String {
    guard !reports.isEmpty else { return localized("Nothing is installed.\n") }
    var table = Table(["NAME", "IDENTIFIER", "VERSION", "UPDATE", "NEWEST"])
    var lines = ""
    for report in reports {
        let (active, otherwise) = (report.active.identity, report.isKnown ? "-" : "?")
        let update = report.isOutdated ? report.reachable?.description : nil
        table.add([
            report.active.name, active.identifier.text, active.version.description, update ?? otherwise,
            report.newest?.description ?? otherwise,
        ])
        guard report.isKnown, let obstacle = report.obstacle?.report, let newest = report.newest else { continue }
        let identity = BundleIdentity(identifier: active.identifier, version: newest)
        lines += localized("\n\(identity) cannot be installed: \(printable(obstacle.message))\n") + obstacle.detailLines
    }
    if let unknown { lines += localized("\nNewer versions are unknown: \(printable(unknown.report.message))\n") }
    return table.rendered(for: terminal) + lines
}

extension FailureReport {
    /// The details as a list.
    fileprivate var detailLines: String { details.map { "  - \(printable($0))\n" }.joined() }
}

extension UpdateReport: JSONObjectConvertible {
    var jsonMembers: JSONMembers {
        ["name": active.name] + active.identity.jsonMembers + [
            "update": isOutdated ? reachable : nil, "newest": newest,
            "isOutdated": isKnown || isOutdated ? isOutdated : nil, "obstacle": obstacle?.report.content, "pin": pin,
        ]
    }
}

/// The active versions that this host cannot load, which every command about their state reports.
struct UnloadableVersions: JSONConvertible {
    private let found: [(bundle: PluginBundle, reason: AtriumError)]
    private let isApp: Bool

    /// Checks the active versions of a call's sandbox.
    ///
    /// - Parameters:
    ///   - identifiers: the bundles that the command is about.
    ///   - isApp: `true` if they are those of the app, which are updated together.
    /// - Throws: as `BundleManager.unloadable()`.
    @MainActor
    init(_ call: HostCall, of identifiers: some Sequence<BundleIdentifier>, isApp: Bool) throws(AtriumError) {
        self.isApp = isApp
        // Staged versions take their place at the next start.
        let staged = try call.manager.registry.staged.all().map(\.identity.identifier)
        let meant = Set(identifiers).subtracting(staged)
        found = try call.manager.unloadable().filter { meant.contains($0.bundle.identity.identifier) }
    }

    /// Returns the exit status of a command that has ended with another one otherwise.
    func status(otherwise status: ExitStatus) -> ExitStatus { found.isEmpty ? status : .refused }

    /// The versions with the reasons and a remedy; empty if there are none.
    var text: String {
        guard !found.isEmpty else { return "" }
        return found.map(\.reason.report).map { "\n\(printable($0.message))\n\($0.detailLines)" }.joined()
            + (isApp
                ? localized(
                    "\nThis host cannot load what is named above. \"hostapp app update\" installs versions for it if the "
                        + "catalog has them; otherwise their authors must build them.\n")
                : localized(
                    "\nThis host cannot load what is named above. \"hostapp update\" installs versions for it if the "
                        + "catalog has them; otherwise their authors must build them.\n"))
    }

    /// The versions with the reasons, for scripts.
    var json: JSONText { found.map { $0.bundle.jsonMembers + ["problem": $0.reason.report.content] }.json }
}
