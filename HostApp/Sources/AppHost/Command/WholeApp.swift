import PluginRuntime
import Console
import PluginCore
import Registry
import Resolver

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
        let own = try call.app.own()
        let composition = own.composed
        app = try AppLock.App(name: composition.name, version: composition.version, content: own.bytes)
        members = composition.appMembers
        lockPlace = LockPlace(
            given: try call.value("lock").map { try call.resolve($0) }, for: call.app.file,
            isInCatalog: composition.bundle != nil, shipped: call.environment.composition, in: call.sandbox)
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
    func json(_ lock: AppLock) -> JSONText {
        ["name": app.name, "version": app.version, "lock": lockPlace.found, "versions": lock.bundles.map(\.json)]
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

    /// Returns the bundles that differ from an earlier lock, sorted by identifier, as lines and for scripts.
    func changes(from earlier: AppLock?) -> [(line: String, json: JSONText)] {
        let identifiers = Set((bundles + (earlier?.bundles ?? [])).map(\.identity.identifier)).sorted()
        return identifiers.compactMap { identifier in
            let (old, new) = (earlier?.bundle(identifier), bundle(identifier))
            if old == new { return nil }
            let (from, to) = (old?.identity.version.description, new?.identity.version.description)
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
            (candidates, written) = ([own] + [beside].compactMap(\.self), own)
        }
    }

    /// Returns whether a bundle.json can be the user's own: it is neither the program's nor in a folder of installed software.
    private static func isOwn(_ file: FilePath, _ shipped: FilePath?) -> Bool {
        let path = InputFile.realPath(of: file)
        return path != shipped.map(InputFile.realPath)
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
