/// The Unix mode that tools store in the upper half of the external attributes.
///
/// It is checked regardless of the system that the entry claims to come from, because extractors differ in this.
struct UnixMode {
    enum Kind {
        case file, folder, special
    }

    static let regular: UInt16 = 0o100000
    static let folder: UInt16 = 0o040000
    /// The MS-DOS attribute for folders, in the lower half.
    static let dosFolder: UInt32 = 0x10
    static let dosLabel: UInt32 = 0x08
    static let dosDevice: UInt32 = 0x40

    private let bits: UInt16

    init(_ header: CentralHeader) {
        bits = UInt16(truncatingIfNeeded: header.externalAttributes >> 16)
    }

    /// The kind, or nil if the archive contains none.
    var kind: Kind? {
        switch bits & 0o170000 {
        case 0: nil
        case Self.regular: .file
        case Self.folder: .folder
        default: .special
        }
    }

    /// The permissions, or nil if the archive contains no Unix mode.
    var permissions: UInt16? {
        bits == 0 ? nil : bits & 0o7777
    }
}
