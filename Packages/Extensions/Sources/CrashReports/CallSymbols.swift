import BundleFormat
import HostSystem
public import PluginCore
public import Registry

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
                libraries[owner] = sandbox.folder(of: bundle).appending(BundleShape.libraryPath(of: file))
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
