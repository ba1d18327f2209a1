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
            else { throw .malformed(ErrorReason("elfSegmentUnmappable")) }
            guard !(load.isWritable && load.isExecutable) else {
                throw .malformed(ErrorReason("elfWritableCode"))
            }
            // The page would be mapped from the file position of the other segment.
            guard load.address / page * page >= free else { throw .malformed(ErrorReason("elfSharedPage")) }
            free = (load.end + page - 1) / page * page
        }
        guard let first = segments.loads.first, let last = segments.loads.last else { return }
        guard last.end - first.address <= ELFSegments.memoryLimit else {
            throw .excessive(
                ErrorReason(
                    "elfMemoryTooLarge", ["size": "\(last.end - first.address)", "limit": "\(ELFSegments.memoryLimit)"])
            )
        }
    }

    private func checkHeaders() throws(ELFFlaw) {
        var seen: Set<ELFProgramHeader.Kind> = []
        for header in segments.headers {
            guard let kind = header.kind else { continue }
            guard kind == .load || kind == .note || seen.insert(kind).inserted else {
                throw .malformed(ErrorReason("elfHeaderTwice"))
            }
            switch kind {
            case .load, .stack: break
            case .dynamic:
                guard header.address % 8 == 0,
                    segments.load(at: header.address, count: header.fileSize)?.isWritable == true
                else { throw .malformed(ErrorReason("elfDynamicReadOnly")) }
            case .table:
                let size = UInt64(self.header.segments.count) * UInt64(ELFSegments.entrySize)
                guard header.offset == self.header.segments.offset, header.fileSize == size, header.memorySize == size
                else { throw .malformed(ErrorReason("elfProgramHeadersElsewhere")) }
                _ = try segments.content(of: header, ErrorReason("elfProgramHeaders"))
            case .threads:
                guard header.fileSize <= header.memorySize, header.memorySize <= Self.threadLimit,
                    header.alignment.nonzeroBitCount == 1, header.alignment <= Platform.pageSize
                else {
                    throw .malformed(
                        ErrorReason("elfPartInconsistent", ["part": .reason(ErrorReason("elfThreadLocalStorage"))]))
                }
                if header.fileSize > 0 { _ = try segments.content(of: header, ErrorReason("elfThreadLocalStorage")) }
            case .note, .property:
                guard header.fileSize == header.memorySize,
                    ELFNotes.areWhole(
                        try segments.content(of: header, ErrorReason("elfNotes")), header.alignment == 8 ? 8 : 4)
                else { throw .malformed(ErrorReason("elfNotesInconsistent")) }
            case .unwinding: _ = try segments.content(of: header, ErrorReason("elfUnwindingTable"))
            case .readOnly:
                let page = Platform.pageSize
                let load = segments.loads.first {
                    $0.isWritable && header.address >= $0.address && header.address < $0.end
                }
                guard let load, header.end <= (load.end + page - 1) / page * page else {
                    throw .malformed(ErrorReason("elfReadOnlyPartOutside"))
                }
            }
        }
    }

    private func checkStack() throws(ELFFlaw) {
        // Without this header the loader makes the stack executable.
        guard segments.headers.contains(where: { $0.kind == .stack && !$0.isExecutable }) else {
            throw .malformed(ErrorReason("elfExecutableStack"))
        }
    }

    private func checkTables() throws(ELFFlaw) {
        guard (dynamic[.flags] ?? 0) & 0x40 == 0 else {
            throw .malformed(ErrorReason("elfNoDlopen"))
        }
        guard dynamic[.textRelocations] == nil, (dynamic[.loaderFlags] ?? 0) & 4 == 0 else {
            throw .malformed(ErrorReason("elfTextRelocations"))
        }
        guard dynamic[.smallRelocations] == nil, dynamic[.symbolSize] ?? UInt64(ELFSymbols.entrySize) == 24 else {
            throw .malformed(ErrorReason("elfTablesOfOtherMachine"))
        }
        try checkTogether([.relocations, .relocationSize, .relocationEntrySize], ErrorReason("elfRelocationTable"))
        try checkTogether(
            [.relocationsOfCalls, .relocationSizeOfCalls, .relocationKindOfCalls], ErrorReason("elfPLTRelocationTable"))
        try checkTogether(
            [.relativeRelocations, .relativeRelocationSize, .relativeRelocationEntrySize],
            ErrorReason("elfRelativeRelocations"))
        guard dynamic[.relocationEntrySize] ?? 24 == 24, dynamic[.relocationKindOfCalls] ?? 7 == 7,
            dynamic[.relativeRelocationEntrySize] ?? 8 == 8
        else { throw .malformed(ErrorReason("elfRelocationsOfOtherMachine")) }
        for (start, size, part) in [
            (ELFDynamic.Tag.initializers, ELFDynamic.Tag.initializerSize, ErrorReason("elfInitializers")),
            (.finalizers, .finalizerSize, ErrorReason("elfFinalizers")),
        ] {
            try checkTogether([start, size], part)
            guard let start = dynamic[start], let size = dynamic[size], size > 0 else { continue }
            guard start % 8 == 0, size % 8 == 0 else {
                throw .malformed(ErrorReason("elfPartInconsistent", ["part": .reason(part)]))
            }
            _ = try segments.mapped(at: start, count: size, part)
        }
    }

    /// Checks that either all of some tags exist, or none.
    private func checkTogether(_ tags: [ELFDynamic.Tag], _ part: ErrorReason) throws(ELFFlaw) {
        let count = tags.count { dynamic[$0] != nil }
        guard count == 0 || count == tags.count else {
            throw .malformed(ErrorReason("elfPartIncomplete", ["part": .reason(part)]))
        }
    }

    /// Checks that the initializer and the finalizer are in executable segments.
    private func checkCode() throws(ELFFlaw) {
        let called = [ELFDynamic.Tag.initializer, .finalizer].compactMap { dynamic[$0] }
        for address in called where !isCode(address) { throw .malformed(ErrorReason("elfInitializerNotCode")) }
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
            throw .malformed(ErrorReason("elfRelocationsPacked"))
        }
        let hasVersions = dynamic[.neededVersions] != nil || dynamic[.versions] != nil
        guard let start = dynamic[.symbolVersions] else {
            guard !hasVersions else { throw .malformed(ErrorReason("elfVersionsInconsistent")) }
            return
        }
        let highest = library.versions.highest
        guard highest > 0 else { throw .malformed(ErrorReason("elfVersionsInconsistent")) }
        let numbers = try segments.mapped(
            at: start, count: UInt64(library.symbols.count) * 2, ErrorReason("elfSymbolVersions"))
        for place in stride(from: 0, to: numbers.count, by: 2) {
            guard let number: UInt16 = numbers.integer(at: place), number & 0x7FFF <= highest else {
                throw .malformed(ErrorReason("elfVersionsInconsistent"))
            }
        }
    }
}
