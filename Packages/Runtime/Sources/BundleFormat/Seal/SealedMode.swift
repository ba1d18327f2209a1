import PluginCore

/// Compares the permission bits of a file with its seal.
///
/// Read and write permissions aren't sealed: they depend on the location of a bundle and on the umask at extraction.
enum SealedMode {
    /// Returns the reason for which a mode is wrong, if it is.
    static func flaw(in mode: UInt16, isExecutable: Bool) -> ErrorReason? {
        if mode & 0o7000 != 0 { return ErrorReason("modeNotAllowed") }
        if isExecutable { return mode & 0o100 == 0 ? ErrorReason("notExecutable") : nil }
        return mode & 0o111 == 0 ? nil : ErrorReason("executable")
    }
}
