import BundleFormat
import HostSystem
public import PluginCore
import Processes
public import Registry

/// The crash reports of a sandbox.
///
/// ```swift
/// let reports = CrashReportFolder(sandbox)
/// let newest = try reports.all().first
/// ```
public struct CrashReportFolder: Sendable {
    /// The number of reports that ``trim()`` leaves.
    public static let limit = 50
    /// The largest report that is read, in bytes, far more than a handler writes.
    private static let largest = 1 << 20

    private let sandbox: Sandbox

    /// Creates the folder's reader, without reading anything.
    public init(_ sandbox: Sandbox) {
        self.sandbox = sandbox
    }

    /// Returns the reports, newest first. Files that are not reports are skipped.
    ///
    /// - Parameter earliest: The time from which on reports are read, in seconds since 1970.
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable`.
    public func all(since earliest: Int64 = .min) throws(AtriumError) -> [RecordedCrash] {
        guard let folder = try sandbox.openedUnlessLinked(sandbox.crashReports) else { return [] }
        var reports: [RecordedCrash] = []
        for name in try folder.names() {
            // A name with a dot is that of a file that is being written (FileSystem.replace).
            guard let text = name.text, !text.hasPrefix("."), Self.time(in: text) >= earliest,
                case .file(let bytes, _) = try folder.contents(of: name, limit: Self.largest),
                let report = RecordedCrash(named: text, String(decoding: bytes, as: UTF8.self))
            else { continue }
            reports.append(report)
        }
        return reports.sorted { ($0.at, $0.name) > ($1.at, $1.name) }
    }

    /// Returns the time with which the name of a report begins, in seconds since 1970.
    private static func time(in name: String) -> Int64 {
        Int64(name.prefix { $0 != "-" }) ?? .min
    }

    /// Adds a report, and removes the oldest ones above ``limit``.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput`, `sandboxUnwritable` or `storageFull`.
    package func add(_ report: RecordedCrash) throws(AtriumError) {
        try FileSystem.makeFolders(sandbox.crashReports)
        guard try sandbox.openedUnlessLinked(sandbox.crashReports) != nil else { return }
        try FileSystem.replace(sandbox.crashReports.appending(report.name), with: Array(report.text.utf8))
        try trim()
    }

    /// Returns the report with a name.
    ///
    /// - Throws: ``AtriumError`` with code `crashUnknown`, or as ``all()``.
    public func report(named name: String) throws(AtriumError) -> RecordedCrash {
        let reports = try all()
        if let report = reports.first(where: { $0.name == name }) { return report }
        throw AtriumError(.crashUnknown, name, nearest: reports.prefix(3).map(\.name))
    }

    /// Reads a report from a file outside of the sandbox, such as that of another user.
    ///
    /// - Throws: ``AtriumError`` with code `crashUnknown`, or `inputOutput`.
    public static func report(at path: FilePath) throws(AtriumError) -> RecordedCrash {
        guard case .file(let bytes, _) = try FileSystem.contents(of: path, limit: largest),
            let report = RecordedCrash(named: path.lastComponent, String(decoding: bytes, as: UTF8.self))
        else { throw AtriumError(.crashUnknown, path) }
        return report
    }

    /// Removes reports, and returns their number.
    ///
    /// - Throws: as ``all()``.
    @discardableResult
    public func remove(_ isMeant: (RecordedCrash) -> Bool) throws(AtriumError) -> Int {
        let meant = try all().filter(isMeant)
        guard !meant.isEmpty, let folder = try sandbox.openedUnlessLinked(sandbox.crashReports) else { return 0 }
        for report in meant { folder.unlink(EntryName(report.name)) }
        return meant.count
    }

    /// Removes the oldest reports if there are more than ``limit``.
    ///
    /// - Throws: as ``all()``.
    public func trim() throws(AtriumError) {
        let old = Set(try all().dropFirst(Self.limit).map(\.name))
        if !old.isEmpty { try remove { old.contains($0.name) } }
    }
}

extension AtriumError.Code {
    /// A crash report that does not exist.
    public static let crashUnknown = Self("crashUnknown")
}

/// The names of the functions on a stack, from the symbol tables of the libraries that are still installed.
///
/// ```swift
/// let symbols = try CallSymbols(of: report, in: sandbox, registry) { FunctionNames(ofLibrary: $0)?.function(at:) }
/// print(symbols.function(of: report.calls[0])?.name ?? "-")
/// ```
public struct CallSymbols {
    /// A place in a function.
    public struct Function: Hashable, Sendable {
        /// The name, as its author wrote it.
        public let name: String
        /// The distance from the function's start in bytes.
        public let offset: UInt64
    }

    private let libraries: [RecordedCrash.Owner: FilePath]
    private let names: [RecordedCrash.Owner: Lookup]

    /// Returns the function with the code at an address of a library: its name in the file, and its start.
    public typealias Lookup = @Sendable (UInt64) -> (name: String, start: UInt64)?

    /// Reads the symbol tables of the libraries with calls on the stack.
    ///
    /// - Parameter table: reads the table of a library; `nil` if the file is not a readable library.
    /// - Throws: ``AtriumError`` with code `registryDamaged`.
    public init(
        of report: RecordedCrash, in sandbox: Sandbox, _ registry: Registry, reading table: (FilePath) -> Lookup?
    )
        throws(AtriumError)
    {
        let versions = try registry.versions.all()
        var libraries: [RecordedCrash.Owner: FilePath] = [:]
        for owner in Set(report.calls.map(\.owner)) {
            switch owner {
            case .bundle(let identity, let library):
                guard let bundle = versions.first(where: { $0.identity == identity }),
                    let file = library ?? bundle.entry
                else { continue }
                let folder = sandbox.folder(of: bundle)
                libraries[owner] = (try? BundleShape.libraryPath(of: file, of: identity, in: folder))
                    .map(folder.appending)
            case .library(let path): libraries[owner] = path
            // The program may have been replaced since.
            case .program, .unknown: continue
            }
        }
        self.libraries = libraries
        names = libraries.compactMapValues(table)
    }

    /// Returns the file with the code of a call; `nil` if it is not installed any more.
    public func library(of call: RecordedCrash.Call) -> FilePath? { libraries[call.owner] }

    /// Returns the function of a call; `nil` if its library has no name for the address.
    public func function(of call: RecordedCrash.Call) -> Function? {
        guard let found = names[call.owner]?(call.address) else { return nil }
        return Function(
            name: Demangling.swiftName(of: found.name) ?? found.name, offset: call.address - found.start)
    }
}
