import PluginRuntime
import Console
import PluginCore
import Registry
import Resolver

/// The `hostapp app` command.
let appCommand = HostCommand("app", subcommands: [appInstall, appLock, appUpdate, appStatus])

/// The option with another place of the lock.
private let lockOption = Command.Option.value("lock", placeholder: "FILE", kind: .file)

@MainActor
private func update(_ app: WholeApp) async throws -> Answer {
    let earlier = try app.lockPlace.read(for: app.app)
    return try await install(try await app.resolved(keeping: nil), of: app, after: earlier)
}

/// Installs the bundles of a lock, and writes it afterwards if it isn't the earlier one.
@MainActor
private func install(_ lock: AppLock, of app: WholeApp, after earlier: AppLock?) async throws -> Answer {
    let (call, isStaged) = (app.call, app.call.flag("stage"))
    let transaction = call.transactions.install
    if call.flag("dry-run") {
        let change = try await transaction.change(to: lock, staging: isStaged)
        let lines = change.steps.map { $0.line() }
        let unloadable = try app.unloadable(of: lock, besides: change.steps.map(\.identifier))
        return Answer(
            text: (lines.isEmpty ? localized("Nothing would change.\n") : lines.joined()) + unloadable.text,
            json: app.json(lock) + ["dryRun": true, "steps": change.steps.map(\.json), "unloadable": unloadable],
            status: unloadable.status(otherwise: .done))
    }
    let reports = try await transaction.run(lock, of: app.members, staging: isStaged)
    let isLocked = lock != earlier
    if isLocked { try lock.write(to: app.lockPlace.written) }
    let registry = call.registry
    let lines = try reports.map { try installedLine(for: $0, in: registry) + $0.permissionLines }
    let unchanged = reports.isEmpty ? localized("Nothing to install: \(lock.summary) is active.\n") : ""
    let unloadable = try app.unloadable(of: lock)
    return Answer(
        text: lines.joined() + unchanged
            + (isLocked ? localized("Locked \(lock.summary) in \(app.lockPlace.written).\n") : "") + unloadable.text,
        json: app.json(lock) + [
            "locked": isLocked, "bundles": reports.map(\.json), "permissions": reports.permissionsJSON,
            "unloadable": unloadable,
        ], status: unloadable.status(otherwise: .done))
}

/// The state of one bundle of an app: what bundle.json allows, the lock has, and the sandbox has.
private struct AppBundleStatus: JSONConvertible {
    let identifier: BundleIdentifier
    let allowed: [VersionRange]
    let locked: AppLock.Bundle?
    let active: PluginBundle?
    let staged: PluginBundle?

    /// The comparison of the locked version with the active one, or else with the staged one that takes its place at the next start.
    ///
    /// `unlocked` stands for a bundle of bundle.json that the lock does not have; `different` also for other content of the same version.
    var state: String {
        guard let locked else { return "unlocked" }
        guard let next = staged ?? active else { return "missing" }
        let isLocked = next.identity == locked.identity && next.digest == locked.digest
        return isLocked ? staged == nil ? "same" : "staged" : "different"
    }

    var allowedText: String { allowed.map(\.description).joined(separator: " ") }

    var json: JSONText {
        [
            "identifier": identifier, "allowed": allowed.isEmpty ? nil : allowedText,
            "locked": locked?.identity.version, "installed": active?.identity.version,
            "staged": staged?.identity.version, "state": state,
        ]
    }
}

private let appInstall = HostCommand("install", options: [lockOption, stageOption, dryRunOption]) { call in
    let app = try WholeApp(call)
    guard let lock = try app.lockPlace.read(for: app.app) else { return try await update(app) }
    let differences = lock.differences(from: app.app, app.members)
    guard differences.isEmpty else {
        throw AtriumError(.lockOutdated, app.lockPlace.found.string, problems: differences)
    }
    return try await install(lock, of: app, after: lock)
}

private let appLock = HostCommand("lock", options: [lockOption, .flag("update")]) { call in
    let app = try WholeApp(call)
    let earlier = try app.lockPlace.read(for: app.app)
    let lock = try await app.resolved(keeping: call.flag("update") ? nil : earlier)
    let isChange = lock != earlier
    if isChange { try lock.write(to: app.lockPlace.written) }
    let differences = lock.changes(from: earlier)
    return Answer(
        text: (isChange
            ? localized("Locked \(lock.summary) in \(app.lockPlace.written).\n")
            : localized("The lock is up to date: \(lock.summary) in \(app.lockPlace.written).\n"))
            + differences.map(\.line).joined(),
        json: app.json(lock) + ["changed": isChange, "changes": differences.map(\.json)])
}

private let appUpdate = HostCommand("update", options: [lockOption, stageOption, dryRunOption]) { call in
    try await update(WholeApp(call))
}

private let appStatus = HostCommand("status", options: [lockOption]) { call in
    let app = try WholeApp(call)
    let registry = call.registry
    let staged = try registry.staged.all()
    let lock = try app.lockPlace.read(for: app.app)
    var problems = lock?.differences(from: app.app, app.members) ?? [ErrorReason("noLock")]
    let identifiers = Set(app.members.map(\.identifier) + (lock?.bundles ?? []).map(\.identity.identifier)).sorted()
    let bundles = try identifiers.map { identifier in
        AppBundleStatus(
            identifier: identifier,
            allowed: app.members.filter { $0.identifier == identifier }.compactMap(\.versions),
            locked: lock?.bundle(identifier), active: try registry.active.bundle(identifier)?.active,
            staged: staged.first { $0.identity.identifier == identifier })
    }
    problems += bundles.compactMap { bundle in
        guard let active = bundle.active?.identity,
            let range = bundle.allowed.first(where: { !$0.contains(active.version) })
        else { return nil }
        return ErrorReason("activeOutsideRange", ["bundle": "\(active)", "range": "\(range)"])
    }
    let unloadable = try UnloadableVersions(app.call, of: identifiers, isApp: true)
    let isSame = problems.isEmpty && bundles.allSatisfy { $0.state == "same" }
    let rows = bundles.map { bundle in
        [
            bundle.identifier.text, bundle.allowed.isEmpty ? "*" : bundle.allowedText,
            bundle.locked?.identity.version.description ?? "-",
            (bundle.staged ?? bundle.active)?.identity.version.description ?? "-",
            localized(key: bundle.state),
        ]
    }
    let table = call.text(of: Table(["IDENTIFIER", "ALLOWED", "LOCKED", "INSTALLED", "STATE"], rows: rows))
    let name = printable(app.app.name) + (app.app.version.map { " \($0)" } ?? "")
    let lines = problems.map { localized("\(printable($0.sentence)).\n") }.joined()
    return Answer(
        text: table + (table.isEmpty ? "" : "\n") + lines
            + (isSame
                ? localized("\(name) is installed as it is locked.\n")
                : localized(
                    "\(name) differs; \"hostapp app install\" installs what is locked, \"hostapp app lock\" locks "
                        + "what bundle.json allows.\n")) + unloadable.text,
        json: [
            "name": app.app.name, "version": app.app.version, "lock": lock == nil ? nil : app.lockPlace.found,
            "same": isSame, "problems": problems.map(\.sentence), "bundles": bundles, "unloadable": unloadable,
        ],
        status: unloadable.status(otherwise: isSame ? .done : .different))
}
