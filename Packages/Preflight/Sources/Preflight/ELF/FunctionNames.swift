import HostSystem
public import PluginCore

/// The functions of a library by their addresses, from its symbol table, or from its dynamic one if it is stripped.
///
/// See elf(5), "Section header" and "String and symbol tables". The file may contain anything.
public struct FunctionNames: Sendable {
    private static let nameLimit = 4096
    private static let (symbolTable, dynamicSymbols) = (UInt32(2), UInt32(11))

    private let functions: [ELFSymbol]
    private let texts: ByteView

    /// Reads the table of a library; `nil` if the file is not a readable library.
    public init?(ofLibrary path: FilePath) {
        guard let file = try? MappedFile(path, isLinkFollowed: true) else { return nil }
        let view = ByteView(file)
        guard let header = try? ELFHeader(view), header.isReadable, let sections = try? header.sectionHeaders(in: view)
        else { return nil }
        // A table that is not in the file gives way to the other.
        let tables = [Self.symbolTable, Self.dynamicSymbols].lazy.compactMap { type -> (ByteView, ByteView)? in
            guard let table = sections.first(where: { $0.type == type }), sections.indices.contains(Int(table.link)),
                let symbols = view.part(table.offset, table.size)
            else { return nil }
            let names = sections[Int(table.link)]
            return view.part(names.offset, names.size).map { (symbols, $0) }
        }
        guard let (symbols, texts) = tables.first else { return nil }
        self.texts = texts
        functions = symbols.records().filter { (symbol: ELFSymbol) in symbol.isFunction && symbol.isDefined }
    }

    /// Returns the function with the code at an address, with its start and its name in the file.
    public func function(at address: UInt64) -> (name: String, start: UInt64)? {
        let containing = functions.filter { $0.value <= address && address - $0.value < $0.size }
        guard let function = containing.max(by: { $0.value < $1.value }),
            let name = texts.text(at: Int(function.name), limit: Self.nameLimit)
        else { return nil }
        return (name.string, function.value)
    }
}
