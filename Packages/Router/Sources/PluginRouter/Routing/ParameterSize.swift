/// The measurement of parameter sizes.
enum ParameterSize {
    /// The size of a value that is neither text nor bytes, and of a collection without its elements.
    private static let word = 8

    /// Returns the size of a value in bytes, with texts in UTF-8 and collections with their elements.
    ///
    /// The measurement stops once it exceeds the limit, however large or nested the rest is.
    static func bytes(of value: Any, upTo limit: Int) -> Int {
        if let text = value as? String { return text.utf8.count }
        if let bytes = value as? [UInt8] { return bytes.count }
        var size = word
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .collection, .dictionary, .set, .optional, .tuple:
            for child in mirror.children {
                // Each nested element counts at least one word, so the depth of the recursion is limited.
                if size > limit { break }
                size += bytes(of: child.value, upTo: limit - size)
            }
        default: break
        }
        return size
    }
}
