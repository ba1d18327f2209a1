/// The compression method of an entry. The raw value is that of APPNOTE 4.4.5.
public enum ZipMethod: UInt16, Hashable, Sendable {
    /// No compression.
    case stored = 0
    /// A raw deflate stream, by RFC 1951.
    case deflated = 8
}
