import HostSystem
import PluginCore

/// Checks of a library's memory layout, on which the loader relies without checking it.
///
/// Nothing here depends on section headers, which no loader reads.
struct ELFLayout {
    let library: ELFLibrary
    var segments: ELFSegments { library.segments }
    var dynamic: ELFDynamic { library.dynamic }

    init(_ library: ELFLibrary) { self.library = library }

    /// Throws the first problem.
    func check(_ work: ELFWork) throws(ELFFlaw) {
        try checkLoads()
        try checkHeaders()
        try checkTables()
        try checkVersions()
        try ELFRelocations(self).check(work)
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
                load.end <= Self.memoryEnd && load.alignment.nonzeroBitCount == 1
                && load.alignment <= Self.alignmentLimit
                && (load.address &- load.offset) % max(load.alignment, page) == 0
            try ELFFlaw.check(isMappable, "elfSegmentUnmappable")
            try ELFFlaw.check(!(load.isWritable && load.isExecutable), "elfWritableCode")
            // The page would be mapped from the file position of the other segment.
            try ELFFlaw.check(load.address / page * page >= free, "elfSharedPage")
            free = (load.end + page - 1) / page * page
        }
        guard let first = segments.loads.first, let last = segments.loads.last else { return }
        let (size, limit) = (last.end - first.address, ELFSegments.memoryLimit)
        guard size <= limit else {
            throw .excessive(ErrorReason("elfMemoryTooLarge", ["size": "\(size)", "limit": "\(limit)"]))
        }
    }

    private func checkHeaders() throws(ELFFlaw) {
        var seen: Set<ELFProgramHeader.Kind> = []
        for header in segments.headers {
            guard let kind = header.kind else { continue }
            try ELFFlaw.check(kind == .load || kind == .note || seen.insert(kind).inserted, "elfHeaderTwice")
            switch kind {
            case .load, .stack: break
            case .dynamic:
                let load = segments.load(at: header.address, count: header.fileSize)
                try ELFFlaw.check(header.address % 8 == 0 && load?.isWritable == true, "elfDynamicReadOnly")
            case .table:
                let size = UInt64(segments.headers.count * MemoryLayout<ELFProgramHeader>.size)
                let isTable = header.offset == library.header.segments.offset && header.fileSize == size
                try ELFFlaw.check(isTable && header.memorySize == size, "elfProgramHeadersElsewhere")
                _ = try segments.content(of: header, "elfProgramHeaders")
            case .threads:
                let isSound =
                    header.fileSize <= header.memorySize && header.memorySize <= Self.threadLimit
                    && header.alignment.nonzeroBitCount == 1 && header.alignment <= Platform.pageSize
                try ELFFlaw.check(isSound, "elfPartInconsistent", in: "elfThreadLocalStorage")
                if header.fileSize > 0 { _ = try segments.content(of: header, "elfThreadLocalStorage") }
            case .note, .property:
                let notes = ELFNote.all(in: try segments.content(of: header, "elfNotes"), header.noteAlignment)
                try ELFFlaw.check(header.fileSize == header.memorySize && notes.areWhole, "elfNotesInconsistent")
            case .unwinding: _ = try segments.content(of: header, "elfUnwindingTable")
            case .readOnly:
                let page = Platform.pageSize
                let load = segments.loads.first {
                    $0.isWritable && header.address >= $0.address && header.address < $0.end
                }
                let end = load.map { ($0.end + page - 1) / page * page }
                try ELFFlaw.check(end.map { header.end <= $0 } == true, "elfReadOnlyPartOutside")
            }
        }
        // Without this header the loader makes the stack executable.
        let hasStack = segments.headers.contains { $0.kind == .stack && !$0.isExecutable }
        try ELFFlaw.check(hasStack, "elfExecutableStack")
    }

    private func checkTables() throws(ELFFlaw) {
        try ELFFlaw.check((dynamic[.flags] ?? 0) & 0x40 == 0, "elfNoDlopen")
        let isCodeFixed = dynamic[.textRelocations] == nil && (dynamic[.loaderFlags] ?? 0) & 4 == 0
        try ELFFlaw.check(isCodeFixed, "elfTextRelocations")
        let symbolSize = dynamic[.symbolSize] ?? 24
        try ELFFlaw.check(dynamic[.smallRelocations] == nil && symbolSize == 24, "elfTablesOfOtherMachine")
        try checkTogether([.relocations, .relocationSize, .relocationEntrySize], "elfRelocationTable")
        try checkTogether(
            [.relocationsOfCalls, .relocationSizeOfCalls, .relocationKindOfCalls], "elfPLTRelocationTable")
        try checkTogether(
            [.relativeRelocations, .relativeRelocationSize, .relativeRelocationEntrySize],
            "elfRelativeRelocations")
        let sizes: [(ELFDynamic.Tag, UInt64)] = [
            (.relocationEntrySize, 24), (.relocationKindOfCalls, 7), (.relativeRelocationEntrySize, 8),
        ]
        for (tag, size) in sizes { try ELFFlaw.check(dynamic[tag] ?? size == size, "elfRelocationsOfOtherMachine") }
        for (start, size, part) in [
            (ELFDynamic.Tag.initializers, ELFDynamic.Tag.initializerSize, "elfInitializers"),
            (.finalizers, .finalizerSize, "elfFinalizers"),
        ] {
            try checkTogether([start, size], part)
            guard let start = dynamic[start], let size = dynamic[size], size > 0 else { continue }
            try ELFFlaw.check(start % 8 == 0 && size % 8 == 0, "elfPartInconsistent", in: part)
            _ = try segments.mapped(at: start, count: size, part)
        }
        let called = [ELFDynamic.Tag.initializer, .finalizer].compactMap { dynamic[$0] }
        try ELFFlaw.check(called.allSatisfy(isCode), "elfInitializerNotCode")
    }

    /// Checks that either all of some tags exist, or none.
    private func checkTogether(_ tags: [ELFDynamic.Tag], _ part: String) throws(ELFFlaw) {
        let count = tags.count { dynamic[$0] != nil }
        try ELFFlaw.check(count == 0 || count == tags.count, "elfPartIncomplete", in: part)
    }

    func isCode(_ address: UInt64) -> Bool {
        segments.load(at: address, count: 1)?.isExecutable == true
    }

    /// Checks that each symbol's version is a defined one.
    private func checkVersions() throws(ELFFlaw) {
        let isForPacked = library.versions.needed.allSatisfy {
            !$0.library.hasPrefix("libc.so.") || $0.versions.contains("GLIBC_ABI_DT_RELR")
        }
        try ELFFlaw.check(dynamic[.relativeRelocations] == nil || isForPacked, "elfRelocationsPacked")
        let hasVersions = dynamic[.neededVersions] != nil || dynamic[.versions] != nil
        guard let start = dynamic[.symbolVersions] else {
            return try ELFFlaw.check(!hasVersions, "elfVersionsInconsistent")
        }
        let highest = library.versions.highest
        let numbers = try segments.mapped(
            at: start, count: UInt64(library.symbols.count) * 2, "elfSymbolVersions")
        let areDefined = numbers.records().allSatisfy { (number: UInt16) in number & 0x7FFF <= highest }
        try ELFFlaw.check(highest > 0 && areDefined, "elfVersionsInconsistent")
    }
}
