/// Compares the permission bits of a file with its seal.
///
/// Read and write permissions aren't sealed: they depend on the location of a bundle and on the umask at extraction.
enum SealedMode {
    /// Returns a clause that describes a wrong mode, if it is wrong.
    static func flaw(in mode: UInt16, isExecutable: Bool) -> String? {
        if mode & 0o7000 != 0 { return "its mode has bits that are not allowed in a bundle" }
        if isExecutable { return mode & 0o100 == 0 ? "it is sealed as executable, but is not" : nil }
        return mode & 0o111 == 0 ? nil : "it is executable, but not sealed as executable"
    }
}
