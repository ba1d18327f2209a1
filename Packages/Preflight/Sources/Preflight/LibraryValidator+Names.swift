import HostSystem
import PluginCore

/// The checks of the names that the library uses and defines.
extension LibraryValidator {
    /// The maximum number of reported names.
    private static let shown = 8
    /// The maximum number of modules that are examined.
    private static let judged = 16

    /// Reports names that no library defines, and the libraries that it uses without being linked with them.
    func validateSymbols(_ names: LibraryNames) {
        for (library, symbols) in names.unlinked {
            let example = symbols.first.map { Demangling.swiftName(of: $0) ?? $0 } ?? ""
            let what = ErrorReason("libraryNotLinked", ["library": .text(library)])
            report.add(
                .unlinkedLibrary, library, reason: "suchAs", ["problem": .reason(what), "example": .text(example)],
                remedy: ErrorReason("linkLibrary", ["setting": .text(Self.setting(for: library))]))
        }
        for symbol in names.undefined.prefix(Self.shown) {
            let what =
                Demangling.swiftName(of: symbol).map {
                    ErrorReason("symbolUndefinedSwift", ["name": .text($0), "symbol": .text(symbol)])
                } ?? ErrorReason("symbolUndefined", ["symbol": .text(symbol)])
            let isCores = symbol.hasPrefix("$s10PluginCore")
            let remedy = ErrorReason(isCores ? "rebuildOlder" : "linkDefiningLibrary")
            report.add(.undefinedSymbol, symbol, reason: what, remedy: remedy)
        }
        let more = names.undefinedCount - Self.shown
        if more > 0 {
            report.add(
                .undefinedSymbol, "\(more)", reason: "symbolsUndefined", ["count": .integer(more)],
                remedy: ErrorReason("linkDefiningLibraries"))
        }
    }

    /// Returns the setting of a target in Package.swift that links a library: `.linkedLibrary("SQLite")` for libSQLite.so.
    private static func setting(for library: String) -> String {
        let stem = library.hasPrefix("lib") ? String(library.dropFirst(3)) : library
        return ".linkedLibrary(\"\(stem.firstRange(of: ".so").map { String(stem[..<$0.lowerBound]) } ?? stem)\")"
    }

    func validateCopies(_ names: LibraryNames) {
        for (library, types) in names.copied {
            let example = types.first.flatMap(Demangling.swiftName(of:))?.split(separator: " ").last.map(String.init)
            let copy = ErrorReason(
                types.count == 1 ? "typeCopied" : "typesCopied",
                ["library": .text(library), "count": .integer(types.count)])
            let what = example.map { ErrorReason("suchAs", ["problem": .reason(copy), "example": .text($0)]) }
            report.add(.secondCopy, library, reason: what ?? copy)
        }
    }

    /// Reports code of another bundle, which is recognized by a module together with its Interface module.
    ///
    /// Interfaces and ordinary modules may be copied; but only a plugin's module has an Interface.
    func validateModules(_ names: LibraryNames) throws(ELFFlaw) {
        let candidates = names.modules.filter { $0 != ownModule && !$0.hasSuffix("Interface") }.sorted()
        let others = try names.withInterface(Array(candidates.prefix(Self.judged)))
        // The library's name may differ from its module's name, so a single module is taken for its own.
        if !names.modules.contains(ownModule), others.count == 1 { return }
        for module in others {
            report.add(
                .otherBundle, module, reason: "moduleOfOther", ["module": .text(module)],
                remedy: ErrorReason("dependOnInterface", ["module": .text(module)]))
        }
    }

    /// The module's name according to the library's file name: Shop for libShop.so.
    private var ownModule: String {
        let stem = name.hasPrefix("lib") ? name.dropFirst(3) : name[...]
        return String(stem.prefix { $0 != "." })
    }
}
