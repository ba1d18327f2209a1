/// How large a parameter's value is.
enum ParameterSize {
    /// What counts for a value that is neither text nor bytes, and for each list or table.
    private static let word = 8

    /// The size of a value in bytes: texts in UTF-8, lists and tables with all they hold. Nobody looks on once `limit` is
    /// passed, however much or deep the rest is.
    static func bytes(of value: Any, upTo limit: Int) -> Int {
        if let text = value as? String { return text.utf8.count }
        if let bytes = value as? [UInt8] { return bytes.count }
        var size = word
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .collection, .dictionary, .set, .optional, .tuple:
            for child in mirror.children {
                // What is inside counts at least a word each, so this goes no deeper than the limit allows.
                if size > limit { break }
                size += bytes(of: child.value, upTo: limit - size)
            }
        default: break
        }
        return size
    }
}
