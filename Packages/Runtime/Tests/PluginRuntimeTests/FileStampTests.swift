#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
@testable import PluginRuntime
import Testing

/// With made-up times: no test can mount a file system.
@Suite("A file's stamp")
struct FileStampTests {
    /// A file whose content and whose anything were changed last at these times, in nanoseconds since 1970.
    private static func status(modified: Int64, changed: Int64) -> stat {
        var status = stat()
        let time = { (at: Int64) in
            timespec(tv_sec: Int(at / 1_000_000_000), tv_nsec: Int(at % 1_000_000_000))
        }
        #if canImport(Darwin)
            (status.st_mtimespec, status.st_ctimespec) = (time(modified), time(changed))
        #else
            (status.st_mtim, status.st_ctim) = (time(modified), time(changed))
        #endif
        return status
    }

    private static let second: Int64 = 1_000_000_000
    private static let start = 1_700_000_000 * second

    private static func isSettled(modified: Int64 = 0, changed: Int64 = 0, after wait: Int64) -> Bool {
        FileStamp(status(modified: start + modified, changed: start + changed), at: start + changed + wait).isSettled
    }

    @Test("is settled when the clock has ticked since the file was changed")
    func fine() {
        #expect(!Self.isSettled(modified: 1, changed: 2, after: 10_000_000))
        #expect(Self.isSettled(modified: 1, changed: 2, after: 30_000_000))
        // One of the two is whole by chance, or because somebody has set it.
        #expect(Self.isSettled(modified: 0, changed: 2, after: 30_000_000))
        #expect(Self.isSettled(modified: 1, changed: 0, after: 30_000_000))
    }

    @Test(
        "is settled after two seconds where a file system keeps whole seconds alone, in which it may be changed unseen")
    func coarse() {
        #expect(!Self.isSettled(after: 30_000_000))
        #expect(!Self.isSettled(after: Self.second))
        #expect(!Self.isSettled(after: 2 * Self.second))
        #expect(!Self.isSettled(modified: -7 * Self.second, after: Self.second))
        #expect(Self.isSettled(after: 2 * Self.second + 30_000_000))
    }

    @Test("is not settled when the file was changed in what is the future for us")
    func future() {
        #expect(!Self.isSettled(modified: 1, changed: 2, after: -Self.second))
    }
}
