/// The validated name of an entry, which is a path relative to the target folder.
package struct EntryPath: Sendable {
    /// A component of a path. It is compared by bytes, like in file systems, and not by canonical equivalence, like strings.
    struct Component: Equatable {
        let text: String

        static func == (left: Component, right: Component) -> Bool {
            left.text.utf8.elementsEqual(right.text.utf8)
        }
    }

    /// The limits: PATH_MAX and NAME_MAX of Linux, and the number of open folders that an untrusted archive may cause.
    static let maximumSize = 4095
    static let maximumComponentSize = 255
    static let maximumDepth = 64

    /// The components, of which the root has none.
    let components: [Component]
    package let isFolder: Bool

    /// A Boolean value that indicates whether this is the root folder, which some tools list as an entry.
    ///
    /// `bsdtar` and `fastjar` call it "./".
    var isRoot: Bool { components.isEmpty }

    /// Validates a name. A leading "./", which bsdtar writes when it packs ".", is ignored as by all readers.
    init(_ bytes: [UInt8]) throws(ZipError) {
        guard bytes.starts(with: "./".utf8) else {
            self = try Self(plain: bytes)
            return
        }
        guard bytes.count > 2 else {
            (components, isFolder) = ([], true)
            return
        }
        do {
            self = try Self(plain: Array(bytes.dropFirst(2)))
        } catch {
            throw ZipError(error.code, entry: String(decoding: bytes, as: UTF8.self), detail: error.detail)
        }
    }

    /// Validates a name without a leading "./".
    package init(plain bytes: [UInt8]) throws(ZipError) {
        func unsafe(_ detail: String) -> ZipError {
            ZipError(.unsafeName, entry: String(decoding: bytes, as: UTF8.self), detail: detail)
        }
        guard !bytes.isEmpty else { throw unsafe("an empty name") }
        guard bytes.count <= Self.maximumSize else { throw unsafe("longer than \(Self.maximumSize) bytes") }
        guard let name = String(validating: bytes, as: UTF8.self) else { throw unsafe("not UTF-8") }
        // NUL ends a C string early, and extractors treat other control characters differently.
        guard !name.unicodeScalars.contains(where: { $0.value < 0x20 || 0x7F...0x9F ~= $0.value }) else {
            throw unsafe("a control character in the name")
        }
        guard !bytes.contains(UInt8(ascii: "\\")) else { throw unsafe("a backslash in the name") }
        guard bytes.first != UInt8(ascii: "/") else { throw unsafe("an absolute path") }
        if bytes.count >= 2, bytes[1] == UInt8(ascii: ":"), name.unicodeScalars.first?.properties.isAlphabetic == true {
            throw unsafe("a drive letter")
        }
        isFolder = bytes.last == UInt8(ascii: "/")
        let parts = name.utf8.dropLast(isFolder ? 1 : 0)
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count <= Self.maximumDepth else { throw unsafe("more than \(Self.maximumDepth) folders deep") }
        for part in parts {
            guard !part.isEmpty else { throw unsafe("an empty component") }
            guard !part.elementsEqual(".".utf8), !part.elementsEqual("..".utf8) else {
                throw unsafe("a \".\" or \"..\" component")
            }
            guard part.count <= Self.maximumComponentSize else {
                throw unsafe("a component longer than \(Self.maximumComponentSize) bytes")
            }
            // `unzip` interprets this as a version number, as on VMS, and omits it.
            let number = part.reversed().prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }.count
            if number > 0, part.dropLast(number).last == UInt8(ascii: ";") {
                throw unsafe("a component that ends with a semicolon and a number")
            }
        }
        components = parts.map { Component(text: String(Substring($0))) }
    }

    /// Orders a folder directly before its content, so that clashing paths are adjacent.
    static func isBefore(_ left: Self, _ right: Self) -> Bool {
        left.components.lexicographicallyPrecedes(right.components) { a, b in
            a.text.utf8.lexicographicallyPrecedes(b.text.utf8)
        }
    }
}
