import HostSystem
import PluginCore

/// The checks of the names that the library uses and defines.
extension LibraryValidator {
    /// The maximum number of reported names.
    private static let shown = 8
    /// The maximum number of modules that are examined.
    private static let judged = 16

    /// Reports names that no library defines.
    ///
    /// - Parameter isWhole: whether all needed libraries were found.
    func validateSymbols(_ names: LibraryNames, isWhole: Bool, _ verdict: inout LibraryVerdict) {
        for symbol in names.undefined.prefix(Self.shown) {
            let readable = Demangling.swiftName(of: symbol)
            let isCores = symbol.hasPrefix("$s10PluginCore")
            verdict.add(
                .undefinedSymbol, symbol,
                "no library defines \(readable.map { "\($0) (\(symbol))" } ?? symbol), which it uses",
                remedy: isCores
                    ? "plugin and host were built with different releases of Core; rebuild the older of the two"
                    : "the plugin's author must link the library that defines it")
        }
        let more = names.undefinedCount - Self.shown
        if more > 0 {
            verdict.add(
                .undefinedSymbol, "\(more)", "no library defines \(more) more of the symbols that it uses",
                remedy: "the plugin's author must link the libraries that define them")
        }
    }

    func validateCopies(_ names: LibraryNames, _ verdict: inout LibraryVerdict) {
        for (library, types) in names.copied {
            let example = types.first.flatMap(Demangling.swiftName(of:))?.split(separator: " ").last.map(String.init)
            let count = types.count == 1 ? "one of its types" : "\(types.count) of its types"
            verdict.add(
                .secondCopy, library,
                "it contains a copy of \(library): \(count)" + (example.map { ", such as \($0)" } ?? ""),
                remedy: Remedy.oneCopy)
        }
    }

    /// Reports code of another bundle, which is recognized by a module together with its Interface module.
    ///
    /// Interfaces and ordinary modules may be copied; but only a plugin's module has an Interface.
    func validateModules(_ names: LibraryNames, _ verdict: inout LibraryVerdict) throws(ELFFlaw) {
        let candidates = names.modules.filter { $0 != ownModule && !$0.hasSuffix("Interface") }.sorted()
        let others = try names.withInterface(Array(candidates.prefix(Self.judged)))
        // The library's name may differ from its module's name, so a single module is taken for its own.
        if !names.modules.contains(ownModule), others.count == 1 { return }
        for module in others {
            verdict.add(
                .otherBundle, module, "it contains types of the module \(module), the code of another bundle",
                remedy: "the plugin's author must depend only on \(module)Interface, not on \(module)")
        }
    }

    /// The module's name according to the library's file name: Shop for libShop.so.
    private var ownModule: String {
        let stem = name.hasPrefix("lib") ? name.dropFirst(3) : name[...]
        return String(stem.prefix { $0 != "." })
    }
}
