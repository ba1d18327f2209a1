import PluginCore
import PluginRuntime
import Registry

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
    ///   - source: the place of bundle.json.
    ///   - isInCatalog: `true` if the bundle.json that applies comes from a catalog.
    ///   - shipped: the bundle.json beside the program, if there is one.
    init(
        given: FilePath?, for source: CompositionSource, isInCatalog: Bool = false, shipped: FilePath?,
        in sandbox: Sandbox
    ) {
        let own = sandbox.hostData.appending("Library/bundle.lock")
        var beside: FilePath?
        if case .file(let file) = source { beside = file.parent.appending("bundle.lock") }
        if let given {
            (candidates, written) = ([given], given)
        } else if let beside, !isInCatalog, Self.isOwn(source.path, shipped), InputFile.isWritable(beside.parent) {
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
