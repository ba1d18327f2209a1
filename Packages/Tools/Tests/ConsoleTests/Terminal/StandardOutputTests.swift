import Console
import Dispatch
import Synchronization
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

struct StandardOutputTests {
    private func makePipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        return (ends[0], ends[1])
    }

    @Test(
        "writes all bytes through a pipe that takes them bit by bit, without blocking or with",
        arguments: [true, false])
    func allBytes(blocking: Bool) throws {
        let ends = try makePipe()
        if !blocking { try #require(fcntl(ends.write, F_SETFL, O_NONBLOCK) == 0) }
        let text = String(repeating: "购物车\n", count: 100_000)
        // A thread of its own: the writer blocks, and must not wait for the reader to be given one.
        let received = Mutex<[UInt8]>([])
        let reading = DispatchGroup()
        DispatchQueue.global().async(group: reading) {
            let bytes = Self.readAll(ends.read)
            received.withLock { $0 = bytes }
        }
        let isRead = try StandardOutput.write(text, descriptor: ends.write)
        close(ends.write)
        #expect(isRead)
        reading.wait()
        #expect(received.withLock { $0 } == Array(text.utf8))
    }

    @Test("returns quietly when the reader is gone")
    func brokenPipe() throws {
        StandardOutput.ignoreBrokenPipes()
        let ends = try makePipe()
        close(ends.read)
        defer { close(ends.write) }
        #expect(try StandardOutput.write("nobody listens", descriptor: ends.write) == false)
    }

    @Test("reports a full disk")
    func fullDisk() throws {
        let full = open("/dev/full", O_WRONLY)
        try #require(full >= 0)
        defer { close(full) }
        let error = #expect(throws: OutputError.self) { try StandardOutput.write("x", descriptor: full) }
        #expect(error?.errno == ENOSPC)
        #expect(error?.report.message == "cannot write the result: No space left on device")
    }

    @Test("writes nothing for an empty text, even where nothing can be written")
    func empty() throws {
        #expect(try StandardOutput.write("", descriptor: -1))
    }

    private static func readAll(_ descriptor: Int32) -> [UInt8] {
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
        return bytes
    }
}
