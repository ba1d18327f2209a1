import PluginCore
import Processes

/// The names of a library, compared with those of the process that would load it.
struct LibraryNames {
    /// The names that the library uses and no library defines.
    private(set) var undefined: [String] = []
    /// The names that it uses of known libraries that it isn't linked with, by library.
    private(set) var unlinked: [(library: String, symbols: [String])] = []
    /// The types that both the library and a library of the host define, by the host's library.
    private(set) var copied: [(library: String, types: [String])] = []
    /// The modules whose types the library defines.
    private(set) var modules: Set<String> = []
    private let library: ELFLibrary
    private let work: ELFWork

    /// The maximum number of stored names; further ones are only counted.
    private static let kept = 1024
    private(set) var undefinedCount = 0

    /// Reads all names.
    ///
    /// - Parameters:
    ///   - scope: the libraries in which names are looked up, in order.
    ///   - others: known libraries in which no names are looked up, but which must not be copied either.
    ///   - work: the limit of the work.
    /// - Throws: ``ELFFlaw`` when the library's hash table lacks a symbol, and when the work exceeds its limit.
    init(
        of library: ELFLibrary, scope: [HostLibrary], beside others: [HostLibrary], _ work: ELFWork
    ) throws(ELFFlaw) {
        (self.library, self.work) = (library, work)
        let others = others.filter { other in !scope.contains { $0.path == other.path } }
        let owners = scope + others
        var (copies, unlinked) = ([Int: [String]](), [Int: [String]]())
        try library.symbols.forEach(work) { symbol, name throws(ELFFlaw) in
            if symbol.isWanted, try Self.owner(of: name, in: scope, work) == nil {
                if let owner = try Self.owner(of: name, in: others, work) {
                    if unlinked[owner, default: []].count < Self.kept {
                        unlinked[owner, default: []].append(name.text.string)
                    }
                } else {
                    undefinedCount += 1
                    if undefined.count < Self.kept { undefined.append(name.text.string) }
                }
            }
            guard symbol.isExported else { return }
            // The loader looks up a library's own symbols by their hashes, too.
            try check(library.symbols.exported(name, work) != nil, "elfSymbolNotHashed")
            guard let module = MangledName.moduleOfType(name.text) else { return }
            if modules.count < Self.kept { modules.insert(module) }
            guard let owner = try Self.owner(of: name, in: owners, work), copies[owner, default: []].count < Self.kept
            else { return }
            copies[owner, default: []].append(name.text.string)
        }
        undefined.sort()
        copied = Self.named(copies, owners)
        self.unlinked = Self.named(unlinked, others)
    }

    private static func named(_ found: [Int: [String]], _ owners: [HostLibrary]) -> [(String, [String])] {
        found.sorted { $0.key < $1.key }.map { (owners[$0.key].path.lastComponent, $0.value.sorted()) }
    }

    /// Returns the index of the first library that exports a name.
    private static func owner(
        of name: SymbolName, in libraries: [HostLibrary], _ work: ELFWork
    ) throws(ELFFlaw) -> Int? {
        for (index, library) in libraries.enumerated()
        where try library.library.symbols.exported(name, work) != nil { return index }
        return nil
    }

    /// Returns those of some modules whose Interface module occurs in a name, in their order.
    func withInterface(_ modules: [String]) throws(ELFFlaw) -> [String] {
        guard !modules.isEmpty else { return [] }
        let ending = Array("Interface".utf8)
        var waiting = modules.map { (module: $0, word: Array("\($0.utf8.count + ending.count)\($0)".utf8)) }
        var found: Set<String> = []
        try library.symbols.forEach(work) { _, name throws(ELFFlaw) in
            guard name.text.hasPrefix("$s") else { return }
            var rest = name.text.bytes[...]
            while !waiting.isEmpty, let start = rest.firstIndex(of: ending[0]) {
                rest = rest[start...].dropFirst()
                guard name.text.bytes[start...].starts(with: ending) else { continue }
                let before = name.text.bytes[..<start]
                try work.add(waiting.count, "elfSymbolNames")
                waiting.removeAll { module, word in
                    before.suffix(word.count).elementsEqual(word) && found.insert(module).inserted
                }
            }
        }
        return modules.filter(found.contains)
    }
}

/// A parser for the parts of mangled Swift names that need no runtime (swift/docs/ABI/Mangling.rst).
enum MangledName {
    /// Returns the module of the type whose nominal type descriptor a symbol is.
    ///
    /// - Returns: `nil` for other symbols, and for C types, which every library describes for itself.
    static func moduleOfType(_ symbol: ByteView) -> String? {
        guard symbol.hasPrefix("$s"), symbol.hasSuffix("Mn") else { return nil }
        let rest = symbol.bytes.dropFirst(2)
        // A lone `s` is the standard library; its common types have a letter of their own.
        if let first = rest.first, "sS".utf8.contains(first) {
            let second = rest.dropFirst().first ?? 0
            let isOfC = first == UInt8(ascii: "S") && "oC".utf8.contains(second)
            return isOfC ? nil : "Swift"
        }
        let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        guard digits.count < 5, let length = Int(String(decoding: digits, as: UTF8.self)), length > 0 else {
            return nil
        }
        let name = rest.dropFirst(digits.count).prefix(length)
        return name.count == length ? String(decoding: name, as: UTF8.self) : nil
    }
}

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
            let what = ErrorReason("libraryNotLinked", ["library": "\(library)"])
            report.add(
                .unlinkedLibrary, library, reason: "suchAs", ["problem": .reason(what), "example": "\(example)"],
                remedy: ErrorReason("linkLibrary", ["setting": .text(Self.setting(for: library))]))
        }
        for symbol in names.undefined.prefix(Self.shown) {
            let what =
                Demangling.swiftName(of: symbol).map {
                    ErrorReason("symbolUndefinedSwift", ["name": "\($0)", "symbol": "\(symbol)"])
                } ?? ErrorReason("symbolUndefined", ["symbol": "\(symbol)"])
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
                ["library": "\(library)", "count": .integer(types.count)])
            let what = example.map { ErrorReason("suchAs", ["problem": .reason(copy), "example": "\($0)"]) }
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
                .otherBundle, module, reason: "moduleOfOther", ["module": "\(module)"],
                remedy: ErrorReason("dependOnInterface", ["module": "\(module)"]))
        }
    }

    /// The module's name according to the library's file name: Shop for libShop.so.
    private var ownModule: String {
        let stem = name.hasPrefix("lib") ? name.dropFirst(3) : name[...]
        return String(stem.prefix { $0 != "." })
    }
}
