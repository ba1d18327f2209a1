import CELF
import HostSystem
public import PluginCore
import Processes

/// The names that a library exports and imports, and the size of its debug information.
///
/// Two versions of a library that plugins link are compatible only if the newer one exports all names of the older one.
///
/// ```swift
/// let removed = old.exported.subtracting(new.exported)
/// print(removed.map(LibrarySymbols.swiftName))    // ["Money.Amount.rounded() -> Money.Amount"]
/// ```
public struct LibrarySymbols: Sendable, Equatable {
    /// The names that other libraries can use. Those that begin with an underscore are reserved, and are left out.
    public let exported: Set<String>
    /// The names that other libraries must define.
    public let imported: Set<String>
    /// The size of the sections that only debuggers read, in bytes.
    public let debugSize: Int
    /// The build ID that the linker has given to the library, in lowercase hexadecimal.
    public let buildID: String?

    /// Creates a description.
    public init(
        exported: Set<String> = [], imported: Set<String> = [], debugSize: Int = 0, buildID: String? = nil
    ) {
        self.exported = exported
        self.imported = imported
        self.debugSize = debugSize
        self.buildID = buildID
    }

    /// Reads a library.
    ///
    /// - Parameter content: the bytes of the library.
    /// - Returns: `nil` for a file that isn't a sound library; ``LibraryPreflight`` reports the reason.
    public init?(_ content: some Collection<UInt8>) {
        let file = ByteView(MappedFile(copying: content))
        var (exported, imported) = (Set<String>(), Set<String>())
        do {
            let library = try ELFLibrary(file)
            try library.symbols.forEach(ELFWork(size: file.count)) { symbol, name throws(ELFFlaw) in
                if symbol.isWanted { imported.insert(name.text.string) }
                guard symbol.isExported, !name.text.hasPrefix("_") else { return }
                exported.insert(name.text.string)
            }
            debugSize = try Self.debugSize(of: file, library.header)
            buildID = library.notes.lazy.compactMap(\.buildID).first
        } catch {
            return nil
        }
        (self.exported, self.imported) = (exported, imported)
    }

    /// Returns a name as its author wrote it, if it is a Swift name, and otherwise unchanged.
    public static func swiftName(_ symbol: String) -> String { Demangling.swiftName(of: symbol) ?? symbol }

    /// Returns the size of the sections whose names begin with `.debug_` (DWARF 5, section 7.3).
    private static func debugSize(of file: ByteView, _ header: ELFHeader) throws(ELFFlaw) -> Int {
        let sections = try header.sectionHeaders(in: file)
        let names = Int(header.fields.e_shstrndx)
        guard sections.indices.contains(names), let texts = sections[names].content(in: file) else { return 0 }
        let debug = sections.filter { section in
            section.content(in: file) != nil
                && texts.text(at: Int(section.sh_name), limit: 64)?.hasPrefix(".debug_") == true
        }
        return debug.reduce(0) { $0 + Int($1.sh_size) }
    }
}

extension Elf64_Shdr {
    fileprivate func content(in file: ByteView) -> ByteView? { file.part(sh_offset, sh_size) }
}

/// The functions of a library by their addresses, from its symbol table, or from its dynamic one if it is stripped.
///
/// See elf(5), "Section header" and "String and symbol tables". The file may contain anything.
public struct FunctionNames: Sendable {
    private static let nameLimit = 4096

    private let functions: [Elf64_Sym]
    private let texts: ByteView

    /// Reads the table of a library; `nil` if the file is not a readable library.
    public init?(ofLibrary path: FilePath) {
        guard let file = try? MappedFile(path, isLinkFollowed: true) else { return nil }
        let view = ByteView(file)
        guard let header = try? ELFHeader(view), header.isReadable, let sections = try? header.sectionHeaders(in: view)
        else { return nil }
        // A table that is not in the file gives way to the other.
        let tables = [SHT_SYMTAB, SHT_DYNSYM].lazy.compactMap { type -> (ByteView, ByteView)? in
            guard let table = sections.first(where: { $0.sh_type == type }), let symbols = table.content(in: view),
                sections.indices.contains(Int(table.sh_link))
            else { return nil }
            return sections[Int(table.sh_link)].content(in: view).map { (symbols, $0) }
        }
        guard let (symbols, texts) = tables.first else { return nil }
        self.texts = texts
        functions = symbols.records().filter { (symbol: Elf64_Sym) in symbol.isFunction && symbol.isDefined }
    }

    /// Returns the function with the code at an address, with its start and its name in the file.
    public func function(at address: UInt64) -> (name: String, start: UInt64)? {
        let containing = functions.filter { $0.st_value <= address && address - $0.st_value < $0.st_size }
        guard let function = containing.max(by: { $0.st_value < $1.st_value }),
            let name = texts.text(at: Int(function.st_name), limit: Self.nameLimit)
        else { return nil }
        return (name.string, function.st_value)
    }
}
