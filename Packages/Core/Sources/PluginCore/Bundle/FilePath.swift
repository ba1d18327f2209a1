/// The path of a file or folder, as bytes that the operating system takes.
public struct FilePath: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The path's text, without a trailing slash.
    public let string: String

    /// Takes a path as it is, less trailing slashes.
    public init(_ string: String) {
        var end = string.utf8.endIndex
        while end > string.utf8.startIndex {
            let last = string.utf8.index(before: end)
            guard last > string.utf8.startIndex, string.utf8[last] == .slash else { break }
            end = last
        }
        self.string = end == string.utf8.endIndex ? string : String(string[..<end])
    }

    /// A path in the source.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// The path of `component` below this one; a component may be several, joined by slashes.
    public func appending(_ component: String) -> FilePath {
        if string.isEmpty { return FilePath(component) }
        return FilePath(string == "/" ? "/" + component : string + "/" + component)
    }

    /// The last component; the path itself when it has only one.
    public var lastComponent: String {
        string.utf8.lastIndex(of: .slash).map { String(string[string.utf8.index(after: $0)...]) } ?? string
    }

    /// The path without its last component; `.` for a single one.
    public var parent: FilePath {
        guard let slash = string.utf8.lastIndex(of: .slash) else { return "." }
        return slash == string.startIndex ? "/" : FilePath(String(string[..<slash]))
    }

    /// The path's text.
    public var description: String { string }
}
