import Console
import PluginCore
import PluginRuntime

/// The `hostapp app` command.
let appCommand = HostCommand(
    description: Command(
        "app", summary: "Install and update the app as a whole, the same on every machine.",
        discussion: """
            The app is what bundle.json names: its bundles, their allowed versions, and its theme. Its lock, bundle.lock, \
            contains the version and the content of each of these bundles and of all bundles that they require. Check the \
            lock in, and "hostapp app install" makes the same app of it on every machine.

            The lock lies beside bundle.json, or in the sandbox if that folder cannot be written or belongs to installed \
            software, or if bundle.json comes from a catalog. Bundles that do not belong to the app are not changed.
            """,
        examples: [
            Command.Example("hostapp app install", "install the locked versions, or lock and install the newest"),
            Command.Example("hostapp app update --dry-run", "show what an update of the app would change"),
            Command.Example("hostapp app status --json", "for a script"),
        ],
        subcommands: [
            Command(
                "install", summary: "Install exactly the versions of the lock.",
                discussion: """
                    All bundles are installed in one transaction: after an interruption, either all previous versions or all \
                    new ones are active. Without a lock, the newest versions that bundle.json allows are installed, and \
                    locked afterwards. A lock that does not fit bundle.json is an error, and so is a package with other \
                    content than the locked one. Exits with status 77 if this host cannot load what is active then.
                    """,
                options: [lockOption, stageOption, dryRunOption],
                examples: [Command.Example("hostapp app install --composition app/bundle.json")]),
            Command(
                "lock", summary: "Choose the versions of the app and write the lock; nothing is installed.",
                discussion: """
                    Versions of an earlier lock are kept where they still fit bundle.json. Bundles that no catalog has are \
                    named, all of them at once.
                    """,
                options: [
                    lockOption, .flag("update", help: "Choose the newest versions, whatever was locked before."),
                ],
                examples: [Command.Example("hostapp app lock", "after a change of bundle.json")]),
            Command(
                "update", summary: "Install the newest versions that bundle.json allows, and lock them.",
                discussion: """
                    All bundles are updated in one transaction. The lock is replaced afterwards, so that an update that fails \
                    leaves app and lock as they were.
                    """,
                options: [lockOption, stageOption, dryRunOption],
                examples: [Command.Example("hostapp app update")]),
            Command(
                "status", summary: "Compare bundle.json, the lock and the installed versions.",
                discussion: """
                    Exits with status 1 if they differ, and with 77 if this host cannot load an active version.
                    """,
                options: [lockOption], examples: [Command.Example("hostapp app status --json", "for a script")]),
        ]
    )
) { call in
    let app = try WholeApp(call)
    switch call.parsed.path.last {
    case "install": return try await install(app)
    case "lock": return try await lock(app)
    case "update": return try await update(app)
    default: return try status(of: app)
    }
}

/// The option with another place of the lock.
private let lockOption = Command.Option.value(
    "lock", placeholder: "FILE", kind: .file,
    help: "The lock; by default bundle.lock beside bundle.json, or in the sandbox.")

@MainActor
private func lock(_ app: WholeApp) async throws -> Answer {
    let earlier = try app.lockPlace.read(for: app.app)
    let lock = try await app.resolved(keeping: app.call.parsed.flag("update") ? nil : earlier)
    let isChange = lock != earlier
    if isChange { try lock.write(to: app.lockPlace.written) }
    let differences = lock.changes(from: earlier)
    return Answer(
        text: (isChange
            ? localized("Locked \(lock.summary) in \(app.lockPlace.written).\n")
            : localized("The lock is up to date: \(lock.summary) in \(app.lockPlace.written).\n"))
            + differences.map(\.line).joined(),
        json: .object(
            app.jsonMembers(lock) + [("changed", .bool(isChange)), ("changes", .array(differences.map(\.json)))]))
}

@MainActor
private func install(_ app: WholeApp) async throws -> Answer {
    guard let lock = try app.lockPlace.read(for: app.app) else {
        return try await install(try await app.resolved(keeping: nil), of: app, after: nil)
    }
    let differences = lock.differences(from: app.app, app.members)
    guard differences.isEmpty else {
        throw AtriumError(.lockOutdated, app.lockPlace.found.string, problems: differences)
    }
    return try await install(lock, of: app, after: lock)
}

@MainActor
private func update(_ app: WholeApp) async throws -> Answer {
    let earlier = try app.lockPlace.read(for: app.app)
    return try await install(try await app.resolved(keeping: nil), of: app, after: earlier)
}

/// Installs the bundles of a lock, and writes it afterwards if it isn't the earlier one.
@MainActor
private func install(_ lock: AppLock, of app: WholeApp, after earlier: AppLock?) async throws -> Answer {
    let (call, isStaged) = (app.call, app.call.parsed.flag("stage"))
    let transaction = call.manager.transactions.install
    if call.parsed.flag("dry-run") {
        let change = try await transaction.change(to: lock, of: app.members, staging: isStaged)
        let lines = change.steps.map { step in
            let to = step.to?.description ?? "-"
            guard let from = step.from else { return localized("Would install \(step.identifier)@\(to).\n") }
            return localized("Would update \(step.identifier) from \(from) to \(to).\n")
        }
        let steps = change.steps.map { step -> JSONText in
            [
                "identifier": .string(step.identifier.text), "from": .string(orNull: step.from?.description),
                "to": .string(orNull: step.to?.description),
            ]
        }
        let unloadable = try app.unloadable(of: lock, besides: change.steps.map(\.identifier))
        return Answer(
            text: (lines.isEmpty ? localized("Nothing would change.\n") : lines.joined()) + unloadable.text,
            json: .object(
                app.jsonMembers(lock) + [
                    ("dryRun", true), ("steps", .array(steps)), ("unloadable", unloadable.json),
                ]), status: unloadable.status(otherwise: .done))
    }
    let reports = try await transaction.run(lock, of: app.members, staging: isStaged)
    let isLocked = lock != earlier
    if isLocked { try lock.write(to: app.lockPlace.written) }
    let registry = call.manager.registry
    let lines = try reports.map { try installedLine(for: $0, in: registry) + $0.permissionLines }
    let unchanged = reports.isEmpty ? localized("Nothing to install: \(lock.summary) is active.\n") : ""
    let unloadable = try app.unloadable(of: lock)
    return Answer(
        text: lines.joined() + unchanged
            + (isLocked ? localized("Locked \(lock.summary) in \(app.lockPlace.written).\n") : "") + unloadable.text,
        json: .object(
            app.jsonMembers(lock) + [
                ("locked", .bool(isLocked)), ("bundles", .array(reports.map(\.json))),
                ("permissions", reports.permissionsJSON), ("unloadable", unloadable.json),
            ]), status: unloadable.status(otherwise: .done))
}
