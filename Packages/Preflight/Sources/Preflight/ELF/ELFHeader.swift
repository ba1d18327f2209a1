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

    /// The location of a table in the file.
    struct Table: Sendable {
        let offset: UInt64
        let entrySize: UInt16
        let count: UInt16

        /// Returns the bytes of the table, after checking the size of its entries.
        fileprivate func view(in file: ByteView, _ size: Int, _ part: ErrorReason) throws(ELFFlaw) -> ByteView {
            guard count == 0 || entrySize == size else {
                throw .malformed(
                    ErrorReason("elfEntrySize", ["part": .reason(part), "size": .integer(Int(entrySize))]))
            }
            return try ELFFlaw.require(file.part(offset, UInt64(entrySize) * UInt64(count)), part)
        }
    }

    /// The size of the header of a 64-bit file.
    private static let size = 64

    /// Reads the target machine, and the locations of the tables if the file is readable for this process.
    init(_ file: ByteView) throws(ELFFlaw) {
        let magic: [UInt8] = [0x7F, 0x45, 0x4C, 0x46]
        guard file.count > 0, file.bytes.prefix(4).elementsEqual(magic.prefix(file.count)) else { throw .noELF }
        let width: UInt8 = try ELFFlaw.require(file.integer(at: 4), ErrorReason("elfHeader"))
        let order: UInt8 = try ELFFlaw.require(file.integer(at: 5), ErrorReason("elfHeader"))
        guard (1...2).contains(width), (1...2).contains(order) else {
            throw .malformed(ErrorReason("elfUnknownOrder"))
        }
        bits = width == 1 ? 32 : 64
        isLittleEndian = order == 1
        let type: UInt16 = try ELFFlaw.require(file.integer(at: 16), ErrorReason("elfHeader"))
        let machine: UInt16 = try ELFFlaw.require(file.integer(at: 18), ErrorReason("elfHeader"))
        self.type = order == 1 ? type : type.byteSwapped
        self.machine = ELFMachine(number: order == 1 ? machine : machine.byteSwapped)
        guard width == 2, order == 1 else {
            segments = Table(offset: 0, entrySize: 0, count: 0)
            sections = segments
            return
        }
        guard let header = file.part(0, UInt64(Self.size)), let segments = Self.table(header, 32, 54),
            let sections = Self.table(header, 40, 58)
        else { throw .truncated(ErrorReason("elfHeader")) }
        try Self.checkIdentity(header)
        self.segments = segments
        self.sections = sections
    }

    /// Checks the version and the system of the format as the loader does.
    ///
    /// The loader's check is `open_verify` in glibc. Tools of this system write 0 for the system, or 3 for a file with unique or
    /// indirect symbols.
    private static func checkIdentity(_ header: ByteView) throws(ELFFlaw) {
        guard header.bytes[6] == 1, header.integer(UInt32.self, at: 20) == 1 else {
            throw .malformed(ErrorReason("elfUnknownVersion"))
        }
        guard [0, 3].contains(header.bytes[7]), header.bytes[8] == 0 else {
            throw .malformed(ErrorReason("elfOtherSystem"))
        }
        guard header.bytes[9..<16].allSatisfy({ $0 == 0 }) else {
            throw .malformed(ErrorReason("elfReservedBytes"))
        }
    }

    /// The type of a shared library, ET_DYN.
    static let sharedObject: UInt16 = 3

    /// A Boolean value that indicates whether the file has the word size and byte order of this process.
    var isReadable: Bool { bits == 64 && isLittleEndian }

    private static func table(_ header: ByteView, _ offset: Int, _ size: Int) -> Table? {
        guard let start: UInt64 = header.integer(at: offset), let entry: UInt16 = header.integer(at: size),
            let count: UInt16 = header.integer(at: size + 2)
        else { return nil }
        return Table(offset: start, entrySize: entry, count: count)
    }

    func segmentTable(in file: ByteView) throws(ELFFlaw) -> ByteView {
        try segments.view(in: file, ELFSegments.entrySize, ErrorReason("elfProgramHeaders"))
    }

    func sectionTable(in file: ByteView) throws(ELFFlaw) -> ByteView {
        try sections.view(in: file, 64, ErrorReason("elfSectionHeaders"))
    }
}

/// The machine that a file is built for, as in the header's field e_machine.
struct ELFMachine: Hashable, Sendable, CustomStringConvertible {
    let number: UInt16

    init(number: UInt16) {
        self.number = number
    }

    private static let names: [UInt16: String] = [
        2: "sparc", 3: "x86", 8: "mips", 20: "powerpc", 21: "powerpc64", 22: "s390", 40: "arm", 43: "sparc64",
        62: "x86_64", 183: "aarch64", 243: "riscv", 258: "loongarch",
    ]

    /// Creates the machine of a platform, by the first part of its triple; fails for an unknown name.
    init?(platform: String) {
        let name = String(platform.prefix { $0 != "-" })
        guard let number = Self.names.first(where: { $0.value == name })?.key else { return nil }
        self.init(number: number)
    }

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
