import Console
import PluginCore
import PluginRuntime
import Registry

/// The state of one bundle of an app: what bundle.json allows, the lock has, and the sandbox has.
struct AppBundleStatus {
    /// The comparison of a bundle.
    enum State: String {
        /// The locked version is active.
        case same
        /// The locked version becomes active at the next start.
        case staged
        /// It is not installed.
        case missing
        /// Another version, or the same with other content, is active.
        case different
        /// The lock does not contain this bundle of bundle.json.
        case unlocked
    }

    let identifier: BundleIdentifier
    let allowed: [VersionRange]
    let locked: AppLock.Bundle?
    let active: PluginBundle?
    let staged: PluginBundle?

    var state: State {
        guard let locked else { return .unlocked }
        // A staged version replaces the active one at the next start.
        if let staged { return staged.isContent(of: locked) ? .staged : .different }
        guard let active else { return .missing }
        return active.isContent(of: locked) ? .same : .different
    }
}

extension PluginBundle {
    /// Returns whether this is a version with the content that a lock names.
    fileprivate func isContent(of locked: AppLock.Bundle) -> Bool {
        identity == locked.identity && digest == locked.digest
    }
}

/// Compares bundle.json, the lock and the sandbox.
@MainActor
func status(of app: WholeApp) throws -> Answer {
    let registry = app.call.manager.registry
    let staged = try registry.staged.all()
    let lock = try app.lockPlace.read(for: app.app)
    var problems = lock?.differences(from: app.app, app.members) ?? [ErrorReason("noLock")]
    let identifiers = Set(app.members.map(\.identifier) + (lock?.bundles ?? []).map(\.identity.identifier)).sorted()
    var bundles: [AppBundleStatus] = []
    for identifier in identifiers {
        bundles.append(
            AppBundleStatus(
                identifier: identifier,
                allowed: app.members.filter { $0.identifier == identifier }.compactMap(\.versions),
                locked: lock?.bundle(identifier), active: try registry.active.bundle(identifier)?.active,
                staged: staged.first { $0.identity.identifier == identifier }))
    }
    problems += bundles.compactMap { bundle in
        guard let active = bundle.active?.identity,
            let range = bundle.allowed.first(where: { !$0.contains(active.version) })
        else { return nil }
        return ErrorReason("activeOutsideRange", ["bundle": "\(active)", "range": "\(range)"])
    }
    let unloadable = try UnloadableVersions(app.call, of: identifiers, isApp: true)
    let isSame = problems.isEmpty && bundles.allSatisfy { $0.state == .same }
    var table = Table([
        Table.Column("IDENTIFIER"), Table.Column("ALLOWED"), Table.Column("LOCKED"), Table.Column("INSTALLED"),
        Table.Column("STATE"),
    ])
    for bundle in bundles {
        table.add([
            bundle.identifier.text, bundle.allowed.isEmpty ? "*" : bundle.allowedText,
            bundle.locked?.identity.version.description ?? "-",
            (bundle.staged ?? bundle.active)?.identity.version.description ?? "-",
            localized(key: bundle.state.rawValue),
        ])
    }
    let name = printable(app.app.name) + (app.app.version.map { " \($0)" } ?? "")
    let lines = problems.map { localized("\(printable($0.sentence)).\n") }.joined()
    return Answer(
        text: (bundles.isEmpty ? "" : table.rendered(for: app.call.terminal) + "\n") + lines
            + (isSame
                ? localized("\(name) is installed as it is locked.\n")
                : localized(
                    "\(name) differs; \"hostapp app install\" installs what is locked, \"hostapp app lock\" locks "
                        + "what bundle.json allows.\n")) + unloadable.text,
        json: [
            "name": .string(app.app.name), "version": .string(orNull: app.app.version?.description),
            "lock": .string(orNull: lock == nil ? nil : app.lockPlace.found.string), "same": .bool(isSame),
            "problems": .array(problems.map { .string($0.sentence) }), "bundles": .array(bundles.map(\.json)),
            "unloadable": unloadable.json,
        ],
        status: unloadable.status(otherwise: isSame ? .done : .different))
}

extension AppBundleStatus {
    fileprivate var allowedText: String { allowed.map(\.description).joined(separator: " ") }

    fileprivate var json: JSONText {
        [
            "identifier": .string(identifier.text), "allowed": .string(orNull: allowed.isEmpty ? nil : allowedText),
            "locked": .string(orNull: locked?.identity.version.description),
            "installed": .string(orNull: active?.identity.version.description),
            "staged": .string(orNull: staged?.identity.version.description), "state": .string(state.rawValue),
        ]
    }
}
