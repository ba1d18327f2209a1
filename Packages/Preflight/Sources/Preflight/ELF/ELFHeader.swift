import PluginCore

/// The header of an ELF file (elf(5), "ELF header").
struct ELFHeader: Sendable {
    /// The width of addresses in bits: 32 or 64.
    let bits: Int
    let isLittleEndian: Bool
    let type: UInt16
    let machine: ELFMachine
    let segments: Table
    let sections: Table

    /// The number of the section with the names of the sections.
    let nameSection: Int

    /// The location of a table in the file.
    struct Table: Sendable {
        let offset: UInt64
        let entrySize: UInt16
        let count: UInt16

        /// Returns the entries of the table, after checking their size.
        fileprivate func entries<Entry: BitwiseCopyable>(
            in file: ByteView, _ part: String
        ) throws(ELFFlaw) -> [Entry] {
            guard count == 0 || entrySize == MemoryLayout<Entry>.size else {
                let values: [String: ErrorReason.Value] = [
                    "part": .reason(ErrorReason(part)), "size": .integer(Int(entrySize)),
                ]
                throw .malformed(ErrorReason("elfEntrySize", values))
            }
            return try ELFFlaw.require(file.part(offset, UInt64(entrySize) * UInt64(count)), part).records()
        }
    }

    /// The header of a 64-bit file.
    private struct Fields: BitwiseCopyable {
        /// The magic number, the width, the order, the version of the format, the system and its version, and reserved bytes.
        let identity: (UInt64, UInt64)
        let (type, machine, version): (UInt16, UInt16, UInt32)
        let (entry, segments, sections): (UInt64, UInt64, UInt64)
        let (flags, size): (UInt32, UInt16)
        let (segmentSize, segmentCount): (UInt16, UInt16)
        let (sectionSize, sectionCount, nameSection): (UInt16, UInt16, UInt16)
    }

    /// Reads the target machine, and the locations of the tables if the file is readable for this process.
    init(_ file: ByteView) throws(ELFFlaw) {
        let magic: [UInt8] = [0x7F, 0x45, 0x4C, 0x46]
        guard file.count > 0, file.bytes.prefix(4).elementsEqual(magic.prefix(file.count)) else { throw .noELF }
        let part = "elfHeader"
        let (width, order): (UInt8, UInt8) = try ELFFlaw.require(file.value(at: 4), part)
        guard (1...2).contains(width), (1...2).contains(order) else { throw .malformed("elfUnknownOrder") }
        bits = width == 1 ? 32 : 64
        isLittleEndian = order == 1
        let (type, machine): (UInt16, UInt16) = try ELFFlaw.require(file.value(at: 16), part)
        self.type = order == 1 ? type : type.byteSwapped
        self.machine = ELFMachine(number: order == 1 ? machine : machine.byteSwapped)
        guard width == 2, order == 1 else {
            segments = Table(offset: 0, entrySize: 0, count: 0)
            (sections, nameSection) = (segments, 0)
            return
        }
        let fields: Fields = try ELFFlaw.require(file.value(at: 0), part)
        try Self.checkIdentity(file.bytes, fields.version)
        segments = Table(offset: fields.segments, entrySize: fields.segmentSize, count: fields.segmentCount)
        sections = Table(offset: fields.sections, entrySize: fields.sectionSize, count: fields.sectionCount)
        nameSection = Int(fields.nameSection)
    }

    /// Checks the version and the system of the format as the loader does.
    ///
    /// The loader's check is `open_verify` in glibc. Tools of this system write 0 for the system, or 3 for a file with unique or
    /// indirect symbols.
    private static func checkIdentity(_ bytes: UnsafeRawBufferPointer, _ version: UInt32) throws(ELFFlaw) {
        guard bytes[6] == 1, version == 1 else { throw .malformed("elfUnknownVersion") }
        guard [0, 3].contains(bytes[7]), bytes[8] == 0 else { throw .malformed("elfOtherSystem") }
        try ELFFlaw.check(bytes[9..<16].allSatisfy({ $0 == 0 }), "elfReservedBytes")
    }

    /// The type of a shared library, ET_DYN.
    static let sharedObject: UInt16 = 3

    /// A Boolean value that indicates whether the file has the word size and byte order of this process.
    var isReadable: Bool { bits == 64 && isLittleEndian }

    func programHeaders(in file: ByteView) throws(ELFFlaw) -> [ELFProgramHeader] {
        try segments.entries(in: file, "elfProgramHeaders")
    }

    func sectionHeaders(in file: ByteView) throws(ELFFlaw) -> [ELFSectionHeader] {
        try sections.entries(in: file, "elfSectionHeaders")
    }
}

/// One section header, as it is in the file (elf(5), "Section header").
struct ELFSectionHeader: BitwiseCopyable, Sendable {
    let (name, type): (UInt32, UInt32)
    private let (flags, address): (UInt64, UInt64)
    let (offset, size): (UInt64, UInt64)
    /// The number of a related section, such as that with the names of a symbol table.
    let (link, info): (UInt32, UInt32)
    private let (alignment, entrySize): (UInt64, UInt64)
}

/// The machine that a file is built for, as in the header's field e_machine.
struct ELFMachine: Hashable, Sendable, CustomStringConvertible {
    let number: UInt16

    private static let names: [UInt16: String] = [
        2: "sparc", 3: "x86", 8: "mips", 20: "powerpc", 21: "powerpc64", 22: "s390", 40: "arm", 43: "sparc64",
        62: "x86_64", 183: "aarch64", 243: "riscv", 258: "loongarch",
    ]

    /// The name in a platform's triple, or the number when the name is unknown.
    var description: String { Self.names[number] ?? "machine \(number)" }

    /// The machine that this process runs on.
    static var host: ELFMachine {
        #if arch(x86_64)
            ELFMachine(number: 62)
        #elseif arch(arm64)
            ELFMachine(number: 183)
        #else
            ELFMachine(number: 0)
        #endif
    }
}

extension ELFMachine {
    /// Creates the machine of a platform, by the first part of its triple; fails for an unknown name.
    init?(platform: String) {
        let name = String(platform.prefix { $0 != "-" })
        guard let number = Self.names.first(where: { $0.value == name })?.key else { return nil }
        self.init(number: number)
    }

    /// The advice for a library that is for another machine, or missing for this one.
    var remedy: ErrorReason { ErrorReason("buildFor", ["machine": "\(self)"]) }
}
