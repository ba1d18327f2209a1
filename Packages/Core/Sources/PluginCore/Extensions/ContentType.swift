/// A type of data, named by a uniform type identifier such as public.plain-text.
///
/// Types conform to more general ones: `public.png` to `public.image`, and that to `public.data`. The standard types are Apple's
/// system-declared uniform type identifiers. Any other identifier is a type that conforms to itself and to the types that it was created
/// with, so the sender of data declares its own types. The case of letters does not matter.
///
/// ```swift
/// ContentType(filenameExtension: "png")?.conforms(to: .image)                            // true
/// ContentType("com.example.note", conformingTo: [.plainText])?.conforms(to: .text)       // true
/// ```
public struct ContentType: Sendable {
    /// The maximum length of an identifier, in bytes.
    public static let maximumLength = 255
    /// The maximum number of types that one type conforms to, itself excluded.
    public static let maximumSupertypes = 64

    /// The identifier in lowercase.
    public let identifier: String
    private let supertypeIdentifiers: Set<String>

    /// Creates a type from its identifier.
    ///
    /// - Parameters:
    ///   - identifier: Two or more labels of letters, digits and hyphens between dots.
    ///   - parents: The types that it conforms to. They are ignored for a standard type.
    /// - Returns: nil if the identifier does not have this form, or if the type conforms to more than ``maximumSupertypes``.
    public init?(_ identifier: String, conformingTo parents: [ContentType] = []) {
        guard Self.isValid(identifier) else { return nil }
        self.init(known: identifier.lowercased())
        guard !parents.isEmpty, StandardTypes.supertypes[self.identifier] == nil else { return }
        var supertypes: Set<String> = []
        for parent in parents {
            supertypes.formUnion(parent.supertypeIdentifiers)
            supertypes.insert(parent.identifier)
        }
        supertypes.remove(self.identifier)
        guard supertypes.count <= Self.maximumSupertypes else { return nil }
        self.init(self.identifier, supertypes)
    }

    /// Creates the standard type of files with an extension, such as `png`. Returns nil for an unknown extension.
    public init?(filenameExtension: String) {
        guard let identifier = StandardTypes.byExtension[filenameExtension.lowercased()] else { return nil }
        self.init(known: identifier)
    }

    /// Creates the standard type of a MIME type, such as `image/png`. Parameters are ignored.
    ///
    /// - Returns: For an unknown subtype the general type, such as `public.image`; nil for an unknown type.
    public init?(mimeType: String) {
        let name = mimeType.lowercased().prefix { $0 != ";" && !$0.isWhitespace }
        let general = name.prefix { $0 != "/" } + "/*"
        let table = StandardTypes.byMIMEType
        guard let identifier = table[String(name)] ?? table[String(general)] else { return nil }
        self.init(known: identifier)
    }

    /// Creates a type from an identifier in lowercase that is known to be valid.
    init(known identifier: String) {
        self.init(identifier, StandardTypes.supertypes[identifier] ?? [])
    }

    private init(_ identifier: String, _ supertypes: Set<String>) {
        self.identifier = identifier
        supertypeIdentifiers = supertypes
    }

    /// The types that this one conforms to, itself excluded.
    public var supertypes: Set<ContentType> { Set(supertypeIdentifiers.map { ContentType(known: $0) }) }

    /// Returns whether the type is another one or conforms to it.
    public func conforms(to other: ContentType) -> Bool {
        identifier == other.identifier || supertypeIdentifiers.contains(other.identifier)
    }

    private static func isValid(_ text: String) -> Bool {
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return text.utf8.count <= maximumLength && labels.count >= 2
            && labels.allSatisfy { label in
                !label.isEmpty && label.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
            }
    }
}

extension ContentType: Hashable {
    /// Returns whether both types have the same identifier.
    public static func == (one: Self, other: Self) -> Bool { one.identifier == other.identifier }

    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

extension ContentType: CustomStringConvertible {
    /// The identifier.
    public var description: String { identifier }
}

// The types that hosts and extensions use most.
extension ContentType {
    /// Any data.
    public static let data = Self(known: "public.data")
    /// Any text.
    public static let text = Self(known: "public.text")
    /// Text without markup.
    public static let plainText = Self(known: "public.plain-text")
    /// A web page.
    public static let html = Self(known: "public.html")
    /// A URL.
    public static let url = Self(known: "public.url")
    /// The URL of a file.
    public static let fileURL = Self(known: "public.file-url")
    /// Any image.
    public static let image = Self(known: "public.image")
    /// A PNG image.
    public static let png = Self(known: "public.png")
    /// A JPEG image.
    public static let jpeg = Self(known: "public.jpeg")
    /// Any movie.
    public static let movie = Self(known: "public.movie")
    /// Any sound.
    public static let audio = Self(known: "public.audio")
    /// Any archive of files.
    public static let archive = Self(known: "public.archive")
    /// A PDF document.
    public static let pdf = Self(known: "com.adobe.pdf")
}
