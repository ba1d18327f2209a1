import PluginCore

/// The checks of the entry point and of the Core that the library was built for.
extension LibraryValidator {
    func validateEntry(_ library: ELFLibrary, _ verdict: inout LibraryVerdict) throws(ELFFlaw) {
        if library.dynamic.isProgram {
            verdict.add(.type, name, "it is a program, not a shared library", remedy: Remedy.build)
        }
        let entry = try library.symbols.exported(SymbolName(PluginEntry.symbol), work)
        verdict.facts.hasEntry = entry?.isFunction == true
        // Each Core ABI has an entry symbol of its own.
        guard !verdict.facts.hasEntry, verdict.facts.isForCurrentCore else { return }
        let what =
            entry == nil ? "it does not export \(PluginEntry.symbol)" : "its \(PluginEntry.symbol) is not a function"
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
                .coreABI, name, "it does not declare which Core it was built for", remedy: Remedy.rebuildPlugin)
        }
        for abi in verdict.facts.coreABIs where abi != CoreVersion.abi {
            verdict.add(otherABI: abi)
        }
        for compiler in verdict.facts.compilers where compiler != CoreVersion.compiler {
            verdict.add(
                .compiler, compiler,
                "it was built with \"\(compiler)\", but this host with \"\(CoreVersion.compiler)\"",
                remedy: "the plugin's author must rebuild it with the host's compiler")
        }
    }
}

extension LibraryVerdict {
    mutating func add(otherABI abi: UInt32) {
        add(
            .coreABI, "\(abi)", "it was built for Core ABI \(abi), but this host has \(CoreVersion.abi)",
            remedy: abi < CoreVersion.abi ? Remedy.rebuildPlugin : Remedy.rebuildHost)
    }

    /// Reports that a manifest is for another Core than the host's.
    ///
    /// If the library names the Core that it was built for, the manifest is reported as wrong.
    package mutating func add(manifestABI abi: UInt32) {
        let said = "manifest.json says \"coreABI\": \(abi)"
        if let built = facts.coreABIs.first {
            return add(
                .coreABI, "\(abi)", "\(said), but the library was built for Core ABI \(built)",
                remedy: "the plugin's author must change it to \"coreABI\": \(built)")
        }
        let rebuild = abi < CoreVersion.abi ? Remedy.rebuildPlugin : Remedy.rebuildHost
        add(
            .coreABI, "\(abi)", "\(said), but this host has Core ABI \(CoreVersion.abi)",
            remedy:
                "\(rebuild), or the plugin's author must correct manifest.json if it is wrong"
        )
    }
}

extension Sequence where Element: Hashable {
    /// The distinct elements, in the order of their first occurrence.
    var unique: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
