/// How an entry's bytes are stored; the raw value is APPNOTE's number (4.4.5).
public enum ZipMethod: UInt16, Hashable, Sendable {
    /// As they are.
    case stored = 0
    /// As a raw deflate stream (RFC 1951).
    case deflated = 8
}
