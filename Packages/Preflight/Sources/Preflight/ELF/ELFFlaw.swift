import PluginCore

/// A reason why a file can't be read as an ELF library.
enum ELFFlaw: Error, Equatable {
    /// The file doesn't start with the ELF magic number.
    case noELF
    /// The file ends before the given part.
    case truncated(ErrorReason)
    /// The file contradicts itself or the format.
    case malformed(ErrorReason)
    /// The file exceeds a limit that no real library reaches.
    case excessive(ErrorReason)

    /// Unwraps a value, or throws that the file is truncated in the named part.
    static func require<T>(_ value: T?, _ part: @autoclosure () -> ErrorReason) throws(ELFFlaw) -> T {
        guard let value else { throw .truncated(part()) }
        return value
    }
}
