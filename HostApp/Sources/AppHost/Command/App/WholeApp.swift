import Console
import FoundationEssentials
import PluginCore
import PluginRuntime

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
        guard let source = call.app.source else {
            throw call.parsed.missing("--composition <FILE>", adding: "--composition <FILE>")
        }
        let own = try call.app.own()
        let composition = own.composed.composition
        app = try AppLock.App(name: composition.name, version: composition.version, content: own.bytes)
        members = composition.appMembers
        lockPlace = LockPlace(
            given: try call.parsed.value("lock").map { try call.resolve($0) }, for: source,
            isInCatalog: composition.bundle != nil, shipped: call.environment.composition, in: call.manager.sandbox)
    }

    /// Chooses the versions of the app from the catalog.
    ///
    /// - Parameter lock: an earlier lock, whose versions are kept where they still fit.
    func resolved(keeping lock: AppLock?) async throws -> AppLock {
        try await call.manager.search { try $0.lock(app, members, keeping: lock) }
    }

    /// Returns the versions of a lock's bundles that are active and that this host cannot load.
    func unloadable(of lock: AppLock, besides changed: [BundleIdentifier] = []) throws(AtriumError)
        -> UnloadableVersions
    {
        let identifiers = lock.bundles.map(\.identity.identifier).filter { !changed.contains($0) }
        return try UnloadableVersions(call, of: identifiers, isApp: true)
    }

    /// The members of every JSON answer: the app and its lock.
    func jsonMembers(_ lock: AppLock) -> [(String, JSONText)] {
        [
            ("name", .string(app.name)), ("version", .string(orNull: app.version?.description)),
            ("lock", .string(lockPlace.found.string)), ("versions", .array(lock.bundles.map(\.json))),
        ]
    }
}

extension AppLock {
    /// The app with its version and the number of its bundles.
    var summary: String {
        let version = app.version.map { " \($0)" } ?? ""
        let name = printable(app.name) + version
        return bundles.count == 1
            ? localized("\(name) with 1 bundle") : localized("\(name) with \(bundles.count) bundles")
    }

    /// A bundle whose version or content differs between two locks.
    struct Change {
        let identifier: BundleIdentifier
        let from: Bundle?
        let to: Bundle?
    }

    /// Returns the bundles that differ from an earlier lock, sorted by identifier.
    func changes(from earlier: AppLock?) -> [Change] {
        let identifiers = Set((bundles + (earlier?.bundles ?? [])).map(\.identity.identifier)).sorted()
        return identifiers.compactMap { identifier in
            let (from, to) = (earlier?.bundle(identifier), bundle(identifier))
            return from == to ? nil : Change(identifier: identifier, from: from, to: to)
        }
    }
}

extension AppLock.Bundle {
    /// The bundle as in the lock.
    var json: JSONText {
        [
            "identifier": .string(identity.identifier.text), "version": .string(identity.version.description),
            "digest": .string(digest), "length": .integer(Int(length)),
        ]
    }
}

extension AppLock.Change {
    /// A line such as `  com.example.app.shop 1.0.0 -> 1.1.0`.
    var line: String {
        let (from, to) = (from?.identity.version.description, to?.identity.version.description)
        switch (from, to) {
        case (nil, let to?): return "  \(identifier) \(to)\n"
        case (let from?, nil): return localized("  \(identifier) \(from) is no longer part of the app\n")
        case (let from?, let to?) where from == to: return localized("  \(identifier) \(to) has other content\n")
        default: return "  \(identifier) \(from ?? "-") -> \(to ?? "-")\n"
        }
    }

    /// The versions before and after, for scripts.
    var json: JSONText {
        [
            "identifier": .string(identifier.text), "from": .string(orNull: from?.identity.version.description),
            "to": .string(orNull: to?.identity.version.description),
        ]
    }
}
