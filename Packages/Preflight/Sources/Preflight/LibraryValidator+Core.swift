import PluginCore
import PluginRuntime

/// The checks of the entry point and of the Core that the library was built for.
extension LibraryValidator {
    func validateEntry(_ library: ELFLibrary) throws(ELFFlaw) {
        if library.dynamic.isProgram { report.add(.type, name, reason: "libraryIsProgram") }
        let entry = try library.symbols.exported(SymbolName(PluginEntry.symbol), work)
        report.facts.hasEntry = entry?.isFunction == true
        // Each Core ABI has an entry symbol of its own.
        guard !report.facts.hasEntry, report.facts.isForCurrentCore, host == nil else { return }
        report.add(
            .entry, PluginEntry.symbol, reason: entry == nil ? "entryNotExported" : "entryNotFunction",
            ["symbol": .text(PluginEntry.symbol)])
    }

    func readCore(_ library: ELFLibrary) {
        let notes = CoreNote.all(among: library.notes).compactMap(\.self)
        report.facts.coreABIs = notes.map(\.abi).unique
        report.facts.coreReleases = notes.map(\.release).unique
        report.facts.compilers = notes.map(\.compiler).unique
    }

    func validateCore() {
        if report.facts.coreABIs.isEmpty { report.add(.coreABI, name, reason: "coreNotDeclared") }
        let ownABI = host?.coreABI ?? CoreVersion.abi
        for abi in report.facts.coreABIs where abi != ownABI {
            let remedy = abi < ownABI ? nil : ErrorReason("rebuildHost")
            report.add(
                .coreABI, "\(abi)", reason: "libraryABIDiffers", ["abi": "\(abi)", "host": "\(ownABI)"], remedy: remedy)
        }
        let ownCompiler = host?.compiler ?? CoreVersion.compiler
        for compiler in report.facts.compilers where compiler != ownCompiler {
            report.add(
                .compiler, compiler, reason: "libraryCompilerDiffers",
                ["compiler": .text(compiler), "host": .text(ownCompiler)])
        }
    }
}

extension LibraryReport {
    /// Reports that a manifest is for another Core than the host's.
    ///
    /// If the library names the Core that it was built for, the manifest is reported as wrong.
    mutating func add(manifestABI abi: UInt32, than host: UInt32) {
        guard let built = facts.coreABIs.first else {
            let (what, remedy) = ErrorReason.manifestABI(abi, than: host)
            return add(.coreABI, "\(abi)", reason: what, remedy: remedy)
        }
        add(
            .coreABI, "\(abi)", reason: "manifestABIOfOther", ["abi": "\(abi)", "built": "\(built)"],
            remedy: ErrorReason("correctManifestABI", ["built": "\(built)"]))
    }
}

extension Sequence where Element: Hashable {
    /// The distinct elements, in the order of their first occurrence.
    var unique: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
