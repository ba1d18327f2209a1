import PluginCore

/// The checks of the entry point and of the Core that the library was built for.
extension LibraryValidator {
    func validateEntry(_ library: ELFLibrary, _ verdict: inout LibraryVerdict) throws(ELFFlaw) {
        if library.dynamic.isProgram {
            verdict.add(.type, name, ErrorReason("libraryIsProgram"), remedy: Remedy.build)
        }
        let entry = try library.symbols.exported(SymbolName(PluginEntry.symbol), work)
        verdict.facts.hasEntry = entry?.isFunction == true
        // Each Core ABI has an entry symbol of its own.
        guard !verdict.facts.hasEntry, verdict.facts.isForCurrentCore else { return }
        let what = ErrorReason(
            entry == nil ? "entryNotExported" : "entryNotFunction", ["symbol": .text(PluginEntry.symbol)])
        verdict.add(.entry, PluginEntry.symbol, what, remedy: Remedy.exportEntry)
    }

    func readCore(_ library: ELFLibrary, _ verdict: inout LibraryVerdict) {
        let notes = CoreNote.all(in: library.segments)
        verdict.facts.coreABIs = notes.map(\.abi).unique
        verdict.facts.coreReleases = notes.map(\.release).unique
        verdict.facts.compilers = notes.map(\.compiler).unique
    }

    func validateCore(_ verdict: inout LibraryVerdict) {
        if verdict.facts.coreABIs.isEmpty {
            verdict.add(
                .coreABI, name, ErrorReason("coreNotDeclared"), remedy: Remedy.rebuildPlugin)
        }
        for abi in verdict.facts.coreABIs where abi != CoreVersion.abi {
            verdict.add(otherABI: abi)
        }
        for compiler in verdict.facts.compilers where compiler != CoreVersion.compiler {
            verdict.add(
                .compiler, compiler,
                ErrorReason(
                    "libraryCompilerDiffers", ["compiler": .text(compiler), "host": .text(CoreVersion.compiler)]),
                remedy: ErrorReason("rebuildWithCompiler"))
        }
    }
}

extension LibraryVerdict {
    mutating func add(otherABI abi: UInt32) {
        add(
            .coreABI, "\(abi)", ErrorReason("libraryABIDiffers", ["abi": "\(abi)", "host": "\(CoreVersion.abi)"]),
            remedy: abi < CoreVersion.abi ? Remedy.rebuildPlugin : Remedy.rebuildHost)
    }

    /// Reports that a manifest is for another Core than the host's.
    ///
    /// If the library names the Core that it was built for, the manifest is reported as wrong.
    package mutating func add(manifestABI abi: UInt32) {
        if let built = facts.coreABIs.first {
            return add(
                .coreABI, "\(abi)", ErrorReason("manifestABIOfOther", ["abi": "\(abi)", "built": "\(built)"]),
                remedy: ErrorReason("correctManifestABI", ["built": "\(built)"]))
        }
        let rebuild = abi < CoreVersion.abi ? Remedy.rebuildPlugin : Remedy.rebuildHost
        add(
            .coreABI, "\(abi)", ErrorReason("manifestABIDiffers", ["abi": "\(abi)", "host": "\(CoreVersion.abi)"]),
            remedy: ErrorReason("rebuildOrCorrectManifest", ["rebuild": .reason(rebuild)]))
    }
}

extension Sequence where Element: Hashable {
    /// The distinct elements, in the order of their first occurrence.
    var unique: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
