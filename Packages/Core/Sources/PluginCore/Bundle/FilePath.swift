/// The path of a file or folder.
public struct FilePath: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The path's text, without a trailing slash.
    public let string: String

    /// Creates a path and removes trailing slashes.
    public init(_ string: String) {
        var rest = string.unicodeScalars[...]
        while rest.last == "/", rest.startIndex < rest.index(before: rest.endIndex) { rest.removeLast() }
        self.string = String(rest)
    }

    /// Creates a path from a string literal.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// Returns the path of a component below this path. The component may itself contain slashes.
    public func appending(_ component: String) -> FilePath {
        if string.isEmpty { return Self(component) }
        return Self(string == "/" ? "/" + component : string + "/" + component)
    }

    /// The last component, or the whole path if it has only one component.
    public var lastComponent: String {
        string.utf8.lastIndex(of: .slash).map { String(string[string.utf8.index(after: $0)...]) } ?? string
    }

    /// The path without its last component, or a single dot if it has only one component.
    public var parent: FilePath {
        guard let slash = string.utf8.lastIndex(of: .slash) else { return "." }
        return slash == string.startIndex ? "/" : Self(String(string[..<slash]))
    }

    /// The path's text.
    public var description: String { string }
}
