import PluginCore
import PluginRuntime
import Registry

/// The place of the lock of an app.
///
/// The lock lies beside bundle.json. If that folder cannot be written, or if bundle.json comes from the program or a catalog, a lock is
/// written into the sandbox; one beside bundle.json that came with the host is read all the same.
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
    init(given: FilePath?, for source: CompositionSource, isInCatalog: Bool = false, in sandbox: Sandbox) {
        let own = sandbox.hostData.appending("Library/bundle.lock")
        var beside: FilePath?
        if case .file(let file) = source { beside = file.parent.appending("bundle.lock") }
        if let given {
            (candidates, written) = ([given], given)
        } else if let beside, !isInCatalog, InputFile.isWritable(beside.parent) {
            (candidates, written) = ([beside], beside)
        } else {
            (candidates, written) = ([own] + [beside].compactMap(\.self), own)
        }
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
