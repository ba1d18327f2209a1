import PluginCore

/// The names of a library beside those of the process that it would be loaded into.
struct LibraryNames {
    /// Names that it uses and nobody defines.
    private(set) var undefined: [String] = []
    /// Types that it defines and the host's libraries define as well, by the library.
    private(set) var copied: [(library: String, types: [String])] = []
    /// The modules whose types it defines.
    private(set) var modules: Set<String> = []
    private let library: ELFLibrary
    private let work: ELFWork

    /// More are counted and not kept.
    private static let kept = 1024
    private(set) var undefinedCount = 0

    /// Reads all names.
    ///
    /// - Parameters:
    ///   - scope: the libraries that are asked for a name, in order.
    ///   - others: libraries that are in the process and not asked, of which a copy would be a second one all the same.
    ///   - work: what it may take.
    init(
        of library: ELFLibrary, scope: [HostLibrary], beside others: [HostLibrary], _ work: ELFWork
    ) throws(ELFFlaw) {
        (self.library, self.work) = (library, work)
        var (undefined, count, modules) = ([String](), 0, Set<String>())
        let owners = scope + others
        var copies: [Int: [String]] = [:]
        try library.symbols.forEach(work) { symbol, name throws(ELFFlaw) in
            if symbol.isWanted, try Self.owner(of: name, in: scope, work) == nil {
                count += 1
                if undefined.count < Self.kept { undefined.append(name.text.string) }
            } else if symbol.isExported, let module = MangledName.moduleOfType(name.text) {
                if modules.count < Self.kept { modules.insert(module) }
                if let owner = try Self.owner(of: name, in: owners, work),
                    copies[owner, default: []].count < Self.kept
                {
                    copies[owner, default: []].append(name.text.string)
                }
            }
        }
        (self.undefined, undefinedCount, self.modules) = (undefined.sorted(), count, modules)
        copied = copies.sorted { $0.key < $1.key }.map { (owners[$0.key].path.lastComponent, $0.value.sorted()) }
    }

    /// The first library that exports a name, by its place among them.
    private static func owner(
        of name: SymbolName, in libraries: [HostLibrary], _ work: ELFWork
    ) throws(ELFFlaw) -> Int? {
        for (index, library) in libraries.enumerated()
        where try library.library.symbols.exported(name, work) != nil { return index }
        return nil
    }

    /// Those of some modules of whose Interface any name speaks, in their order.
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
                try work.add(waiting.count, "the names of its symbols")
                waiting.removeAll { module, word in
                    before.suffix(word.count).elementsEqual(word) && found.insert(module).inserted
                }
            }
        }
        return modules.filter(found.contains)
    }
}

/// What can be told of a Swift symbol without the runtime (swift/docs/ABI/Mangling.rst).
enum MangledName {
    /// The module of the type that a symbol is the nominal type descriptor of; `nil` for every other symbol.
    ///
    /// Types of C, which every library describes for itself, have none here.
    static func moduleOfType(_ symbol: ByteView) -> String? {
        guard symbol.hasPrefix("$s"), symbol.hasSuffix("Mn") else { return nil }
        let rest = symbol.bytes.dropFirst(2)
        // `s` alone is the standard library; a standard type has a letter of its own.
        if let first = rest.first, first == UInt8(ascii: "s") || first == UInt8(ascii: "S") {
            let second = rest.dropFirst().first ?? 0
            let isOfC = first == UInt8(ascii: "S") && [UInt8(ascii: "o"), UInt8(ascii: "C")].contains(second)
            return isOfC ? nil : "Swift"
        }
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard digits.count < 5, let length = Int(String(decoding: digits, as: UTF8.self)), length > 0 else {
            return nil
        }
        let name = rest.dropFirst(digits.count).prefix(length)
        return name.count == length ? String(decoding: name, as: UTF8.self) : nil
    }
}
