import Deltas
import Foundation
import Testing

@Suite("A delta", .tags(.large))
struct DeltaTests {
    private let folder: TestFolder
    private let old = [
        "lib/shop": noise(200_000), "manifest.json": Array("{1}".utf8), "empty": [], "icon": noise(5000, number: 1),
    ]

    init() throws { folder = try TestFolder() }

    private var new: [String: [UInt8]] {
        var files = old
        files["lib/shop"]?.insert(contentsOf: Array("a new line".utf8), at: 100_000)
        files["manifest.json"] = Array("{2}".utf8)
        files["icon"] = nil
        files["added"] = Array("added".utf8)
        return files
    }

    @Test("turns an old version into the new package, whatever the level of compression", arguments: [1, 6, 9])
    func roundTrip(_ level: Int) throws {
        let files = try folder.pack("old.zip", old, level: 6)
        try folder.pack("new.zip", new, level: level)
        let length = try Delta.make(
            from: .package(folder.place("old.zip")), to: folder.place("new.zip"), at: folder.place("delta"))
        #expect(try folder.bytes("delta").count == length)
        #expect(length < 1000)
        #expect(try folder.apply("delta", to: .files(files), for: "new.zip") == folder.bytes("new.zip"))
        #expect(
            try folder.apply("delta", to: .package(folder.place("old.zip")), for: "new.zip") == folder.bytes("new.zip"))
    }

    @Test("is made from files as well as from a package, however it was packed")
    func bases() throws {
        let files = try folder.pack("old.zip", old)
        try folder.pack("stored.zip", old, isStored: true)
        try folder.pack("new.zip", new)
        for (index, base) in [
            DeltaBase.files(files), .package(folder.place("old.zip")), .package(folder.place("stored.zip")),
        ].enumerated() {
            try Delta.make(from: base, to: folder.place("new.zip"), at: folder.place("delta\(index)"))
        }
        #expect(try folder.bytes("delta0") == folder.bytes("delta1"))
        #expect(try folder.bytes("delta0") == folder.bytes("delta2"))
    }

    @Test("is possible for members that another program packed, stored ones, and no archive, also from nothing")
    func otherPackages() throws {
        let files = try folder.pack("old.zip", old)
        try folder.pack("new.zip.stored", new, isStored: true)
        _ = try folder.pack("unpacked", new)
        // Info-ZIP has a deflate of its own.
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.place("unpacked.files"))
        let zip = try runProgram(
            "zip", ["-q", "-9", "-j", folder.place("other.zip")] + names.map { folder.place("unpacked.files/\($0)") })
        try #require(zip.status == 0 || zip.status == 18, "\(zip.output)")
        try folder.write("not an archive", to: "text")
        try folder.write("", to: "nothing")
        for name in ["new.zip.stored", "other.zip", "text", "nothing"] {
            for base in [DeltaBase.files(files), .files([])] {
                try Delta.make(from: base, to: folder.place(name), at: folder.place("delta"))
                #expect(try folder.apply("delta", to: base, for: name) == folder.bytes(name))
            }
        }
    }

    @Test("is not made for packages beyond the limits, missing files, or bases that are no archives")
    func problems() throws {
        let files = try folder.pack("old.zip", old)
        try folder.pack("new.zip", new)
        func code(
            _ base: DeltaBase, _ package: String = "new.zip", _ limits: DeltaLimits = DeltaLimits()
        ) -> DeltaError.Code? {
            #expect(throws: DeltaError.self) {
                try Delta.make(from: base, to: folder.place(package), at: folder.place("delta"), limits: limits)
            }?.code
        }
        for (limit, value) in [(\DeltaLimits.baseLength, 100_000), (\.contentLength, 100_000), (\.segments, 3)] {
            var limits = DeltaLimits()
            limits[keyPath: limit] = value
            #expect(code(.files(files), "new.zip", limits) == .tooLarge)
        }
        #expect(code(.files(files), "missing") == .fileFailed)
        #expect(code(.files([folder.place("missing")])) == .fileFailed)
        #expect(code(.package(files[0])) == .baseInvalid)
        var damaged = try folder.bytes("old.zip")
        for index in 100..<damaged.count / 2 { damaged[index] ^= 0x55 }
        try folder.write(damaged, to: "damaged.zip")
        #expect(code(.package(folder.place("damaged.zip"))) == .baseInvalid)
        #expect(try !folder.names().contains("delta"))
    }

    @Test("of a library with one changed line is at most a tenth of the package")
    func changedLine() throws {
        func library(_ number: Int) throws -> [UInt8] {
            let functions = (0..<60).map { index in
                """
                public struct Item\(index): Codable, Hashable {
                    public var name = "item \(index)"
                    public var prices: [Double] = []
                    public func total(_ rate: Double) -> String {
                        let sum = prices.map { $0 * rate + \(index).5 }.reduce(0, +)
                        return "\\(name): \\(sum) of \\(prices.count)" + String(repeating: "x", count: \(index % 7))
                    }
                }
                """
            }
            let line = number == 0 ? "" : "if sum > 1000 { return \"many: \\(sum)\" }"
            let source = functions.joined(separator: "\n").replacing(
                "+ 20.5 }.reduce(0, +)", with: "+ 20.5 }.reduce(0, +)\n\(line)")
            try folder.write(source, to: "Source.swift")
            let words = ["-emit-library", "-O", "-module-name", "Shop", "-o", folder.place("library")]
            let result = try runProgram("swiftc", words + [folder.place("Source.swift")])
            try #require(result.status == 0, "\(result.output)")
            return try folder.bytes("library")
        }
        let manifest = Array("{}".utf8)
        try folder.pack("old.zip", ["lib/libShop.so": library(0), "manifest.json": manifest])
        try folder.pack("new.zip", ["lib/libShop.so": library(1), "manifest.json": manifest])
        let length = try Delta.make(
            from: .package(folder.place("old.zip")), to: folder.place("new.zip"), at: folder.place("delta"))
        let whole = try folder.bytes("new.zip").count
        print("table: delta of a library with one changed line: \(length) of \(whole) bytes")
        #expect(length * 10 <= whole)
    }
}
