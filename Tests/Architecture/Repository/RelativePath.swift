/// Operations on paths relative to the repository's root, which itself is `.`.
enum RelativePath {
    /// Returns a path that is relative to a folder as a path from the root; it starts with `..` if it is outside.
    static func join(_ folder: String, _ path: String) -> String {
        var parts: [Substring] = []
        for part in (folder + "/" + path).split(separator: "/") where part != "." {
            if part == "..", let last = parts.last, last != ".." {
                parts.removeLast()
            } else {
                parts.append(part)
            }
        }
        return parts.isEmpty ? "." : parts.joined(separator: "/")
    }

    /// Returns an absolute path as a path from an absolute root.
    static func from(_ root: String, to path: String) -> String {
        let (from, to) = (root.split(separator: "/"), path.split(separator: "/"))
        let common = zip(from, to).prefix { $0 == $1 }.count
        let parts = Array(repeating: "..", count: from.count - common) + to.dropFirst(common).map(String.init)
        return parts.isEmpty ? "." : parts.joined(separator: "/")
    }
}
