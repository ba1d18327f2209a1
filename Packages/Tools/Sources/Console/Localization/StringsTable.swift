/// The reader of tables in the form of `Localizable.strings`.
///
/// A line is a comment, or `"key" = "translation";` with `\"`, `\\` and `\n` for a quotation mark, a backslash and a line feed.
enum StringsTable {
    static func entries(of table: String) -> [(key: String, translation: String)] {
        table.utf8.split(separator: UInt8(ascii: "\n")).compactMap { line in
            guard line.first == UInt8(ascii: "\"") else { return nil }
            var rest = line.dropFirst()
            let key = text(from: &rest)
            guard let start = rest.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
            rest = rest[start...].dropFirst()
            return (key, text(from: &rest))
        }
    }

    /// Reads up to the closing quotation mark, and past it.
    private static func text(from line: inout Substring.UTF8View) -> String {
        var bytes: [UInt8] = []
        while let byte = line.popFirst(), byte != UInt8(ascii: "\"") {
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            guard let escaped = line.popFirst() else { break }
            bytes.append(escaped == UInt8(ascii: "n") ? UInt8(ascii: "\n") : escaped)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
