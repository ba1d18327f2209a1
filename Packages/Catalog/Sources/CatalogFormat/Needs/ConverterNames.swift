/// The names of converters in route patterns, for readers that don't know which converters a host registers.
enum ConverterNames {
    /// Returns all texts in angle brackets that can be the name of a converter.
    static func names(in text: String) -> [String] {
        let pieces = text.utf8.split(separator: UInt8(ascii: "<"), omittingEmptySubsequences: false).dropFirst()
        let names = pieces.compactMap { piece in
            piece.firstIndex(of: UInt8(ascii: ">")).map { String(Substring(piece[..<$0])) }
        }
        return Set(names.filter(CatalogWords.isConverter)).sorted()
    }
}
