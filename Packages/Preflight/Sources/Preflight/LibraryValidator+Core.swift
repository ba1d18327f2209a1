import PluginCore
import PluginRuntime

/// The checks of the entry point and of the Core that the library was built for.
extension LibraryValidator {
    func validateEntry(_ library: ELFLibrary, _ report: inout LibraryReport) throws(ELFFlaw) {
        if library.dynamic.isProgram {
            report.add(.type, name, ErrorReason("libraryIsProgram"), remedy: Remedy.build)
        }
        let entry = try library.symbols.exported(SymbolName(PluginEntry.symbol), work)
        report.facts.hasEntry = entry?.isFunction == true
        // Each Core ABI has an entry symbol of its own.
        guard !report.facts.hasEntry, report.facts.isForCurrentCore, host == nil else { return }
        let what = ErrorReason(
            entry == nil ? "entryNotExported" : "entryNotFunction", ["symbol": .text(PluginEntry.symbol)])
        report.add(.entry, PluginEntry.symbol, what, remedy: Remedy.exportEntry)
    }

    func readCore(_ library: ELFLibrary, _ report: inout LibraryReport) {
        let notes = CoreNote.all(in: library.segments)
        report.facts.coreABIs = notes.map(\.abi).unique
        report.facts.coreReleases = notes.map(\.release).unique
        report.facts.compilers = notes.map(\.compiler).unique
    }

    func validateCore(_ report: inout LibraryReport) {
        if report.facts.coreABIs.isEmpty {
            report.add(
                .coreABI, name, ErrorReason("coreNotDeclared"), remedy: Remedy.rebuildPlugin)
        }
        let ownABI = host?.coreABI ?? CoreVersion.abi
        for abi in report.facts.coreABIs where abi != ownABI { report.add(otherABI: abi, than: ownABI) }
        let ownCompiler = host?.compiler ?? CoreVersion.compiler
        for compiler in report.facts.compilers where compiler != ownCompiler {
            report.add(
                .compiler, compiler,
                ErrorReason(
                    "libraryCompilerDiffers", ["compiler": .text(compiler), "host": .text(ownCompiler)]),
                remedy: ErrorReason("rebuildWithCompiler"))
        }
    }
}

extension LibraryReport {
    mutating func add(otherABI abi: UInt32, than host: UInt32) {
        add(
            .coreABI, "\(abi)", ErrorReason("libraryABIDiffers", ["abi": "\(abi)", "host": "\(host)"]),
            remedy: abi < host ? Remedy.rebuildPlugin : Remedy.rebuildHost)
    }

    /// Reports that a manifest is for another Core than the host's.
    ///
    /// If the library names the Core that it was built for, the manifest is reported as wrong.
    mutating func add(manifestABI abi: UInt32, than host: UInt32) {
        if let built = facts.coreABIs.first {
            return add(
                .coreABI, "\(abi)", ErrorReason("manifestABIOfOther", ["abi": "\(abi)", "built": "\(built)"]),
                remedy: ErrorReason("correctManifestABI", ["built": "\(built)"]))
        }
        let (what, remedy) = ErrorReason.manifestABI(abi, than: host)
        add(.coreABI, "\(abi)", what, remedy: remedy)
    }
}

extension Sequence where Element: Hashable {
    /// The distinct elements, in the order of their first occurrence.
    var unique: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
