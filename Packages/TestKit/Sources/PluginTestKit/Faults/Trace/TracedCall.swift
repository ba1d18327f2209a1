/// A line of strace(1)'s log: one call of one thread, or how a process ended.
struct TracedCall {
    let thread: Int32
    /// The name; empty for what is no call.
    let name: String
    let text: Substring

    /// Reads `1234 openat(AT_FDCWD</tmp>, ...) = 3</tmp/a>`, as `strace -f -y` writes it. The second half of a call that
    /// another thread has interrupted is none.
    init?(_ line: Substring) {
        let number = line.prefix { $0.isNumber }
        guard let thread = Int32(number) else { return nil }
        self.thread = thread
        text = line[number.endIndex...].drop { $0 == " " }
        let word = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        name = text[word.endIndex...].first == "(" ? String(word) : ""
    }

    var isInjected: Bool { text.hasSuffix("(INJECTED)") }

    /// A Boolean value that indicates whether the process was killed in it: it has no result.
    var isCutShort: Bool { text.hasSuffix(" = ?") || text.hasSuffix("<unfinished ...>") }

    /// A Boolean value that indicates whether a file of the program may have to do with it, and not only memory, an event counter or a timer.
    var touchesFiles: Bool {
        if name.isEmpty || text.contains("<anon_inode:") || text.contains(OneThread.name) { return false }
        // The memory of a process, where Swift's runtime looks for its arguments.
        if text.contains("/maps>") { return false }
        // Memory of no file has no descriptor; the other arguments are numbers and names of flags.
        if name == "mmap" { return !text.contains(", -1, 0") }
        return true
    }

    /// A Boolean value that indicates whether it may change what is on the disk, or waits for the disk.
    var changesFiles: Bool {
        guard touchesFiles else { return false }
        if name.hasPrefix("open") { return text.contains("O_CREAT") || text.contains("O_TRUNC") }
        return Self.changes.contains { name.hasPrefix($0) }
    }

    /// How their names start.
    static let changes = [
        "write", "pwrite", "rename", "link", "symlink", "unlink", "mkdir", "mknod", "rmdir", "creat", "truncate",
        "ftruncate", "fallocate", "copy_file_range", "sendfile", "chmod", "fchmod", "chown", "fchown", "utime",
        "futime",
        "setxattr", "fsetxattr", "sync", "fsync", "fdatasync",
    ]

    /// All lines of a log.
    static func all(in log: some StringProtocol) -> [TracedCall] {
        log.split(separator: "\n").compactMap { TracedCall(Substring($0)) }
    }
}
