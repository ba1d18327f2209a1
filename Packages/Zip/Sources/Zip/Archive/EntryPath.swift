/// An entry's name after it was found safe: where the entry goes, relative to the target.
struct EntryPath: Sendable {
    /// Compared by bytes, as file systems do; `String` would take two spellings of "é" for one name.
    struct Component: Equatable, Sendable {
        let text: String

        static func == (left: Component, right: Component) -> Bool {
            left.text.utf8.elementsEqual(right.text.utf8)
        }
    }

    /// Linux's PATH_MAX and NAME_MAX, and as many open folders as a stranger may cost the process.
    static let maximumSize = 4095
    static let maximumComponentSize = 255
    static let maximumDepth = 64

    /// None for the root.
    let components: [Component]
    let isFolder: Bool

    /// The folder that all others are in, which `bsdtar` and `fastjar` list as "./".
    var isRoot: Bool { components.isEmpty }

    /// A name that was read. A "./" in front, which `bsdtar` writes when it packs ".", is left out, as all readers do.
    init(_ bytes: [UInt8]) throws(ZipError) {
        guard bytes.starts(with: "./".utf8) else {
            self = try EntryPath(plain: bytes)
            return
        }
        guard bytes.count > 2 else {
            self.init(components: [], isFolder: true)
            return
        }
        do throws(ZipError) {
            self = try EntryPath(plain: Array(bytes.dropFirst(2)))
        } catch {
            throw ZipError(error.code, entry: String(decoding: bytes, as: UTF8.self), detail: error.detail)
        }
    }

    private init(components: [Component], isFolder: Bool) {
        self.components = components
        self.isFolder = isFolder
    }

    /// The rules for names.
    init(plain bytes: [UInt8]) throws(ZipError) {
        func unsafe(_ detail: String) -> ZipError {
            ZipError(.unsafeName, entry: String(decoding: bytes, as: UTF8.self), detail: detail)
        }
        guard !bytes.isEmpty else { throw unsafe("an empty name") }
        guard bytes.count <= Self.maximumSize else { throw unsafe("longer than \(Self.maximumSize) bytes") }
        guard let name = String(validating: bytes, as: UTF8.self) else { throw unsafe("not UTF-8") }
        // NUL ends a C string early, and extractors drop, replace or keep the other control characters
        // as they please.
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
            // `unzip` takes it for the number of a version, as on VMS, and leaves it out.
            let number = part.reversed().prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }.count
            if number > 0, part.dropLast(number).last == UInt8(ascii: ";") {
                throw unsafe("a component that ends with a semicolon and a number")
            }
        }
        components = parts.map { Component(text: String(Substring($0))) }
    }

    /// Orders a folder directly before all that is in it, so that clashes are neighbours.
    static func isBefore(_ left: EntryPath, _ right: EntryPath) -> Bool {
        left.components.lexicographicallyPrecedes(right.components) { a, b in
            a.text.utf8.lexicographicallyPrecedes(b.text.utf8)
        }
    }
}
