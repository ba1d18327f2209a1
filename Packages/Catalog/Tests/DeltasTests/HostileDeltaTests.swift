import Deltas
import Foundation
import Testing

@Suite("Deltas under an attacker's control", .tags(.large))
struct HostileDeltaTests {
    private let folder: TestFolder
    private let files: [String]
    private let delta: [UInt8]

    init() throws {
        folder = try TestFolder()
        let old = ["lib/shop": noise(20_000), "manifest.json": Array("{1}".utf8)]
        var new = old
        new["lib/shop"]?[1000] ^= 1
        files = try folder.pack("old.zip", old)
        try folder.pack("new.zip", new)
        try Delta.make(from: .files(files), to: folder.place("new.zip"), at: folder.place("delta"))
        delta = try folder.bytes("delta")
    }

    /// Applies bytes as a delta. Returns the code of the error, or nil.
    private func code(_ bytes: [UInt8], limits: DeltaLimits = DeltaLimits()) throws -> DeltaError.Code? {
        try folder.write(bytes, to: "hostile")
        do {
            _ = try folder.apply("hostile", to: .files(files), for: "new.zip", limits: limits)
            return nil
        } catch let error as DeltaError {
            #expect(try !folder.names().contains("result"))
            #expect(try !folder.names().contains { $0.hasSuffix(".tmp") })
            return error.code
        }
    }

    /// Returns a delta for the base with a frame of another content.
    private func delta(content: [UInt8], options: String = "") throws -> [UInt8] {
        try folder.write(content, to: "content")
        // From a pipe, so that the window is the given one and not that for the length of the file.
        let command = "cat '\(folder.place("content"))' | zstd -q -f -o '\(folder.place("frame"))' \(options)"
        let result = try runProgram("sh", ["-c", command])
        try #require(result.status == 0, "\(result.output)")
        return try Array(delta.prefix(52)) + folder.bytes("frame")
    }

    private func number<Number: FixedWidthInteger>(_ value: Number) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    /// Returns a step to bytes that are not similar to the base.
    private func step(_ other: Int, base: UInt32 = 0, similar: UInt32 = 0) -> [UInt8] {
        number(base) + number(similar) + number(UInt32(other))
    }

    private func segment(_ level: UInt8, _ memoryLevel: UInt8, _ length: UInt64) -> [UInt8] {
        [level, memoryLevel] + number(length)
    }

    @Test("that are not damaged are applied")
    func control() throws {
        #expect(try code(delta) == nil)
    }

    @Test("with any changed byte are refused or give the right package")
    func mutated() throws {
        // The frame has no checksum, so a change in it may be one that does not matter.
        for index in delta.indices {
            var bytes = delta
            bytes[index] ^= UInt8(1 << (index % 8))
            let code = try code(bytes)
            let allowed: [DeltaError.Code] = [.malformed, .hashMismatch, .tooLarge, .baseMismatch]
            if let code {
                #expect(allowed.contains(code))
            } else {
                #expect(try folder.bytes("result") == folder.bytes("new.zip"))
            }
            try? folder.remove("result")
        }
    }

    @Test("that are cut or longer are refused")
    func truncated() throws {
        for count in stride(from: 0, to: delta.count, by: 7) {
            #expect(try code(Array(delta.prefix(count))) == .malformed)
        }
        #expect(try code(delta + [0]) == .malformed)
        #expect(try code(delta + delta) == .malformed)
    }

    @Test("for another base are refused")
    func wrongBase() throws {
        for base in [DeltaBase.files([]), .files([files[0]]), .files(files.reversed())] {
            let error = #expect(throws: DeltaError.self) { try folder.apply("delta", to: base, for: "new.zip") }
            #expect(error?.code == .baseMismatch)
        }
    }

    @Test("that become another package, or one of another length, are refused")
    func otherPackage() throws {
        for content in ["x", String(repeating: "x", count: 1 << 20)] {
            let bytes =
                number(UInt32(1)) + segment(0, 0, UInt64(content.utf8.count)) + step(content.utf8.count)
                + Array(content.utf8)
            #expect(try code(delta(content: bytes)) == .hashMismatch)
        }
        #expect(try code(delta(content: number(UInt32(0)))) == .hashMismatch)
    }

    @Test("that become gigabytes are refused before", arguments: [0, 6])
    func bomb(_ level: UInt8) throws {
        let length = UInt64(64 << 20)
        let zeros = [UInt8](repeating: 0, count: Int(length))
        let bytes = try delta(
            content: number(UInt32(1)) + segment(level, level == 0 ? 0 : 8, length) + step(Int(length)) + zeros)
        #expect(bytes.count < 100_000)
        #expect(try code(bytes) == .hashMismatch)
        var limits = DeltaLimits()
        limits.contentLength = 32 << 20
        #expect(try code(bytes, limits: limits) == .tooLarge)
    }

    @Test("with a window beyond the limits are refused")
    func window() throws {
        let content = number(UInt32(1)) + segment(0, 0, 4 << 20) + step(4 << 20) + noise(4 << 20)
        #expect(try code(delta(content: content, options: "--long=27")) == .tooLarge)
        #expect(try code(delta(content: content, options: "--long=26")) == .hashMismatch)
    }

    @Test("with countless or invalid segments are refused")
    func segments() throws {
        #expect(try code(delta(content: number(UInt32.max))) == .tooLarge)
        #expect(try code(delta(content: number(UInt32(5)))) == .malformed)
        for (level, memoryLevel) in [(10, 8), (1, 0), (0, 8), (6, 10), (255, 255)] as [(UInt8, UInt8)] {
            #expect(try code(delta(content: number(UInt32(1)) + segment(level, memoryLevel, 0))) == .malformed)
        }
        let many = (0..<3).flatMap { _ in segment(0, 0, UInt64.max / 2) }
        #expect(try code(delta(content: number(UInt32(3)) + many)) == .tooLarge)
    }

    @Test("with steps that lead out of the base, or nowhere, are refused")
    func steps() throws {
        let bad = [
            step(0), step(0, base: 1 << 20, similar: 1), step(0, base: 0, similar: 1 << 20),
            step(1, base: .max, similar: .max), step(5),
        ]
        for step in bad {
            let bytes = try delta(content: number(UInt32(1)) + segment(0, 0, 4) + step + [1, 2, 3, 4, 5])
            #expect(try code(bytes) == .malformed)
        }
    }

    @Test("that are missing or folders are errors of files")
    func missing() throws {
        for name in ["missing", "old.zip.files"] {
            let error = #expect(throws: DeltaError.self) { try folder.apply(name, to: .files(files), for: "new.zip") }
            #expect(error?.code == .fileFailed)
        }
    }
}
