import Console
import Doctor
import PluginCatalog
import PluginCore
import PluginRuntime
import Preflight
import Registry

/// The `hostapp update` command.
let updateCommand = HostCommand(
    "update", arguments: [.repeated("ID", kind: .host(.installed))],
    options: [.flag("stage"), .flag("no-way-back"), .flag("dry-run")]
) { call in
    let named = try call.installed(in: "ID")
    for identifier in named { _ = try call.registry.requireInstalled(identifier) }
    let identifiers = named.isEmpty ? try call.registry.active.identifiers() : named
    let isStaged = call.flag("stage")
    if call.flag("dry-run") {
        let revoked = try await RevokedVersions(of: call.manager).preview()
        let requests = identifiers.map { ChangeRequest.update($0, mayStay: named.isEmpty) }
        return try await call.transactions.install.preview(requests, staging: isStaged).answer(revoked: revoked)
    }
    // A version that must not be used is replaced even if another plugin cannot be updated.
    let replacing = await attempt { try await RevokedVersions(of: call.manager).replace() }
    let result = try await call.transactions.install.update(
        identifiers, completely: !named.isEmpty, staging: isStaged, keepingWayBack: !call.flag("no-way-back"))
    let replaced = try replacing.get()
    let reports = result.reports
    if !call.isJSON { for failure in result.failures { Failure(failure.error).note() } }
    let lines = try await call.manager.search { offers in
        try reports.map { try line(for: $0, in: result, offers, call.registry) + $0.permissionLines }
    }
    return Answer(
        text: reports.isEmpty ? localized("Nothing is installed.\n") : replaced.text + lines.joined(),
        json: [
            "bundles": reports.map(\.json), "permissions": reports.permissionsJSON, "revoked": replaced.map(\.json),
            "failures": result.failures.map(\.failureJSON), "waiting": result.waiting.map(\.json),
        ], status: result.failures.first?.error.exitStatus ?? .done)
}

extension SkippedVersion {
    /// The version that could not be downloaded or used, and why.
    var failureJSON: JSONText { identity.jsonObject + ["problem": error.report.content] }
}

private func line(
    for report: InstallReport, in result: UpdateResult, _ offers: OfferedVersions, _ registry: Registry
) throws -> String {
    let identifier = report.identifier
    let failed = result.failures.first { $0.identifier == identifier }?.version
    let waiting = result.waiting.first { $0.identifier == identifier }?.version
    let postponed =
        failed.map {
            $0 == report.identity.version
                ? localized("it still has the libraries for another host") : localized("\($0) could not be downloaded")
        }
        ?? waiting.map { hostText("needsUnfetched", $0) }
    guard report.isChange || report.isStaged else {
        if let postponed { return localized("\(report.identity) stays; \(postponed).\n") }
        return try stayingLine(for: report, offers, registry)
    }
    let identity = report.identity
    let change =
        if report.isStaged {
            stagedLine(for: report)
        } else if report.isRepaired {
            localized("\(identity) now has the libraries for this host.\n")
        } else if let before = report.before?.version {
            localized("Updated \(identifier) from \(before) to \(identity.version).\n")
        } else {
            localized("Installed \(identity), which is now required.\n")
        }
    return change + (postponed.map { "  \($0).\n" } ?? "")
}

private func stayingLine(for report: InstallReport, _ offers: OfferedVersions, _ registry: Registry) throws -> String {
    let identity = report.identity
    if let useless = report.skippedVersions.first?.version {
        return localized("\(identity) stays; the package of \(useless) is not usable.\n")
    }
    let offered = (try? offers.catalog.versions(of: identity.identifier)) ?? []
    let newest = offered.filter { $0.isForAnybody(after: identity.version, among: offered) }.max()
    guard let newest, newest > identity.version else {
        guard let other = try offers.otherContent(of: report.bundle) else {
            return localized("\(identity) is the newest.\n")
        }
        return localized("\(identity) stays; \(printable(other.report.message)); \(other.report.remedy ?? "").\n")
    }
    if let pin = try registry.notes.notes(about: identity.identifier).pin, pin.excludes(newest) {
        return hostText("staysPinned", identity, pin.words, identity.identifier)
    }
    return hostText("staysUnexplained", identity, identity.identifier, newest)
}

/// The `hostapp outdated` command.
let outdatedCommand = HostCommand(
    "outdated", arguments: [.repeated("ID", kind: .host(.installed))],
    options: [.flag("check"), .value("for-host", placeholder: "FILE", kind: .file)]
) { call in
    let identifiers = try call.installed(in: "ID")
    if let file = try call.value("for-host").map(call.resolve) {
        if call.flag("check") { throw call.parsed.conflict("for-host", "check") }
        let host = try HostDescription(reading: InputFile.content(of: file), of: file.string)
        return try await call.manager.search { try call.answer(about: host, identifiers, $0) }
    }
    let reports = try await call.manager.search { try $0.updateReports(of: identifiers) }
    let unknown = reports.first { !$0.isKnown }?.obstacle
    var status = ExitStatus.done
    if call.flag("check") {
        status = unknown?.exitStatus ?? (reports.contains(where: \.isOutdated) ? .different : .done)
    }
    let unloadable = try UnloadableVersions(call, of: reports.map(\.active.identifier), isApp: false)
    return Answer(
        text: text(of: reports, unknown: unknown, for: call.terminal) + unloadable.text,
        json: [
            "bundles": reports.map(\.json), "unloadable": unloadable, "isKnown": unknown == nil,
            "problem": unknown?.report.content,
        ], status: unloadable.status(otherwise: status))
}

private func text(of reports: [UpdateReport], unknown: AtriumError?, for terminal: Terminal) -> String {
    guard !reports.isEmpty else { return localized("Nothing is installed.\n") }
    var table = Table(["NAME", "IDENTIFIER", "VERSION", "UPDATE", "NEWEST"])
    var lines = ""
    for report in reports {
        let (active, otherwise) = (report.active.identity, report.isKnown ? nil : "?")
        let update = report.isOutdated ? report.reachable : nil
        table.add([
            report.active.name, active.identifier, active.version, update ?? otherwise, report.newest ?? otherwise,
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

extension UpdateReport {
    var json: JSONText {
        ["name": active.name] + active.identity.jsonObject + [
            "update": isOutdated ? reachable : nil, "newest": newest,
            "isOutdated": isKnown || isOutdated ? isOutdated : nil, "obstacle": obstacle?.report.content,
            "pin": pin?.json,
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
    /// - Throws: as `Host.unloadable()`.
    @MainActor
    init(_ call: HostCall, of identifiers: some Sequence<BundleIdentifier>, isApp: Bool) throws(AtriumError) {
        self.isApp = isApp
        // Staged versions take their place at the next start.
        let staged = try call.registry.staged.all().map(\.identifier)
        let meant = Set(identifiers).subtracting(staged)
        found = try call.manager.unloadable().filter { meant.contains($0.bundle.identifier) }
    }

    /// Returns the exit status of a command that has ended with another one otherwise.
    func status(otherwise status: ExitStatus) -> ExitStatus { found.isEmpty ? status : .refused }

    /// The versions with the reasons and a remedy; empty if there are none.
    var text: String {
        guard !found.isEmpty else { return "" }
        let app = isApp ? "app " : ""
        return found.map(\.reason.report).map { "\n\(printable($0.message))\n\($0.detailLines)" }.joined()
            + hostText("unloadable", app)
    }

    /// The versions with the reasons, for scripts.
    var json: JSONText { found.map { $0.bundle.json + ["problem": $0.reason.report.content] }.json }
}
