import Console
import Dispatch
import Synchronization
import Testing

import Glibc

@Suite("Standard output", .tags(.small))
struct StandardOutputTests {
    private func makePipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        return (ends[0], ends[1])
    }

    @Test(
        "All bytes are written through a slow pipe, blocking or not",
        arguments: [true, false])
    func allBytes(blocking: Bool) throws {
        let ends = try makePipe()
        if !blocking { try #require(fcntl(ends.write, F_SETFL, O_NONBLOCK) == 0) }
        let text = String(repeating: "购物车\n", count: 100_000)
        // This is a separate thread, because the writer blocks until the reader runs.
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

    @Test("Writing to a closed pipe returns false")
    func brokenPipe() throws {
        StandardOutput.ignoreBrokenPipes()
        let ends = try makePipe()
        close(ends.read)
        defer { close(ends.write) }
        #expect(try StandardOutput.write("nobody listens", descriptor: ends.write) == false)
    }

    @Test("Writing to a full disk is an error")
    func fullDisk() throws {
        let full = open("/dev/full", O_WRONLY)
        try #require(full >= 0)
        defer { close(full) }
        let error = #expect(throws: OutputError.self) { try StandardOutput.write("x", descriptor: full) }
        #expect(error?.errno == ENOSPC)
        #expect(error?.report.message == "cannot write the result: No space left on device")
    }

    private static func readAll(_ descriptor: Int32) -> [UInt8] {
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
        return bytes
    }
}
