import Glibc
import Processes
import Testing

@Suite("The use of memory and descriptors", .tags(.medium))
struct ProcessUsageTests {
    @Test("The open descriptors of a process are counted, and so is the room for them, which grows with them")
    func descriptors() throws {
        let room = try #require(ProcessUsage.descriptorRoom(ofProcess: getpid()))
        let before = try #require(ProcessUsage.descriptors(ofProcess: getpid()))
        var copies: [Int32] = []
        defer { for copy in copies { close(copy) } }
        // Other tests of this process open and close descriptors meanwhile, far fewer than these.
        for _ in 0..<room { copies.append(fcntl(0, F_DUPFD_CLOEXEC, 0)) }
        try #require(!copies.contains(-1))
        let after = try #require(ProcessUsage.descriptors(ofProcess: getpid()))
        #expect(abs(after - before - room) < room / 2)
        #expect(try #require(ProcessUsage.descriptorRoom(ofProcess: getpid())) >= 2 * room)
    }

    @Test("A process that does not exist has neither")
    func unknown() {
        #expect(ProcessUsage.descriptors(ofProcess: .max) == nil && ProcessUsage.descriptorRoom(ofProcess: .max) == nil)
    }
}
