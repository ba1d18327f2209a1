import CELF
import HostSystem
import PluginCore
import Processes

/// The header of an ELF file (elf(5), "ELF header").
struct ELFHeader {
    /// The width of addresses in bits: 32 or 64.
    let bits: Int
    let isLittleEndian: Bool
    let type: UInt16
    let machine: ELFMachine
    /// The whole header of a readable file, and otherwise zeros.
    let fields: Elf64_Ehdr

    /// Reads the target machine, and the locations of the tables if the file is readable for this process.
    init(_ file: ByteView) throws(ELFFlaw) {
        guard file.count > 0, ELFMAG.utf8.prefix(file.count).elementsEqual(file.bytes.prefix(4)) else { throw .noELF }
        let part = "elfHeader"
        let (width, order): (UInt8, UInt8) = try require(file.value(at: Int(EI_CLASS)), part)
        guard (1...2).contains(width), (1...2).contains(order) else { throw .malformed("elfUnknownOrder") }
        bits = width == ELFCLASS32 ? 32 : 64
        isLittleEndian = order == ELFDATA2LSB
        let (type, machine): (UInt16, UInt16) = try require(file.value(at: Int(EI_NIDENT)), part)
        self.type = isLittleEndian ? type : type.byteSwapped
        self.machine = ELFMachine(number: isLittleEndian ? machine : machine.byteSwapped)
        guard width == ELFCLASS64, isLittleEndian else {
            fields = Elf64_Ehdr()
            return
        }
        fields = try require(file.value(at: 0), part)
        try Self.checkIdentity(file.bytes, fields.e_version)
    }

    /// Checks the version and the system of the format as the loader does.
    ///
    /// The loader's check is `open_verify` in glibc. Tools of this system write 0 for the system, or 3 for a file with unique or
    /// indirect symbols.
    private static func checkIdentity(_ bytes: UnsafeRawBufferPointer, _ version: UInt32) throws(ELFFlaw) {
        guard bytes[6] == 1, version == 1 else { throw .malformed("elfUnknownVersion") }
        guard [0, 3].contains(bytes[7]), bytes[8] == 0 else { throw .malformed("elfOtherSystem") }
        try check(bytes[9..<16].allSatisfy({ $0 == 0 }), "elfReservedBytes")
    }

    /// A Boolean value that indicates whether the file is a shared library.
    var isSharedObject: Bool { type == ET_DYN }

    /// A Boolean value that indicates whether the file has the word size and byte order of this process.
    var isReadable: Bool { bits == 64 && isLittleEndian }

    func programHeaders(in file: ByteView) throws(ELFFlaw) -> [Elf64_Phdr] {
        try table(in: file, at: fields.e_phoff, fields.e_phnum, entrySize: fields.e_phentsize, "elfProgramHeaders")
    }

    func sectionHeaders(in file: ByteView) throws(ELFFlaw) -> [Elf64_Shdr] {
        try table(in: file, at: fields.e_shoff, fields.e_shnum, entrySize: fields.e_shentsize, "elfSectionHeaders")
    }

    /// Returns the entries of a table, after checking their size.
    private func table<Entry: BitwiseCopyable>(
        in file: ByteView, at offset: UInt64, _ count: UInt16, entrySize: UInt16, _ part: String
    ) throws(ELFFlaw) -> [Entry] {
        guard count == 0 || entrySize == MemoryLayout<Entry>.size else {
            throw .malformed(
                ErrorReason("elfEntrySize", ["part": .reason(ErrorReason(part)), "size": .integer(Int(entrySize))]))
        }
        return try require(file.part(offset, UInt64(entrySize) * UInt64(count)), part).records()
    }
}

/// The machine that a file is built for, as in the header's field e_machine.
struct ELFMachine: Hashable, CustomStringConvertible {
    let number: UInt16

    private static let names: [UInt16: String] = [
        2: "sparc", 3: "x86", 8: "mips", 20: "powerpc", 21: "powerpc64", 22: "s390", 40: "arm", 43: "sparc64",
        62: "x86_64", 183: "aarch64", 243: "riscv", 258: "loongarch",
    ]

    /// The name in a platform's triple, or the number when the name is unknown.
    var description: String { Self.names[number] ?? "machine \(number)" }

    /// The machine that this process runs on.
    static let host = ELFMachine(platform: Platform.triple) ?? ELFMachine(number: 0)
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

/// A range of an untrusted file: every read is bounds-checked, and none traps.
struct ByteView {
    private let file: MappedFile
    /// The offset of the range in the file.
    let offset: Int
    /// The number of bytes.
    let count: Int

    /// Returns the integer, or the record of integers, at an offset. Supported machines have the byte order of readable files.
    ///
    /// - Returns: `nil` when it isn't completely inside the range.
    func value<T: BitwiseCopyable>(at offset: Int) -> T? {
        guard offset >= 0, offset <= count, count - offset >= MemoryLayout<T>.size else { return nil }
        return file.bytes.loadUnaligned(fromByteOffset: self.offset + offset, as: T.self)
    }

    /// Returns the records that fill the range.
    func records<T: BitwiseCopyable>() -> [T] {
        stride(from: 0, to: count, by: MemoryLayout<T>.size).compactMap { value(at: $0) }
    }

    /// Returns a subrange.
    ///
    /// - Returns: `nil` when it isn't completely inside the range.
    func part(_ offset: UInt64, _ size: UInt64) -> ByteView? {
        guard let offset = Int(exactly: offset), let size = Int(exactly: size), offset <= count, count - offset >= size
        else { return nil }
        return ByteView(file: file, offset: self.offset + offset, count: size)
    }

    /// Returns the bytes from an offset up to the next NUL.
    ///
    /// - Returns: `nil` when there is none within the limit.
    func text(at offset: Int, limit: Int) -> ByteView? {
        guard offset >= 0, offset < count else { return nil }
        let rest = (self.offset + offset)..<(self.offset + min(count, offset + min(limit, count) + 1))
        guard let end = file.firstIndex(of: 0, in: rest) else { return nil }
        return ByteView(file: file, offset: self.offset + offset, count: end - rest.lowerBound)
    }

    /// The bytes, with indices from 0; valid as long as this value.
    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: file.bytes[offset..<offset + count])
    }

    /// The bytes as text, with invalid UTF-8 replaced.
    var string: String { String(decoding: bytes, as: UTF8.self) }

    func hasPrefix(_ text: String) -> Bool { bytes.starts(with: text.utf8) }
    func hasSuffix(_ text: String) -> Bool { bytes.suffix(text.utf8.count).elementsEqual(text.utf8) }
}

extension ByteView {
    /// Creates a view of a whole file.
    init(_ file: MappedFile) { self.init(file: file, offset: 0, count: file.bytes.count) }
}
