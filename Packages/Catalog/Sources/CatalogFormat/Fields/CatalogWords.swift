import BundleFormat
import PluginCore

/// The forms of names in a catalog.
enum CatalogWords {
    /// Returns whether a text is a name of lowercase letters, digits and hyphens that begins with a letter.
    static func isChannel(_ text: String) -> Bool {
        guard let first = text.utf8.first, isLowercaseLetter(first), text.utf8.count <= CatalogLimits.word else {
            return false
        }
        return text.utf8.allSatisfy { isLowercaseLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") }
    }

    /// Returns whether a text can be the triple of a platform, which is the name of a folder.
    static func isPlatform(_ text: String) -> Bool {
        isWord(text) && text != "." && text != ".."
    }

    /// Returns whether a text has only the characters of language tags.
    static func isLanguage(_ text: String) -> Bool {
        isWord(text) && !text.utf8.contains(UInt8(ascii: ".")) && !text.utf8.contains(UInt8(ascii: "_"))
    }

    /// Returns whether a text is a SHA-256 in lowercase hexadecimal.
    static func isDigest(_ text: String) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy { isDigit($0) || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0 }
    }

    private static func isWord(_ text: String) -> Bool {
        1...CatalogLimits.word ~= text.utf8.count
            && text.utf8.allSatisfy {
                isLowercaseLetter($0 | 0x20) || isDigit($0) || [0x2D, 0x2E, 0x5F].contains($0)
            }
    }

    private static func isLowercaseLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte }
    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
}
