import Testing

@testable import Zip
import ZipWriting

@Suite("Observers of an extraction", .tags(.medium))
struct ObserverTests {
    private let temporary: TestFolder
    private var folder: String { temporary.path }

    init() throws { temporary = try TestFolder() }

    @Test(
        "An observer gets all files in path order, with the contents that are written to the disk",
        arguments: [ZipDurability.buffered, .synced])
    func sight(durability: ZipDurability) throws {
        var writer = ZipWriter()
        // There are more files than are synced individually, and one with several pieces.
        let big = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
        try writer.add(big, as: "z/big")
        try writer.add([], as: "z/none", method: .stored)
        for number in 0..<150 {
            try writer.add([UInt8](repeating: 1, count: number), as: "a/\(number % 7)/\(number)")
        }
        try writer.write(to: "\(folder)/a.zip")
        let watcher = Watcher()
        try ZipArchive(path: "\(folder)/a.zip").extract(to: "\(folder)/out", durability: durability, observer: watcher)
        let onDisk = try tree("\(folder)/out").filter { !$0.key.hasSuffix("/") }
        #expect(watcher.ended == onDisk)
        #expect(watcher.order.count == 152)
        #expect(watcher.order.last == "z/none")
    }

    @Test(
        "An observer can reject a file at its start, in its middle and at its end, and nothing remains",
        arguments: Watcher.Moment.allCases)
    func refusal(moment: Watcher.Moment) throws {
        try writeFile(Crafted(names: ["a", "b/c", "d"]).bytes, to: "\(folder)/a.zip")
        let watcher = Watcher(refusing: "b/c", at: moment)
        let error = #expect(throws: ZipError.self) {
            try ZipArchive(path: "\(folder)/a.zip").extract(
                to: "\(folder)/out", durability: .synced, observer: watcher)
        }
        #expect(error?.code == .refused && error?.entry == "b/c")
        #expect(error?.detail == "not that one")
        #expect(watcher.order == ["a", "b/c"])
        #expect(try tree(folder).keys.sorted() == ["a.zip"])
    }

    @Test("Entries that an observer does not want are left out, with their folders and their bytes in the progress")
    func unwanted() throws {
        try pack(
            ["a": [1, 2, 3], "b/c": [UInt8](repeating: 1, count: 1000), "d/e": [1, 2, 3, 4]], to: "\(folder)/a.zip")
        let chooser = Watcher(leavingOut: "b/")
        var progress: [[UInt64]] = []
        try ZipArchive(path: "\(folder)/a.zip").extract(to: "\(folder)/out", observer: chooser) {
            progress.append([$0, $1])
        }
        #expect(try tree("\(folder)/out").keys.sorted() == ["a", "d/", "d/e"])
        #expect(progress.first == [0, 7] && progress.last == [7, 7])
    }

    @Test("An observer is notified of the end of a file only if its checksum is right")
    func checksum() throws {
        var crafted = Crafted(names: ["a", "b"])
        crafted.edit(1) { $0.crc32 ^= 1 }
        try writeFile(crafted.bytes, to: "\(folder)/a.zip")
        let watcher = Watcher()
        let error = #expect(throws: ZipError.self) {
            try ZipArchive(path: "\(folder)/a.zip").extract(to: "\(folder)/out", observer: watcher)
        }
        #expect(error?.code == .checksumMismatch)
        #expect(watcher.ended.keys.sorted() == ["a"])
    }
}

final class Watcher: ExtractionObserver {
    enum Moment: CaseIterable {
        case begin, piece, end
    }

    private(set) var order: [String] = []
    private(set) var ended: [String: [UInt8]] = [:]
    private var bytes: [UInt8] = []
    private let refused: (name: String, moment: Moment)?
    private let unwanted: String

    init(refusing name: String? = nil, at moment: Moment = .begin, leavingOut unwanted: String = "\0") {
        refused = name.map { ($0, moment) }
        self.unwanted = unwanted
    }

    func isWanted(_ entry: ZipEntry) -> Bool { !entry.name.hasPrefix(unwanted) }

    func begin(_ entry: ZipEntry) throws(ZipError) {
        order.append(entry.name)
        bytes = []
        try validate(entry, .begin)
    }

    func take(_ piece: RawSpan) throws(ZipError) {
        piece.withUnsafeBytes { bytes.append(contentsOf: $0) }
        if refused?.moment == .piece, order.last == refused?.name { throw ZipError(.refused, detail: "not that one") }
    }

    func end(_ entry: ZipEntry) throws(ZipError) {
        try validate(entry, .end)
        ended[entry.name] = bytes
    }

    private func validate(_ entry: ZipEntry, _ moment: Moment) throws(ZipError) {
        if refused?.name == entry.name, refused?.moment == moment { throw .refused(entry, "not that one") }
    }
}
