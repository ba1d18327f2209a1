import HostSystem

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
            else { throw .malformed("one of its segments cannot be mapped to its address") }
            guard !(load.isWritable && load.isExecutable) else {
                throw .malformed("one of its segments is both writable and executable")
            }
            // The page would be mapped from the file position of the other segment.
            guard load.address / page * page >= free else { throw .malformed("two of its segments share a page") }
            free = (load.end + page - 1) / page * page
        }
        guard let first = segments.loads.first, let last = segments.loads.last else { return }
        guard last.end - first.address <= ELFSegments.memoryLimit else {
            throw .excessive("it takes \(last.end - first.address) bytes of memory, \(ELFSegments.memoryLimit) allowed")
        }
    }

    private func checkHeaders() throws(ELFFlaw) {
        var seen: Set<ELFProgramHeader.Kind> = []
        for header in segments.headers {
            guard let kind = header.kind else { continue }
            guard kind == .load || kind == .note || seen.insert(kind).inserted else {
                throw .malformed("it has two headers of the same type")
            }
            switch kind {
            case .load, .stack: break
            case .dynamic:
                guard header.address % 8 == 0,
                    segments.load(at: header.address, count: header.fileSize)?.isWritable == true
                else { throw .malformed("its dynamic section is not writable") }
            case .table:
                let size = UInt64(self.header.segments.count) * UInt64(ELFSegments.entrySize)
                guard header.offset == self.header.segments.offset, header.fileSize == size, header.memorySize == size
                else { throw .malformed("its program headers are not where it declares them") }
                _ = try segments.content(of: header, "its program headers")
            case .threads:
                guard header.fileSize <= header.memorySize, header.memorySize <= Self.threadLimit,
                    header.alignment.nonzeroBitCount == 1, header.alignment <= Platform.pageSize
                else { throw .malformed("its thread-local storage is inconsistent") }
                if header.fileSize > 0 { _ = try segments.content(of: header, "its thread-local storage") }
            case .note, .property:
                guard header.fileSize == header.memorySize,
                    ELFNotes.areWhole(
                        try segments.content(of: header, "its notes"), header.alignment == 8 ? 8 : 4)
                else { throw .malformed("its notes are inconsistent") }
            case .unwinding: _ = try segments.content(of: header, "its unwinding table")
            case .readOnly:
                let page = Platform.pageSize
                let load = segments.loads.first {
                    $0.isWritable && header.address >= $0.address && header.address < $0.end
                }
                guard let load, header.end <= (load.end + page - 1) / page * page else {
                    throw .malformed("its read-only-after-relocation part is outside of its segments")
                }
            }
        }
    }

    private func checkStack() throws(ELFFlaw) {
        // Without this header the loader makes the stack executable.
        guard segments.headers.contains(where: { $0.kind == .stack && !$0.isExecutable }) else {
            throw .malformed("it requires an executable stack")
        }
    }

    private func checkTables() throws(ELFFlaw) {
        guard (dynamic[.flags] ?? 0) & 0x40 == 0 else {
            throw .malformed("it forbids dlopen; it must be built without -z nodlopen")
        }
        guard dynamic[.textRelocations] == nil, (dynamic[.loaderFlags] ?? 0) & 4 == 0 else {
            throw .malformed("it has text relocations; it must be built with -fPIC")
        }
        guard dynamic[.smallRelocations] == nil, dynamic[.symbolSize] ?? UInt64(ELFSymbols.entrySize) == 24 else {
            throw .malformed("its tables are not in this machine's format")
        }
        try checkTogether([.relocations, .relocationSize, .relocationEntrySize], "its relocation table")
        try checkTogether(
            [.relocationsOfCalls, .relocationSizeOfCalls, .relocationKindOfCalls], "its PLT relocation table")
        try checkTogether(
            [.relativeRelocations, .relativeRelocationSize, .relativeRelocationEntrySize],
            "its table of relative relocations")
        guard dynamic[.relocationEntrySize] ?? 24 == 24, dynamic[.relocationKindOfCalls] ?? 7 == 7,
            dynamic[.relativeRelocationEntrySize] ?? 8 == 8
        else { throw .malformed("its relocations are not in this machine's format") }
        for (start, size, name) in [
            (ELFDynamic.Tag.initializers, ELFDynamic.Tag.initializerSize, "its list of initializers"),
            (.finalizers, .finalizerSize, "its list of finalizers"),
        ] {
            try checkTogether([start, size], name)
            guard let start = dynamic[start], let size = dynamic[size], size > 0 else { continue }
            guard start % 8 == 0, size % 8 == 0 else { throw .malformed("\(name) is inconsistent") }
            _ = try segments.mapped(at: start, count: size, name)
        }
    }

    /// Checks that either all of some tags exist, or none.
    private func checkTogether(_ tags: [ELFDynamic.Tag], _ name: String) throws(ELFFlaw) {
        let count = tags.count { dynamic[$0] != nil }
        guard count == 0 || count == tags.count else { throw .malformed("\(name) is incomplete") }
    }

    /// Checks that the initializer and the finalizer are in executable segments.
    private func checkCode() throws(ELFFlaw) {
        let called = [ELFDynamic.Tag.initializer, .finalizer].compactMap { dynamic[$0] }
        for address in called where !isCode(address) { throw .malformed("an initializer or finalizer is not code") }
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
            throw .malformed("its relocations are packed; it must be linked with -z pack-relative-relocs")
        }
        let hasVersions = dynamic[.neededVersions] != nil || dynamic[.versions] != nil
        guard let start = dynamic[.symbolVersions] else {
            guard !hasVersions else { throw .malformed("its version tables are inconsistent") }
            return
        }
        let highest = library.versions.highest
        guard highest > 0 else { throw .malformed("its version tables are inconsistent") }
        let numbers = try segments.mapped(
            at: start, count: UInt64(library.symbols.count) * 2, "its symbol version table")
        for place in stride(from: 0, to: numbers.count, by: 2) {
            guard let number: UInt16 = numbers.integer(at: place), number & 0x7FFF <= highest else {
                throw .malformed("its version tables are inconsistent")
            }
        }
    }
}
