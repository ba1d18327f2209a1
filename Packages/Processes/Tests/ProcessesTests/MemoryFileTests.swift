import Glibc
import PluginCore
import Processes
import Testing

@Suite("Files in memory", .tags(.small))
struct MemoryFileTests {
    @Test("A process that gets a file in memory can neither change it nor let it grow")
    func sealed() throws {
        let file = try MemoryFile(Array("text".utf8), named: "note")
        // As another process opens it, also for writing.
        let descriptor = open(file.path.string, O_RDWR | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        for attempt in [
            ftruncate(descriptor, 1 << 20) == 0, ftruncate(descriptor, 0) == 0, pwrite(descriptor, "x", 1, 0) == 1,
            pwrite(descriptor, "x", 1, 1 << 20) == 1,
        ] {
            #expect(!attempt)
        }
        var bytes = [UInt8](repeating: 0, count: 8)
        #expect(pread(descriptor, &bytes, bytes.count, 0) == 4)
    }
}
