/// The general purpose bits of an entry (APPNOTE 4.4.4).
struct HeaderFlags: OptionSet {
    let rawValue: UInt16

    static let encrypted = HeaderFlags(rawValue: 1 << 0)
    /// A hint about the level, without meaning for reading.
    static let deflateLevel = HeaderFlags(rawValue: 0b11 << 1)
    /// Sizes and CRC follow the data, for writers that cannot go back.
    static let dataDescriptor = HeaderFlags(rawValue: 1 << 3)
    static let strongEncryption = HeaderFlags(rawValue: 1 << 6)
    static let utf8 = HeaderFlags(rawValue: 1 << 11)
    static let maskedHeaders = HeaderFlags(rawValue: 1 << 13)

    static let anyEncryption: HeaderFlags = [.encrypted, .strongEncryption, .maskedHeaders]
    static let understood: HeaderFlags = [.deflateLevel, .dataDescriptor, .utf8]
}
