import CELF
import HostSystem
import PluginCore

/// Checks of a library's memory layout, on which the loader relies without checking it.
///
/// Nothing here depends on section headers, which no loader reads.
extension ELFLibrary {
    /// Throws the first problem.
    func checkLayout(_ work: ELFWork) throws(ELFFlaw) {
        try checkLoads()
        try checkHeaders()
        try checkTables()
        try checkVersions()
        try ELFRelocations(of: self).check(work)
    }

    /// The end of the largest address space of supported machines.
    private static let memoryEnd: UInt64 = 1 << 46
    private static let alignmentLimit: UInt64 = 1 << 21
    /// The maximum size of thread-local storage, in bytes.
    private static let threadLimit: UInt64 = 1 << 24

    private func checkLoads() throws(ELFFlaw) {
        let page = Platform.pageSize
        var free: UInt64 = 0
        for load in segments.loads {
            let isMappable =
                load.end <= Self.memoryEnd && load.p_align.nonzeroBitCount == 1
                && load.p_align <= Self.alignmentLimit
                && (load.p_vaddr &- load.p_offset) % max(load.p_align, page) == 0
            try check(isMappable, "elfSegmentUnmappable")
            try check(!(load.isWritable && load.isExecutable), "elfWritableCode")
            // The page would be mapped from the file position of the other segment.
            try check(load.p_vaddr / page * page >= free, "elfSharedPage")
            free = (load.end + page - 1) / page * page
        }
        guard let first = segments.loads.first, let last = segments.loads.last else { return }
        let (size, limit) = (last.end - first.p_vaddr, ELFSegments.memoryLimit)
        guard size <= limit else {
            throw .excessive(ErrorReason("elfMemoryTooLarge", ["size": "\(size)", "limit": "\(limit)"]))
        }
    }

    private func checkHeaders() throws(ELFFlaw) {
        var seen: Set<Int32> = []
        for header in segments.headers {
            let kind = Int32(bitPattern: header.p_type)
            switch kind {
            case PT_LOAD, PT_GNU_STACK: break
            case PT_DYNAMIC:
                let load = segments.load(at: header.p_vaddr, count: header.p_filesz)
                try check(header.p_vaddr % 8 == 0 && load?.isWritable == true, "elfDynamicReadOnly")
            case PT_PHDR:
                let size = UInt64(segments.headers.count * MemoryLayout<Elf64_Phdr>.size)
                let isTable = header.p_offset == self.header.fields.e_phoff && header.p_filesz == size
                try check(isTable && header.p_memsz == size, "elfProgramHeadersElsewhere")
                _ = try segments.content(of: header, "elfProgramHeaders")
            case PT_TLS:
                let isSound =
                    header.p_filesz <= header.p_memsz && header.p_memsz <= Self.threadLimit
                    && header.p_align.nonzeroBitCount == 1 && header.p_align <= Platform.pageSize
                try check(isSound, "elfPartInconsistent", in: "elfThreadLocalStorage")
                if header.p_filesz > 0 { _ = try segments.content(of: header, "elfThreadLocalStorage") }
            case PT_NOTE, PT_GNU_PROPERTY:
                let notes = ELFNote.all(in: try segments.content(of: header, "elfNotes"), header.noteAlignment)
                try check(header.p_filesz == header.p_memsz && notes.areWhole, "elfNotesInconsistent")
            case PT_GNU_EH_FRAME: _ = try segments.content(of: header, "elfUnwindingTable")
            case PT_GNU_RELRO:
                let page = Platform.pageSize
                let load = segments.loads.first {
                    $0.isWritable && header.p_vaddr >= $0.p_vaddr && header.p_vaddr < $0.end
                }
                let end = load.map { ($0.end + page - 1) / page * page }
                try check(end.map { header.end <= $0 } == true, "elfReadOnlyPartOutside")
            default: continue
            }
            let mayRepeat = kind == PT_LOAD || kind == PT_NOTE
            try check(mayRepeat || seen.insert(kind).inserted, "elfHeaderTwice")
        }
        // Without this header the loader makes the stack executable.
        let hasStack = segments.headers.contains { $0.isOf(PT_GNU_STACK) && !$0.isExecutable }
        try check(hasStack, "elfExecutableStack")
    }

    private func checkTables() throws(ELFFlaw) {
        try check((dynamic[DT_FLAGS_1] ?? 0) & UInt64(DF_1_NOOPEN) == 0, "elfNoDlopen")
        let isCodeFixed = dynamic[DT_TEXTREL] == nil && (dynamic[DT_FLAGS] ?? 0) & UInt64(DF_TEXTREL) == 0
        try check(isCodeFixed, "elfTextRelocations")
        try check(dynamic[DT_REL] == nil && dynamic[DT_SYMENT] ?? 24 == 24, "elfTablesOfOtherMachine")
        try checkTogether([DT_RELA, DT_RELASZ, DT_RELAENT], "elfRelocationTable")
        try checkTogether([DT_JMPREL, DT_PLTRELSZ, DT_PLTREL], "elfPLTRelocationTable")
        try checkTogether([DT_RELR, DT_RELRSZ, DT_RELRENT], "elfRelativeRelocations")
        for (tag, size) in [(DT_RELAENT, UInt64(24)), (DT_PLTREL, UInt64(DT_RELA)), (DT_RELRENT, 8)] {
            try check(dynamic[tag] ?? size == size, "elfRelocationsOfOtherMachine")
        }
        for (start, size, part) in [
            (DT_INIT_ARRAY, DT_INIT_ARRAYSZ, "elfInitializers"),
            (DT_FINI_ARRAY, DT_FINI_ARRAYSZ, "elfFinalizers"),
        ] {
            try checkTogether([start, size], part)
            guard let start = dynamic[start], let size = dynamic[size], size > 0 else { continue }
            try check(start % 8 == 0 && size % 8 == 0, "elfPartInconsistent", in: part)
            _ = try segments.mapped(at: start, count: size, part)
        }
        try check([DT_INIT, DT_FINI].compactMap { dynamic[$0] }.allSatisfy(isCode), "elfInitializerNotCode")
    }

    /// Checks that either all of some tags exist, or none.
    private func checkTogether(_ tags: [Int32], _ part: String) throws(ELFFlaw) {
        let count = tags.count { dynamic[$0] != nil }
        try check(count == 0 || count == tags.count, "elfPartIncomplete", in: part)
    }

    func isCode(_ address: UInt64) -> Bool {
        segments.load(at: address, count: 1)?.isExecutable == true
    }

    /// Checks that each symbol's version is a defined one.
    private func checkVersions() throws(ELFFlaw) {
        let isForPacked = versions.needed.allSatisfy {
            !$0.library.hasPrefix("libc.so.") || $0.versions.contains("GLIBC_ABI_DT_RELR")
        }
        try check(dynamic[DT_RELR] == nil || isForPacked, "elfRelocationsPacked")
        let hasVersions = dynamic[DT_VERNEED] != nil || dynamic[DT_VERDEF] != nil
        guard let start = dynamic[DT_VERSYM] else {
            return try check(!hasVersions, "elfVersionsInconsistent")
        }
        let highest = versions.highest
        let numbers = try segments.mapped(
            at: start, count: UInt64(symbols.count) * 2, "elfSymbolVersions")
        let areDefined = numbers.records().allSatisfy { (number: UInt16) in number & 0x7FFF <= highest }
        try check(highest > 0 && areDefined, "elfVersionsInconsistent")
    }
}
