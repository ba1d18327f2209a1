import PluginCore

/// What the library uses and defines, name by name.
extension LibraryJudge {
    /// How many names are shown.
    private static let shown = 8
    /// How many modules are looked into.
    private static let judged = 16

    /// - Parameter isWhole: whether all needed libraries are there; names of one that is not are not its fault.
    func judgeSymbols(_ names: LibraryNames, isWhole: Bool, _ verdict: inout LibraryVerdict) {
        for symbol in names.undefined.prefix(Self.shown) {
            let readable = Demangling.swiftName(of: symbol)
            let isCores = symbol.hasPrefix("$s10PluginCore")
            verdict.add(
                .undefinedSymbol, symbol,
                "nobody defines \(readable.map { "\($0) (\(symbol))" } ?? symbol), which it uses",
                remedy: isCores
                    ? "plugin and host were built with different releases of Core, and whoever has the older one must "
                        + "rebuild"
                    : "the plugin's author must link what defines it")
        }
        let more = names.undefinedCount - Self.shown
        if more > 0 {
            verdict.add(
                .undefinedSymbol, "\(more)", "nobody defines \(more) more of the names that it uses",
                remedy: "the plugin's author must link what defines them")
        }
    }

    func judgeCopies(_ names: LibraryNames, _ verdict: inout LibraryVerdict) {
        for (library, types) in names.copied {
            let example = types.first.flatMap(Demangling.swiftName(of:))?.split(separator: " ").last.map(String.init)
            let count = types.count == 1 ? "one of its types" : "\(types.count) of its types"
            verdict.add(
                .secondCopy, library,
                "it contains a copy of \(library): \(count)" + (example.map { ", such as \($0)" } ?? ""),
                remedy: Remedy.oneCopy)
        }
    }

    /// Returns whether the code of another bundle came along: its module beside its Interface. Interfaces are meant to be copied, and
    /// so are modules that are nobody's plugin; but no module has an Interface unless it is one.
    func judgeModules(_ names: LibraryNames, _ verdict: inout LibraryVerdict) throws(ELFFlaw) {
        let candidates = names.modules.filter { $0 != ownModule && !$0.hasSuffix("Interface") }.sorted()
        let others = try names.withInterface(Array(candidates.prefix(Self.judged)))
        // A library that has another name than its module holds one that is its own all the same.
        if !names.modules.contains(ownModule), others.count == 1 { return }
        for module in others {
            verdict.add(
                .otherBundle, module, "it contains types of the module \(module), which is another bundle's code",
                remedy: "the plugin's author must depend on \(module)Interface alone, and not on \(module)")
        }
    }

    /// What the library's file name says its module is: `Shop` for `libShop.so`.
    private var ownModule: String {
        let stem = name.hasPrefix("lib") ? name.dropFirst(3) : name[...]
        return String(stem.prefix { $0 != "." })
    }
}
