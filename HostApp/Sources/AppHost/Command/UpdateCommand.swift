import Doctor
import PluginCatalog
import Registry
import Console
import PluginCore
import PluginRuntime

/// The `hostapp update` command.
let updateCommand = HostCommand(
    "update", summary: "Update plugins to the newest compatible versions.",
    discussion: """
        Plugins that are named are updated together or not at all. Without an identifier, all installed plugins are \
        updated, except those whose packages, or packages that they need, cannot be downloaded: these stay as they are, \
        are reported, and the exit status is that of the first failed download. The previous versions are kept as \
        rollback targets. A running host switches to the new versions without a restart; a version with a higher data \
        version is staged while the old one is in use, and becomes active when nothing uses it any longer. Pinned or rolled back plugins \
        stay within their limit; "hostapp unpin" removes it.
        """,
    arguments: [.repeated("ID", kind: .item(.installed), help: "The plugins' identifiers.")],
    options: [stageOption, noWayBackOption, dryRunOption],
    examples: [Example("hostapp update com.example.app.shop")]
) { call in
    let named = try call.installed(in: "ID")
    for identifier in named { _ = try call.manager.registry.requireInstalled(identifier) }
    let identifiers = named.isEmpty ? try call.manager.registry.active.identifiers() : named
    let isStaged = call.parsed.flag("stage")
    let isWayBackKept = !call.parsed.flag("no-way-back")
    if call.parsed.flag("dry-run") {
        let revoked = try await RevokedVersions(of: call.manager).preview()
        let requests = identifiers.map { InstallRequest.update($0, mayStay: named.isEmpty) }
        return try await call.manager.transactions.install.preview(requests, staging: isStaged).answer(revoked: revoked)
    }
    // A version that must not be used is replaced even if another plugin cannot be updated.
    let replacing = await attempt { try await RevokedVersions(of: call.manager).replace() }
    let result =
        named.isEmpty
        ? try await call.manager.transactions.install.update(
            identifiers, staging: isStaged, keepingWayBack: isWayBackKept)
        : UpdateResult(
            reports: try await call.manager.change(
                identifiers.map { .update($0) }, staging: isStaged, keepingWayBack: isWayBackKept))
    let replaced = try replacing.get()
    let reports = result.reports
    if !call.isJSON { for failure in result.failures { Failure(failure.error).note() } }
    let lines = try await call.manager.search { offers in
        try reports.map { try line(for: $0, in: result, offers, call.manager.registry) + $0.permissionLines }
    }
    return Answer(
        text: reports.isEmpty ? localized("Nothing is installed.\n") : replaced.text + lines.joined(),
        json: [
            "bundles": reports, "permissions": reports.permissionsJSON, "revoked": replaced,
            "failures": result.failures.map(\.failureJSON), "waiting": result.waiting.map(\.jsonMembers),
        ], status: result.failures.first?.error.exitStatus ?? .done)
}

extension SkippedVersion {
    /// The version that could not be downloaded or used, and why.
    var failureJSON: JSONMembers { identity.jsonMembers + ["problem": error.report.content] }
}

private func line(
    for report: InstallReport, in result: UpdateResult, _ offers: OfferedVersions, _ registry: Registry
) throws -> String {
    let identifier = report.bundle.identity.identifier
    let failed = result.failures.first { $0.identity.identifier == identifier }?.identity.version
    let waiting = result.waiting.first { $0.identifier == identifier }?.version
    let postponed =
        failed.map { localized("\($0) could not be downloaded") }
        ?? waiting.map { localized("\($0) needs a package that could not be downloaded") }
    guard report.isChange || report.isStaged else {
        if let postponed { return localized("\(report.bundle.identity) stays; \(postponed).\n") }
        return try stayingLine(for: report, offers, registry)
    }
    let identity = report.bundle.identity
    let change =
        if report.isStaged {
            stagedLine(for: report)
        } else if let before = report.before?.identity.version {
            localized("Updated \(identifier) from \(before) to \(identity.version).\n")
        } else {
            localized("Installed \(identity), which is now required.\n")
        }
    return change + (postponed.map { "  \($0).\n" } ?? "")
}

private func stayingLine(for report: InstallReport, _ offers: OfferedVersions, _ registry: Registry) throws -> String {
    let identity = report.bundle.identity
    if let useless = report.skippedVersions.first?.identity.version {
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
        return localized(
            "\(identity) stays: \(pin.words); \"hostapp unpin \(identity.identifier)\" removes the limit.\n")
    }
    return localized(
        "\(identity) stays; \"hostapp why \(identity.identifier)\" shows why \(newest) is not installed.\n")
}
