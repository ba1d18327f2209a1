import Glibc

/// A line in the log of strace: a call of one thread, or the end of a process.
struct TracedCall {
    let thread: Int32
    /// The name, which is empty for a line that is not a call.
    let name: String
    let text: Substring

    /// Parses a line in the format of strace, or returns nil for any other text.
    ///
    /// An example is `1234 openat(AT_FDCWD</tmp>, ...) = 3</tmp/a>`, as `strace -f -y` writes it. The second half of an interrupted call
    /// counts as a line that is not a call.
    init?(_ line: Substring) {
        let number = line.prefix { $0.isNumber }
        guard let thread = Int32(number) else { return nil }
        self.thread = thread
        text = line[number.endIndex...].drop { $0 == " " }
        let word = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        name = text[word.endIndex...].first == "(" ? String(word) : ""
    }

    var isInjected: Bool { text.hasSuffix("(INJECTED)") }

    /// A Boolean value that indicates whether the process was killed during the call, which then has no result.
    var isCutShort: Bool { text.hasSuffix(" = ?") || text.hasSuffix("<unfinished ...>") }

    /// A Boolean value that indicates whether the call may involve a file, and not only memory, an event counter or a timer.
    var touchesFiles: Bool {
        // Swift's runtime reads the arguments of the process from its memory map.
        if name.isEmpty || ["<anon_inode:", OneThread.name, "/maps>"].contains(where: names) { return false }
        // A mapping without a file has the descriptor -1; the other arguments are numbers and flags.
        return name != "mmap" || !names(", -1, 0")
    }

    /// Returns whether the text of the call contains another, which `strstr` finds many times faster than a search for characters.
    private func names(_ part: String) -> Bool { text.withCString { strstr($0, part) != nil } }

    /// A Boolean value that indicates whether the call may change or sync the disk.
    var changesFiles: Bool {
        guard touchesFiles else { return false }
        if name.hasPrefix("open") { return text.contains("O_CREAT") || text.contains("O_TRUNC") }
        return Self.changes.contains { name.hasPrefix($0) }
    }

    /// The prefixes of the names of calls that change or sync the disk.
    static let changes = [
        "write", "pwrite", "rename", "link", "symlink", "unlink", "mkdir", "mknod", "rmdir", "creat", "truncate",
        "ftruncate", "fallocate", "copy_file_range", "sendfile", "chmod", "fchmod", "chown", "fchown", "utime",
        "futime",
        "setxattr", "fsetxattr", "sync", "fsync", "fdatasync",
    ]

    /// Parses all lines of a log.
    static func all(in log: some StringProtocol) -> [TracedCall] {
        log.split(separator: "\n").compactMap { TracedCall(Substring($0)) }
    }
}
