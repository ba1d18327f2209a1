/// The general purpose flags of an entry.
///
/// See APPNOTE 4.4.4.
struct HeaderFlags: OptionSet {
    let rawValue: UInt16

    static let encrypted = HeaderFlags(rawValue: 1 << 0)
    /// The compression level, which has no effect on decompression.
    static let deflateLevel = HeaderFlags(rawValue: 0b11 << 1)
    /// A data descriptor with sizes and CRC follows the data, for writers that cannot seek.
    static let dataDescriptor = HeaderFlags(rawValue: 1 << 3)
    static let strongEncryption = HeaderFlags(rawValue: 1 << 6)
    static let utf8 = HeaderFlags(rawValue: 1 << 11)
    static let maskedHeaders = HeaderFlags(rawValue: 1 << 13)

    static let anyEncryption: HeaderFlags = [.encrypted, .strongEncryption, .maskedHeaders]
    static let understood: HeaderFlags = [.deflateLevel, .dataDescriptor, .utf8]
}
