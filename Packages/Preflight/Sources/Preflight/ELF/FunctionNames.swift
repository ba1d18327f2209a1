import HostSystem
public import PluginCore

/// The functions of a library by their addresses, from its symbol table, or from its dynamic one if it is stripped.
///
/// See elf(5), "Section header" and "String and symbol tables". The file may contain anything.
public struct FunctionNames: Sendable {
    private static let nameLimit = 4096
    private static let (symbolTable, dynamicSymbols) = (UInt32(2), UInt32(11))

    private struct Function: Sendable {
        let start: UInt64
        let size: UInt64
        let name: Int
    }

    private let functions: [Function]
    private let texts: ByteView

    /// Reads the table of a library; `nil` if the file is not a readable library.
    public init?(ofLibrary path: FilePath) {
        guard let file = try? MappedFile(path, isLinkFollowed: true) else { return nil }
        let view = ByteView(file)
        guard let header = try? ELFHeader(view), header.isReadable, let sections = try? header.sectionTable(in: view),
            let (symbols, texts) = Self.table(Self.symbolTable, sections, view)
                ?? Self.table(Self.dynamicSymbols, sections, view)
        else { return nil }
        self.texts = texts
        functions = stride(from: 0, to: symbols.count, by: ELFSymbols.entrySize).compactMap { place in
            guard let name: UInt32 = symbols.integer(at: place), let info: UInt8 = symbols.integer(at: place + 4),
                let section: UInt16 = symbols.integer(at: place + 6), info & 15 == 2, section != 0,
                let start: UInt64 = symbols.integer(at: place + 8), let size: UInt64 = symbols.integer(at: place + 16)
            else { return nil }
            return Function(start: start, size: size, name: Int(name))
        }
    }

    /// Returns the symbols of the first table of a type, and its texts.
    private static func table(
        _ type: UInt32, _ sections: ByteView, _ file: ByteView
    ) -> (symbols: ByteView, texts: ByteView)? {
        let size = 64
        for place in stride(from: 0, to: sections.count, by: size) where sections.integer(at: place + 4) == type {
            guard let link: UInt32 = sections.integer(at: place + 40),
                let symbols = content(place, sections, file), let texts = content(Int(link) * size, sections, file)
            else { return nil }
            return (symbols, texts)
        }
        return nil
    }

    private static func content(_ place: Int, _ sections: ByteView, _ file: ByteView) -> ByteView? {
        guard let offset: UInt64 = sections.integer(at: place + 24), let size: UInt64 = sections.integer(at: place + 32)
        else { return nil }
        return file.part(offset, size)
    }

    /// Returns the function with the code at an address, with its start and its name in the file.
    public func function(at address: UInt64) -> (name: String, start: UInt64)? {
        let containing = functions.filter { $0.start <= address && address - $0.start < $0.size }
        guard let function = containing.max(by: { $0.start < $1.start }),
            let name = texts.text(at: function.name, limit: Self.nameLimit)
        else { return nil }
        return (name.string, function.start)
    }
}
