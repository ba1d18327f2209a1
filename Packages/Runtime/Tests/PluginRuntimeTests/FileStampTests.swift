import Glibc
@testable import HostSystem
import Testing

/// The tests use invented times because they cannot mount a file system.
@Suite("File stamps", .tags(.medium))
struct FileStampTests {
    /// Returns a file status with the given modification and change times, in nanoseconds since 1970.
    private static func status(modified: Int64, changed: Int64) -> stat {
        var status = stat()
        let time = { (at: Int64) in
            timespec(tv_sec: Int(at / 1_000_000_000), tv_nsec: Int(at % 1_000_000_000))
        }
        (status.st_mtim, status.st_ctim) = (time(modified), time(changed))
        return status
    }

    private static let second: Int64 = 1_000_000_000
    private static let start = 1_700_000_000 * second

    private static func isStable(modified: Int64 = 0, changed: Int64 = 0, after wait: Int64) -> Bool {
        FileStamp(status(modified: start + modified, changed: start + changed), at: start + changed + wait).isStable
    }

    @Test("A stamp is settled once the clock has ticked after the file's last change")
    func fine() {
        #expect(!Self.isStable(modified: 1, changed: 2, after: 10_000_000))
        #expect(Self.isStable(modified: 1, changed: 2, after: 30_000_000))
        // One of the two times can be a whole second by chance, or because a program has set it.
        #expect(Self.isStable(modified: 0, changed: 2, after: 30_000_000))
        #expect(Self.isStable(modified: 1, changed: 0, after: 30_000_000))
    }

    @Test("A stamp with whole seconds is settled only after two seconds, in which the file could change unnoticed")
    func coarse() {
        #expect(!Self.isStable(after: 30_000_000))
        #expect(!Self.isStable(after: Self.second))
        #expect(!Self.isStable(after: 2 * Self.second))
        #expect(!Self.isStable(modified: -7 * Self.second, after: Self.second))
        #expect(Self.isStable(after: 2 * Self.second + 30_000_000))
        // The file's time is in the future.
        #expect(!Self.isStable(modified: 1, changed: 2, after: -Self.second))
    }
}
