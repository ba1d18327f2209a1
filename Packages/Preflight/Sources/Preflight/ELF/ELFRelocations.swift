import CELF
import PluginCore

/// The relocations of a library, which the loader applies before any of its code runs (elf(5), "Relocation entries").
struct ELFRelocations {
    private let library: ELFLibrary
    private let section: Elf64_Phdr?
    private let hasThreads: Bool
    private var dynamic: ELFDynamic { library.dynamic }

    private static let entrySize: UInt64 = 24

    init(of library: ELFLibrary) {
        self.library = library
        section = library.segments.headers.first { $0.isOf(PT_DYNAMIC) }
        hasThreads = library.segments.headers.contains { $0.isOf(PT_TLS) && $0.p_memsz > 0 }
    }

    /// The types of relocations on this machine, since libraries for others are not checked so far.
    private enum Kind {
        #if arch(arm64)
            static let plain: Set<UInt64> = [0, 256, 257, 258, 1025, 1026, 1027, 1032]
            static let ofThreads: Set<UInt64> = [1028, 1029, 1030, 1031]
            static let (relative, indirect, wide) = (R_AARCH64_RELATIVE, R_AARCH64_IRELATIVE, R_AARCH64_TLSDESC)
        #else
            static let plain: Set<UInt64> = [0, 1, 2, 6, 7, 8, 10, 24, 32, 33, 37]
            static let ofThreads: Set<UInt64> = [16, 17, 18, 36]
            static let (relative, indirect, wide) = (R_X86_64_RELATIVE, R_X86_64_IRELATIVE, R_X86_64_TLSDESC)
        #endif
    }

    /// Checks that each relocation has a known type and an existing symbol, and writes only to writable memory of the library.
    ///
    /// - Throws: ``ELFFlaw`` for the first problem.
    func check(_ work: ELFWork) throws(ELFFlaw) {
        try checkTable(DT_RELA, DT_RELASZ, relative: dynamic[DT_RELACOUNT] ?? 0, "elfRelocationTable", work)
        try checkTable(DT_JMPREL, DT_PLTRELSZ, relative: 0, "elfPLTRelocationTable", work)
        try checkRelative(work)
        for index in 0..<library.symbols.count {
            guard let symbol = library.symbols[index], symbol.isChosen else { continue }
            guard library.isCode(symbol.st_value) else { throw Self.flaw }
        }
    }

    private static var flaw: ELFFlaw { .malformed("elfRelocationsInconsistent") }

    private func checkTable(
        _ start: Int32, _ size: Int32, relative: UInt64, _ part: String, _ work: ELFWork
    ) throws(ELFFlaw) {
        guard let start = dynamic[start], let size = dynamic[size], size > 0 else { return }
        guard size % Self.entrySize == 0, relative <= size / Self.entrySize else { throw Self.flaw }
        let table = try library.segments.mapped(at: start, count: size, part)
        try work.add(table.count, part)
        for place in stride(from: 0, to: table.count, by: Int(Self.entrySize)) {
            guard let entry: Elf64_Rela = table.value(at: place) else { throw Self.flaw }
            let type = entry.r_info & 0xFFFF_FFFF
            // The loader assumes that the first ones are relative, without checking it.
            if UInt64(place) / Self.entrySize < relative, type != Kind.relative { throw Self.flaw }
            if type == Kind.indirect, !library.isCode(UInt64(bitPattern: entry.r_addend)) { throw Self.flaw }
            try checkSymbol(Int(entry.r_info >> 32), type)
            if type & 0xFF != 0 { try checkTarget(entry.r_offset, type == Kind.wide ? 16 : 8) }
        }
    }

    private func checkSymbol(_ index: Int, _ type: UInt64) throws(ELFFlaw) {
        let isOfThreads = Kind.ofThreads.contains(type)
        guard isOfThreads || Kind.plain.contains(type), index == 0 || index < library.symbols.count else {
            throw Self.flaw
        }
        guard isOfThreads else { return }
        let symbol = index == 0 ? nil : library.symbols[index]
        // A thread-local relocation of the library's own needs a thread-local segment.
        guard symbol?.isOfThreads != false, hasThreads || symbol?.isDefined == false else { throw Self.flaw }
    }

    private func checkTarget(_ address: UInt64, _ count: UInt64) throws(ELFFlaw) {
        guard library.segments.load(at: address, count: count)?.isWritable == true else { throw Self.flaw }
        // A relocation must not change the dynamic section, which has been checked here.
        guard let section, address >= section.end || address + count <= section.p_vaddr else { throw Self.flaw }
    }

    /// Checks the packed relative relocations: addresses, each followed by bit masks for the next 63 words.
    private func checkRelative(_ work: ELFWork) throws(ELFFlaw) {
        guard let start = dynamic[DT_RELR], let size = dynamic[DT_RELRSZ], size > 0
        else { return }
        guard size % 8 == 0 else { throw Self.flaw }
        let part = "elfRelativeRelocations"
        let table = try library.segments.mapped(at: start, count: size, part)
        var next: UInt64?
        // One by one, because the table may be as large as the file, and its first word may be wrong.
        for place in stride(from: 0, to: table.count, by: 8) {
            guard let word: UInt64 = table.value(at: place) else { throw Self.flaw }
            try work.add(8 * word.nonzeroBitCount, part)
            guard word & 1 == 1 else {
                try checkTarget(word, 8)
                next = word + 8
                continue
            }
            guard let base = next else { throw Self.flaw }
            for bit in 1..<64 as Range<UInt64> where word >> bit & 1 == 1 { try checkTarget(base &+ (bit - 1) * 8, 8) }
            next = base &+ 63 * 8
        }
    }
}
