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

    private static let characters = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-".utf8)

    private static func isValid(_ text: String) -> Bool {
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return text.utf8.count <= maximumLength && labels.count >= 2
            && labels.allSatisfy { !$0.isEmpty && $0.allSatisfy(characters.contains) }
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

/// The standard types, their supertypes, filename extensions and MIME types.
enum StandardTypes {
    private struct Row {
        let identifier: String
        let parents: [String]
        let extensions: [String]
        let mimeTypes: [String]
    }

    /// All supertypes of each standard type.
    static let supertypes: [String: Set<String>] = rows.reduce(into: [:]) { all, row in
        all[row.identifier] = row.parents.reduce(into: Set(row.parents)) { $0.formUnion(all[$1] ?? []) }
    }

    static let byExtension = types(by: \.extensions)
    static let byMIMEType = types(by: \.mimeTypes)

    private static func types(by names: (Row) -> [String]) -> [String: String] {
        Dictionary(rows.flatMap { row in names(row).map { ($0, row.identifier) } }) { first, _ in first }
    }

    private static let rows = table.split(separator: "\n").map { line in
        let columns = line.split(separator: "|", omittingEmptySubsequences: false).map {
            $0.split(separator: " ").map(String.init)
        }
        return Row(identifier: columns[0][0], parents: columns[1], extensions: columns[2], mimeTypes: columns[3])
    }

    /// The types with their parents, filename extensions and MIME types. Each type follows its parents.
    ///
    /// See "System-Declared Uniform Type Identifiers" in Apple's Uniform Type Identifiers Reference.
    private static let table = """
        public.item | | |
        public.content | | |
        public.composite-content | public.content | |
        public.data | public.item | | application/octet-stream
        public.directory | public.item | |
        public.folder | public.directory | |
        public.executable | public.item | |
        public.url | public.data | | text/uri-list
        public.file-url | public.url | |

        public.text | public.data public.content | | text/*
        public.plain-text | public.text | txt text log | text/plain
        public.utf8-plain-text | public.plain-text | |
        public.utf16-plain-text | public.plain-text | |
        net.daringfireball.markdown | public.plain-text | md markdown | text/markdown
        public.source-code | public.plain-text | |
        public.swift-source | public.source-code | swift |
        public.shell-script | public.source-code | sh | application/x-sh
        public.rtf | public.text | rtf | text/rtf application/rtf
        public.html | public.text | html htm | text/html
        public.css | public.text | css | text/css
        public.xml | public.text | xml | application/xml text/xml
        public.json | public.text | json | application/json
        public.delimited-values-text | public.text | |
        public.comma-separated-values-text | public.delimited-values-text | csv | text/csv
        public.vcard | public.text | vcf | text/vcard
        com.apple.ical.ics | public.text | ics | text/calendar

        public.image | public.data public.content | | image/*
        public.png | public.image | png | image/png
        public.jpeg | public.image | jpg jpeg | image/jpeg
        public.tiff | public.image | tiff tif | image/tiff
        public.heic | public.image | heic | image/heic
        public.svg-image | public.image public.xml | svg | image/svg+xml
        com.compuserve.gif | public.image | gif | image/gif
        com.microsoft.bmp | public.image | bmp | image/bmp
        org.webmproject.webp | public.image | webp | image/webp

        public.audiovisual-content | public.data public.content | |
        public.movie | public.audiovisual-content | | video/*
        public.video | public.movie | |
        public.mpeg | public.movie | mpg mpeg | video/mpeg
        public.mpeg-4 | public.movie | mp4 | video/mp4
        public.avi | public.movie | avi | video/x-msvideo
        com.apple.quicktime-movie | public.movie | mov | video/quicktime
        org.webmproject.webm | public.movie | webm | video/webm
        public.audio | public.audiovisual-content | | audio/*
        public.mp3 | public.audio | mp3 | audio/mpeg
        com.apple.m4a-audio | public.audio | m4a | audio/mp4
        com.microsoft.waveform-audio | public.audio | wav | audio/wav

        public.archive | public.data | |
        public.zip-archive | public.archive | zip | application/zip
        com.pkware.zip-archive | public.zip-archive | |
        public.tar-archive | public.archive | tar | application/x-tar
        org.gnu.gnu-zip-archive | public.archive | gz | application/gzip
        com.adobe.pdf | public.data public.composite-content | pdf | application/pdf
        com.microsoft.word.doc | public.data public.composite-content | doc | application/msword
        com.apple.property-list | public.data | plist |
        public.database | public.data | sqlite |
        """
}
