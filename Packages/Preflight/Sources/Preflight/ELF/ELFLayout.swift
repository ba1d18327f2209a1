import HostSystem
import PluginCore

/// Checks of a library's memory layout, on which the loader relies without checking it.
///
/// Nothing here depends on section headers, which no loader reads.
struct ELFLayout {
    private let library: ELFLibrary
    private let header: ELFHeader
    private var segments: ELFSegments { library.segments }
    private var dynamic: ELFDynamic { library.dynamic }

    init(_ library: ELFLibrary, _ header: ELFHeader) {
        self.library = library
        self.header = header
    }

    /// Throws the first problem.
    func check() throws(ELFFlaw) {
        try checkLoads()
        try checkHeaders()
        try checkStack()
        try checkTables()
        try checkCode()
        try checkVersions()
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
            guard load.end <= Self.memoryEnd, load.alignment.nonzeroBitCount == 1,
                load.alignment <= Self.alignmentLimit,
                (load.address &- load.offset) % max(load.alignment, page) == 0
            else { throw .malformed("elfSegmentUnmappable") }
            guard !(load.isWritable && load.isExecutable) else { throw .malformed("elfWritableCode") }
            // The page would be mapped from the file position of the other segment.
            guard load.address / page * page >= free else { throw .malformed("elfSharedPage") }
            free = (load.end + page - 1) / page * page
        }
        guard let first = segments.loads.first, let last = segments.loads.last else { return }
        guard last.end - first.address <= ELFSegments.memoryLimit else {
            let (size, limit) = (last.end - first.address, ELFSegments.memoryLimit)
            throw .excessive(ErrorReason("elfMemoryTooLarge", ["size": "\(size)", "limit": "\(limit)"]))
        }
    }

    private func checkHeaders() throws(ELFFlaw) {
        var seen: Set<ELFProgramHeader.Kind> = []
        for header in segments.headers {
            guard let kind = header.kind else { continue }
            guard kind == .load || kind == .note || seen.insert(kind).inserted else {
                throw .malformed("elfHeaderTwice")
            }
            switch kind {
            case .load, .stack: break
            case .dynamic:
                guard header.address % 8 == 0,
                    segments.load(at: header.address, count: header.fileSize)?.isWritable == true
                else { throw .malformed("elfDynamicReadOnly") }
            case .table:
                let size = UInt64(segments.headers.count * MemoryLayout<ELFProgramHeader>.size)
                guard header.offset == self.header.segments.offset, header.fileSize == size, header.memorySize == size
                else { throw .malformed("elfProgramHeadersElsewhere") }
                _ = try segments.content(of: header, "elfProgramHeaders")
            case .threads:
                guard header.fileSize <= header.memorySize, header.memorySize <= Self.threadLimit,
                    header.alignment.nonzeroBitCount == 1, header.alignment <= Platform.pageSize
                else { throw .malformed("elfPartInconsistent", in: "elfThreadLocalStorage") }
                if header.fileSize > 0 { _ = try segments.content(of: header, "elfThreadLocalStorage") }
            case .note, .property:
                let content = try segments.content(of: header, "elfNotes")
                guard header.fileSize == header.memorySize, ELFNote.all(in: content, header.noteAlignment).areWhole
                else { throw .malformed("elfNotesInconsistent") }
            case .unwinding: _ = try segments.content(of: header, "elfUnwindingTable")
            case .readOnly:
                let page = Platform.pageSize
                let load = segments.loads.first {
                    $0.isWritable && header.address >= $0.address && header.address < $0.end
                }
                guard let load, header.end <= (load.end + page - 1) / page * page else {
                    throw .malformed("elfReadOnlyPartOutside")
                }
            }
        }
    }

    private func checkStack() throws(ELFFlaw) {
        // Without this header the loader makes the stack executable.
        guard segments.headers.contains(where: { $0.kind == .stack && !$0.isExecutable }) else {
            throw .malformed("elfExecutableStack")
        }
    }

    private func checkTables() throws(ELFFlaw) {
        guard (dynamic[.flags] ?? 0) & 0x40 == 0 else { throw .malformed("elfNoDlopen") }
        guard dynamic[.textRelocations] == nil, (dynamic[.loaderFlags] ?? 0) & 4 == 0 else {
            throw .malformed("elfTextRelocations")
        }
        guard dynamic[.smallRelocations] == nil, dynamic[.symbolSize] ?? UInt64(ELFSymbols.entrySize) == 24 else {
            throw .malformed("elfTablesOfOtherMachine")
        }
        try checkTogether([.relocations, .relocationSize, .relocationEntrySize], "elfRelocationTable")
        try checkTogether(
            [.relocationsOfCalls, .relocationSizeOfCalls, .relocationKindOfCalls], "elfPLTRelocationTable")
        try checkTogether(
            [.relativeRelocations, .relativeRelocationSize, .relativeRelocationEntrySize],
            "elfRelativeRelocations")
        guard dynamic[.relocationEntrySize] ?? 24 == 24, dynamic[.relocationKindOfCalls] ?? 7 == 7,
            dynamic[.relativeRelocationEntrySize] ?? 8 == 8
        else { throw .malformed("elfRelocationsOfOtherMachine") }
        for (start, size, part) in [
            (ELFDynamic.Tag.initializers, ELFDynamic.Tag.initializerSize, "elfInitializers"),
            (.finalizers, .finalizerSize, "elfFinalizers"),
        ] {
            try checkTogether([start, size], part)
            guard let start = dynamic[start], let size = dynamic[size], size > 0 else { continue }
            guard start % 8 == 0, size % 8 == 0 else {
                throw .malformed("elfPartInconsistent", in: part)
            }
            _ = try segments.mapped(at: start, count: size, part)
        }
    }

    /// Checks that either all of some tags exist, or none.
    private func checkTogether(_ tags: [ELFDynamic.Tag], _ part: String) throws(ELFFlaw) {
        let count = tags.count { dynamic[$0] != nil }
        guard count == 0 || count == tags.count else {
            throw .malformed("elfPartIncomplete", in: part)
        }
    }

    /// Checks that the initializer and the finalizer are in executable segments.
    private func checkCode() throws(ELFFlaw) {
        let called = [ELFDynamic.Tag.initializer, .finalizer].compactMap { dynamic[$0] }
        for address in called where !isCode(address) { throw .malformed("elfInitializerNotCode") }
    }

    func isCode(_ address: UInt64) -> Bool {
        segments.load(at: address, count: 1)?.isExecutable == true
    }

    /// Checks that each symbol's version is a defined one.
    private func checkVersions() throws(ELFFlaw) {
        let isForPacked = library.versions.needed.allSatisfy {
            !$0.library.hasPrefix("libc.so.") || $0.versions.contains("GLIBC_ABI_DT_RELR")
        }
        guard dynamic[.relativeRelocations] == nil || isForPacked else {
            throw .malformed("elfRelocationsPacked")
        }
        let hasVersions = dynamic[.neededVersions] != nil || dynamic[.versions] != nil
        guard let start = dynamic[.symbolVersions] else {
            guard !hasVersions else { throw .malformed("elfVersionsInconsistent") }
            return
        }
        let highest = library.versions.highest
        guard highest > 0 else { throw .malformed("elfVersionsInconsistent") }
        let numbers = try segments.mapped(
            at: start, count: UInt64(library.symbols.count) * 2, "elfSymbolVersions")
        guard numbers.records().allSatisfy({ (number: UInt16) in number & 0x7FFF <= highest }) else {
            throw .malformed("elfVersionsInconsistent")
        }
    }
}
