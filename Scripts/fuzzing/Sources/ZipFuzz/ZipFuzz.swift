import FoundationEssentials
import Glibc
import Zip

/// Reads arbitrary bytes as an archive.
///
/// Nothing may trap. An accepted archive must have contents of the declared sizes that are the same at every read, and extracting
/// it must create exactly the listed entries.
@c(LLVMFuzzerTestOneInput)
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    Input.shared.replace(with: UnsafeRawBufferPointer(start: bytes, count: count))
    // Limits would keep large numbers from the checks behind them, so there are none.
    guard let archive = try? ZipArchive(path: Input.shared.path), archive.totalUncompressedSize <= 1 << 20 else {
        return 0
    }
    var isWhole = true
    // A folder may have a stream and a checksum, too, if they are those of an empty file.
    let hasOthers = archive.entries.contains { $0.isDirectory && ($0.compressedSize > 0 || $0.crc32 != 0) }
    for entry in archive.entries where !entry.isDirectory {
        guard let content = try? archive.contents(of: entry.name, limit: 1 << 20) else {
            isWhole = false
            continue
        }
        demand(content.count == entry.uncompressedSize, "a content has its declared size")
    }
    let target = Input.shared.folder + "/out"
    let isExtracted = (try? archive.extract(to: target)) != nil
    demand(isExtracted == isWhole || (isWhole && hasOthers), "what can be read can be extracted, and nothing else")
    // Before a name that begins with a combining mark, Foundation leaves the slash, which is one character with it.
    var isLeft = (try? FileManager.default.subpathsOfDirectory(atPath: target)).map { paths in
        Set(paths.map { String(decoding: $0.utf8.drop { $0 == UInt8(ascii: "/") }, as: UTF8.self) })
    }
    demand((isLeft != nil) == isExtracted, "a refused archive leaves nothing behind")
    for entry in archive.entries where isExtracted {
        let name = entry.isDirectory ? String(decoding: entry.name.utf8.dropLast(), as: UTF8.self) : entry.name
        for end in name.utf8.indices where name.utf8[end] == UInt8(ascii: "/") {
            isLeft?.remove(String(name[..<end]))
        }
        isLeft?.remove(name)
    }
    demand(isLeft?.isEmpty != false, "nothing but the entries is extracted")
    if isExtracted { try? FileManager.default.removeItem(atPath: target) }
    return 0
}

/// Ends the process if a condition is not met, which libFuzzer reports.
private func demand(_ condition: Bool, _ promise: StaticString) {
    if !condition { fatalError("broken: \(promise)") }
}

/// A file in memory with a folder beside it.
private final class Input: Sendable {
    static let shared = Input()

    let path: String
    let folder: String
    private let file: CInt

    private init() {
        folder = "/dev/shm/zip-fuzz-\(getpid())"
        path = folder + "/input.zip"
        mkdir(folder, 0o700)
        file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        demand(file >= 0, "there is room in memory")
        atexit {
            try? FileManager.default.removeItem(atPath: Input.shared.folder)
        }
    }

    func replace(with bytes: UnsafeRawBufferPointer) {
        demand(ftruncate(file, 0) == 0, "the input can be written")
        demand(pwrite(file, bytes.baseAddress, bytes.count, 0) == bytes.count, "the input can be written")
    }
}
