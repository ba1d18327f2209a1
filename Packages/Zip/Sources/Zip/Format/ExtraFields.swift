/// The tagged fields that tools hang on a header (APPNOTE 4.5). Most are harmless decoration
/// (times, owners) and are skipped; those that change an entry's name or sizes are refused.
enum ExtraFields {
    static func judge(_ bytes: [UInt8]) throws(ZipError) {
        var cursor = ByteCursor(bytes[...])
        while !cursor.isAtEnd {
            let tag = try cursor.u16()
            let size = try cursor.u16()
            _ = try cursor.take(Int(size))
            switch tag {
            case 0x0001: throw ZipError(.unsupported, detail: "ZIP64 sizes")
            case 0x7075: throw ZipError(.unsupported, detail: "a second name in an extra field")
            default: continue
            }
        }
    }
}
