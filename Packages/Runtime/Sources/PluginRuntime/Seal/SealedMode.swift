/// Holds the permission bits of a file, in a package or on the disk, against what is sealed of them.
///
/// Who may read and write is not sealed: that is a matter of where a bundle lies, and of the umask it came through.
enum SealedMode {
    /// In a clause, what speaks against a mode; `nil` for nothing.
    static func flaw(in mode: UInt16, isExecutable: Bool) -> String? {
        if mode & 0o7000 != 0 { return "its mode has bits that no file of a bundle has" }
        if isExecutable { return mode & 0o100 == 0 ? "it is sealed as executable, and is not" : nil }
        return mode & 0o111 == 0 ? nil : "it is executable, and not sealed as that"
    }
}
