import Testing

@testable import FaultInjection

@Suite("Lines of strace", .tags(.medium))
struct TracedCallTests {
    @Test(
        "A line is parsed into a thread and the name of its call, if it is one",
        arguments: [
            ("12 openat(AT_FDCWD</tmp>, \"a\", O_RDONLY) = 3</tmp/a>", "openat"),
            ("12 fsync(3</tmp/a>) = -1 EIO (Input/output error) (INJECTED)", "fsync"),
            ("12 +++ killed by SIGKILL +++", ""),
            ("12 --- SIGCHLD {si_signo=SIGCHLD} ---", ""),
            ("12 <... read resumed>\"\", 8) = 0", ""),
        ])
    func name(line: String, name: String) throws {
        let call = try #require(TracedCall(line[...]))
        #expect(call.name == name)
        #expect(call.thread == 12)
    }

    @Test(
        "A call is recognized as accessing files of the program, and as changing the disk",
        arguments: [
            ("1 mmap(NULL, 8192, PROT_READ, MAP_PRIVATE, 3</lib/libz.so>, 0) = 0x7f", true, false),
            ("1 mmap(NULL, 8192, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x7f", false, false),
            ("1 read(4<anon_inode:[eventfd]>, \"\\1\", 8) = 8", false, false),
            ("1 write(5<anon_inode:[eventfd]>, \"x\", 8) = 8", false, false),
            ("1 eventfd2(0, EFD_CLOEXEC) = 4<anon_inode:[eventfd]>", false, false),
            ("1 close(3</tmp/x/libOneThread.so>) = 0", false, false),
            ("1 openat(AT_FDCWD</tmp>, \"a\", O_WRONLY|O_CREAT|O_EXCL, 0600) = 3</tmp/a>", true, true),
            ("1 openat(AT_FDCWD</tmp>, \"a\", O_RDONLY) = 3</tmp/a>", true, false),
            ("1 pwrite64(3</tmp/a>, \"x\", 1, 0) = 1", true, true),
            ("1 syncfs(3</tmp>) = 0", true, true),
            ("1 unlink(\"/tmp/a\") = 0", true, true),
            ("1 +++ exited with 0 +++", false, false),
        ])
    func files(line: String, touchesFiles: Bool, changesFiles: Bool) throws {
        let call = try #require(TracedCall(line[...]))
        #expect(call.touchesFiles == touchesFiles && call.changesFiles == changesFiles)
    }

    @Test("A line says whether the call was made to fail or was the last one")
    func ends() throws {
        #expect(try #require(TracedCall("1 close(3) = -1 EIO (Input/output error) (INJECTED)")).isInjected)
        #expect(try !#require(TracedCall("1 close(3) = -1 EIO (Input/output error)")).isInjected)
        #expect(try #require(TracedCall("1 unlink(\"/tmp/a\") = ?")).isCutShort)
        #expect(try !#require(TracedCall("1 unlink(\"/tmp/a\") = 0")).isCutShort)
    }
}
