import HostSystem
public import PluginCore
import Processes

/// The defaults of a bundle: a file in its container, which all of its versions and all processes share.
///
/// Every change replaces the file atomically and excludes other processes, so readers need no lock. A damaged file is reported and renamed;
/// only its values are lost.
///
/// ```swift
/// let defaults = DefaultsFile(in: BundleContainer(root: sandbox.container(of: bundle))) { log("\($0)") }
/// ```
public struct DefaultsFile: DefaultsStore {
    private struct Document: VersionedDocument {
        static let supportedVersion = DefaultsFile.formatVersion
        var formatVersion = supportedVersion
        var values: [String: String] = [:]
    }

    /// The only supported format version.
    public static let formatVersion = 1

    /// The maximum size of the file in bytes, which is also the limit of `UserDefaults` on tvOS.
    public static let sizeLimit = 1 << 20

    private let folder: FilePath
    private let lock: FilePath
    private let report: @Sendable (AtriumError) -> Void
    private let prepare: @Sendable () throws -> Void

    /// Creates the store of a container; its file is created when a value is set.
    ///
    /// - Parameter report: called for a damaged file that was renamed.
    public init(in container: BundleContainer, report: @escaping @Sendable (AtriumError) -> Void) {
        folder = container.root.appending("Library")
        lock = folder.appending(".defaults.json.lock")
        self.report = report
        prepare = {}
    }

    /// Creates the store that all members of an app group share.
    init(_ layout: AppGroupLayout, report: @escaping @Sendable (AtriumError) -> Void) {
        folder = layout.root.appending("Library")
        lock = layout.coordination.appending("defaults")
        self.report = report
        // Creates the folders if necessary, and throws an error if one of them is a link.
        prepare = { _ = try layout.library().making(EntryName("Coordination")) }
    }

    private var file: VersionedFile<Document> {
        VersionedFile(
            folder.appending("defaults.json"), sizeLimit: Self.sizeLimit, lockedBy: lock, full: .defaultsFull,
            losing: "settingsLost", report: report)
    }

    /// Returns all values.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when the file can't be read or renamed,
    ///   `documentInvalid` when a newer host has written it, `sandboxBusy`.
    public func values() throws -> DefaultsValues {
        try prepare()
        return DefaultsValues(texts: try file.load().values)
    }

    /// Changes values exclusively, and doesn't write the file if none has changed.
    ///
    /// - Throws: as ``values()``; ``AtriumError`` with code `defaultsFull`, `defaultsInvalid` for a value that could not be read again, or
    ///   `inputOutput`, and the errors of `body`. The file is unchanged then.
    public func change(_ body: (inout DefaultsValues) throws -> Void) throws {
        try prepare()
        try file.change { document in
            var values = DefaultsValues(texts: document.values)
            try body(&values)
            // Whatever is stored must be readable again.
            for (name, text) in values.texts where text != document.values[name] {
                do {
                    try StrictJSON.check(CodedValue([name: text]).json)
                } catch {
                    throw AtriumError(.defaultsInvalid, name, reason: .verbatim("\(error)"))
                }
            }
            document.values = values.texts
        }
    }
}

extension DefaultsFile: CustomReflectable {
    /// An empty mirror, because plugins have the store, and its closure belongs to the host.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
