/// Why a file cannot be read as an ELF library.
enum ELFFlaw: Error, Equatable {
    /// It does not start as an ELF file does.
    case noELF
    /// It ends before something that belongs to it.
    case truncated(String)
    /// It contradicts itself or the format.
    case malformed(String)
    /// It asks for more than any library does.
    case excessive(String)

    /// What a part that is not there makes of the file.
    static func require<T>(_ value: T?, _ name: @autoclosure () -> String) throws(ELFFlaw) -> T {
        guard let value else { throw .truncated(name()) }
        return value
    }
}
