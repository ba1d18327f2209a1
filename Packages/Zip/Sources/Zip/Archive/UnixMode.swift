/// The `st_mode` that Unix tools keep in the upper half of the external attributes. It is looked at whatever
/// system the entry claims to come from, because extractors differ in whether they check that.
struct UnixMode {
    enum Kind {
        case file, folder, special
    }

    static let regular: UInt16 = 0o100000
    static let folder: UInt16 = 0o040000
    /// MS-DOS's own mark, in the lower half.
    static let dosFolder: UInt32 = 0x10
    static let dosLabel: UInt32 = 0x08
    static let dosDevice: UInt32 = 0x40

    private let bits: UInt16

    init(_ header: CentralHeader) {
        bits = UInt16(truncatingIfNeeded: header.externalAttributes >> 16)
    }

    /// `nil` when the archive does not say.
    var kind: Kind? {
        switch bits & 0o170000 {
        case 0: nil
        case Self.regular: .file
        case Self.folder: .folder
        default: .special
        }
    }

    /// `nil` when the archive has no Unix mode.
    var permissions: UInt16? {
        bits == 0 ? nil : bits & 0o7777
    }
}
