import Console
import HostSystem
import PluginCore
import PluginRuntime
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
    let locked = try app.write(lock, after: earlier)
    let lines = try reports.map { try installedLine(for: $0, in: call.registry) + $0.permissionLines }
    let unchanged = reports.isEmpty ? localized("Nothing to install: \(lock.summary) is active.\n") : ""
    let unloadable = try app.unloadable(of: lock)
    return Answer(
        text: lines.joined() + unchanged + (locked ?? "") + unloadable.text,
        json: app.json(lock) + [
            "locked": locked != nil, "bundles": reports.map(\.json), "permissions": reports.permissionsJSON,
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

    var allowedText: String? { allowed.isEmpty ? nil : allowed.map(\.description).joined(separator: " ") }

    var json: JSONText {
        [
            "identifier": identifier, "allowed": allowedText,
            "locked": locked?.version, "installed": active?.version,
            "staged": staged?.version, "state": state,
        ]
    }
}

private let appInstall = HostCommand("install", options: [lockOption, .flag("stage"), .flag("dry-run")]) { call in
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
    let locked = try app.write(lock, after: earlier)
    let kept = localized("The lock is up to date: \(lock.summary) in \(app.lockPlace.written).\n")
    let differences = lock.changes(from: earlier)
    return Answer(
        text: (locked ?? kept) + differences.map(\.line).joined(),
        json: app.json(lock) + ["changed": locked != nil, "changes": differences.map(\.json)])
}

private let appUpdate = HostCommand("update", options: [lockOption, .flag("stage"), .flag("dry-run")]) {
    try await update(WholeApp($0))
}

private let appStatus = HostCommand("status", options: [lockOption]) { call in
    let app = try WholeApp(call)
    let registry = call.registry
    let staged = try registry.staged.all()
    let lock = try app.lockPlace.read(for: app.app)
    var problems = lock?.differences(from: app.app, app.members) ?? [ErrorReason("noLock")]
    let identifiers = Set(app.members.map(\.identifier) + (lock?.bundles ?? []).map(\.identifier)).sorted()
    let bundles = try identifiers.map { identifier in
        AppBundleStatus(
            identifier: identifier,
            allowed: app.members.filter { $0.identifier == identifier }.compactMap(\.versions),
            locked: lock?.bundle(identifier), active: try registry.active.bundle(identifier)?.active,
            staged: staged.first { $0.identifier == identifier })
    }
    problems += bundles.compactMap { bundle in
        guard let active = bundle.active?.identity,
            let range = bundle.allowed.first(where: { !$0.contains(active.version) })
        else { return nil }
        return ErrorReason("activeOutsideRange", ["bundle": "\(active)", "range": "\(range)"])
    }
    let unloadable = try UnloadableVersions(app.call, of: identifiers, isApp: true)
    let isSame = problems.isEmpty && bundles.allSatisfy { $0.state == "same" }
    let table = call.text(
        of: Table(
            ["IDENTIFIER", "ALLOWED", "LOCKED", "INSTALLED", "STATE"],
            rows: bundles.map {
                [
                    $0.identifier, $0.allowedText ?? "*", $0.locked?.version, ($0.staged ?? $0.active)?.version,
                    localized(key: $0.state),
                ]
            }))
    let name = app.app.title
    let lines = problems.map { localized("\(printable($0.sentence)).\n") }.joined()
    return Answer(
        text: table + (table.isEmpty ? "" : "\n") + lines
            + (isSame ? localized("\(name) is installed as it is locked.\n") : hostText("appDiffers", name))
            + unloadable.text,
        json: [
            "name": app.app.name, "version": app.app.version, "lock": lock == nil ? nil : app.lockPlace.found,
            "same": isSame, "problems": problems.map(\.sentence), "bundles": bundles, "unloadable": unloadable,
        ],
        status: unloadable.status(otherwise: isSame ? .done : .different))
}

/// The app of one call as a whole: its bundle.json, its members, and the place of its lock.
@MainActor
struct WholeApp {
    let call: HostCall
    /// The app that a lock belongs to.
    let app: AppLock.App
    /// The bundles of the app with the versions that it allows.
    let members: [AppMember]
    let lockPlace: LockPlace

    /// Reads the app of a call.
    ///
    /// - Throws: `UsageError` if there is no bundle.json; ``AtriumError`` with code `compositionInvalid`, `fileUnknown` or `inputOutput`.
    init(_ call: HostCall) throws {
        self.call = call
        guard call.app.isComposed else {
            throw call.parsed.missing("--composition <FILE>", adding: "--composition <FILE>")
        }
        let (bytes, composition) = try call.app.own()
        app = try AppLock.App(name: composition.name, version: composition.version, content: bytes)
        members = composition.appMembers
        lockPlace = LockPlace(
            given: try call.value("lock").map(call.resolve), for: call.app.file,
            isInCatalog: composition.bundle != nil, shipped: call.environment.composition, in: call.sandbox)
    }

    /// Chooses the versions of the app from the catalog.
    ///
    /// - Parameter lock: an earlier lock, whose versions are kept where they still fit.
    func resolved(keeping lock: AppLock?) async throws -> AppLock {
        try await call.manager.search { try $0.lock(app, members, keeping: lock) }
    }

    /// Writes a lock if it isn't the earlier one, and returns the line about that.
    func write(_ lock: AppLock, after earlier: AppLock?) throws(AtriumError) -> String? {
        if lock == earlier { return nil }
        try lock.write(to: lockPlace.written)
        return localized("Locked \(lock.summary) in \(lockPlace.written).\n")
    }

    /// Returns the versions of a lock's bundles that are active and that this host cannot load.
    func unloadable(of lock: AppLock, besides changed: [BundleIdentifier] = []) throws(AtriumError)
        -> UnloadableVersions
    {
        let identifiers = lock.bundles.map(\.identifier).filter { !changed.contains($0) }
        return try UnloadableVersions(call, of: identifiers, isApp: true)
    }

    /// The members of every JSON answer: the app and its lock.
    func json(_ lock: AppLock) -> JSONText {
        ["name": app.name, "version": app.version, "lock": lockPlace.found, "versions": lock.bundles.map(\.json)]
    }
}

extension AppLock {
    /// The app with its version and the number of its bundles.
    var summary: String {
        let count = bundles.count
        return count == 1 ? localized("\(app.title) with 1 bundle") : localized("\(app.title) with \(count) bundles")
    }

    /// Returns the bundles that differ from an earlier lock, sorted by identifier, as lines and for scripts.
    func changes(from earlier: AppLock?) -> [(line: String, json: JSONText)] {
        let identifiers = Set((bundles + (earlier?.bundles ?? [])).map(\.identifier)).sorted()
        return identifiers.compactMap { identifier in
            let (old, new) = (earlier?.bundle(identifier), bundle(identifier))
            if old == new { return nil }
            let (from, to) = (old?.version.description, new?.version.description)
            let line =
                switch (from, to) {
                case (nil, let to?): "  \(identifier) \(to)\n"
                case (let from?, nil): localized("  \(identifier) \(from) is no longer part of the app\n")
                case (let from?, let to?) where from == to: localized("  \(identifier) \(to) has other content\n")
                default: "  \(identifier) \(from ?? "-") -> \(to ?? "-")\n"
                }
            return (line, ["identifier": identifier, "from": from, "to": to])
        }
    }
}

extension AppLock.App {
    /// The app's name with its version.
    fileprivate var title: String { printable(name) + (version.map { " \($0)" } ?? "") }
}

extension AppLock.Bundle {
    /// The bundle as in the lock.
    var json: JSONText { identity.jsonObject + ["digest": digest, "length": Int(length)] }
}

/// The place of the lock of an app.
///
/// The lock lies beside a bundle.json of the user's own. If that folder cannot be written, or if bundle.json belongs to the system or comes
/// from the program or a catalog, a lock is written into the sandbox; one beside bundle.json that came with the host is read all the same.
struct LockPlace {
    /// The places to look for a lock, the first of which has precedence.
    private let candidates: [FilePath]
    /// The path to write the lock to.
    let written: FilePath

    /// Determines the place.
    ///
    /// - Parameters:
    ///   - given: the path that the user has named.
    ///   - file: the file of bundle.json; `nil` if the program contains it.
    ///   - isInCatalog: `true` if the bundle.json that applies comes from a catalog.
    ///   - shipped: the bundle.json beside the program, if there is one.
    init(given: FilePath?, for file: FilePath?, isInCatalog: Bool = false, shipped: FilePath?, in sandbox: Sandbox) {
        let own = sandbox.hostData.appending("Library/bundle.lock")
        let beside = file?.parent.appending("bundle.lock")
        if let given {
            (candidates, written) = ([given], given)
        } else if let file, let beside, !isInCatalog, Self.isOwn(file, shipped), InputFile.isWritable(file.parent) {
            (candidates, written) = ([beside], beside)
        } else {
            (candidates, written) = ([own, beside].compactMap(\.self), own)
        }
    }

    /// Returns whether a bundle.json can be the user's own: it is neither the program's nor in a folder of installed software.
    private static func isOwn(_ file: FilePath, _ shipped: FilePath?) -> Bool {
        let path = FileSystem.resolved(file)
        return path != shipped.map(FileSystem.resolved)
            && !["/usr/", "/opt/", "/etc/", "/lib/"].contains { path.string.hasPrefix($0) }
    }

    /// The first place where there is a lock, or else the place where one is written.
    var found: FilePath { candidates.first(where: InputFile.isThere) ?? written }

    /// Returns the lock of an app; `nil` if there is none.
    ///
    /// A lock in the sandbox that belongs to another bundle.json, such as that of an earlier release of the host, does not hide the one beside
    /// bundle.json.
    ///
    /// - Throws: ``AtriumError`` with code `lockInvalid` or `inputOutput`.
    func read(for app: AppLock.App) throws(AtriumError) -> AppLock? {
        var first: AppLock?
        for candidate in candidates {
            guard let lock = try AppLock.read(candidate) else { continue }
            if lock.app.digest == app.digest { return lock }
            first = first ?? lock
        }
        return first
    }
}
