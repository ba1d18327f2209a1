/// The standard types, their supertypes, filename extensions and MIME types.
enum StandardTypes {
    private struct Row {
        let identifier: String
        let parents: [String]
        let extensions: [String]
        let mimeTypes: [String]

        init(_ identifier: String, _ parents: [String], _ extensions: [String] = [], _ mimeTypes: [String] = []) {
            self.identifier = identifier
            self.parents = parents
            self.extensions = extensions
            self.mimeTypes = mimeTypes
        }
    }

    /// All supertypes of each standard type.
    static let supertypes: [String: Set<String>] = rows.reduce(into: [:]) { all, row in
        all[row.identifier] = row.parents.reduce(into: Set(row.parents)) { $0.formUnion(all[$1] ?? []) }
    }

    static let byExtension = Dictionary(
        rows.flatMap { row in row.extensions.map { ($0, row.identifier) } }, uniquingKeysWith: { first, _ in first })

    static let byMIMEType = Dictionary(
        rows.flatMap { row in row.mimeTypes.map { ($0, row.identifier) } }, uniquingKeysWith: { first, _ in first })

    /// Each type follows its parents.
    ///
    /// See "System-Declared Uniform Type Identifiers" in Apple's Uniform Type Identifiers Reference.
    private static let rows: [Row] = [
        Row("public.item", []),
        Row("public.content", []),
        Row("public.composite-content", ["public.content"]),
        Row("public.data", ["public.item"], [], ["application/octet-stream"]),
        Row("public.directory", ["public.item"]),
        Row("public.folder", ["public.directory"]),
        Row("public.executable", ["public.item"]),
        Row("public.url", ["public.data"], [], ["text/uri-list"]),
        Row("public.file-url", ["public.url"]),

        Row("public.text", ["public.data", "public.content"], [], ["text/*"]),
        Row("public.plain-text", ["public.text"], ["txt", "text", "log"], ["text/plain"]),
        Row("public.utf8-plain-text", ["public.plain-text"]),
        Row("public.utf16-plain-text", ["public.plain-text"]),
        Row("net.daringfireball.markdown", ["public.plain-text"], ["md", "markdown"], ["text/markdown"]),
        Row("public.source-code", ["public.plain-text"]),
        Row("public.swift-source", ["public.source-code"], ["swift"]),
        Row("public.shell-script", ["public.source-code"], ["sh"], ["application/x-sh"]),
        Row("public.rtf", ["public.text"], ["rtf"], ["text/rtf", "application/rtf"]),
        Row("public.html", ["public.text"], ["html", "htm"], ["text/html"]),
        Row("public.css", ["public.text"], ["css"], ["text/css"]),
        Row("public.xml", ["public.text"], ["xml"], ["application/xml", "text/xml"]),
        Row("public.json", ["public.text"], ["json"], ["application/json"]),
        Row("public.delimited-values-text", ["public.text"]),
        Row("public.comma-separated-values-text", ["public.delimited-values-text"], ["csv"], ["text/csv"]),
        Row("public.vcard", ["public.text"], ["vcf"], ["text/vcard"]),
        Row("com.apple.ical.ics", ["public.text"], ["ics"], ["text/calendar"]),

        Row("public.image", ["public.data", "public.content"], [], ["image/*"]),
        Row("public.png", ["public.image"], ["png"], ["image/png"]),
        Row("public.jpeg", ["public.image"], ["jpg", "jpeg"], ["image/jpeg"]),
        Row("public.tiff", ["public.image"], ["tiff", "tif"], ["image/tiff"]),
        Row("public.heic", ["public.image"], ["heic"], ["image/heic"]),
        Row("public.svg-image", ["public.image", "public.xml"], ["svg"], ["image/svg+xml"]),
        Row("com.compuserve.gif", ["public.image"], ["gif"], ["image/gif"]),
        Row("com.microsoft.bmp", ["public.image"], ["bmp"], ["image/bmp"]),
        Row("org.webmproject.webp", ["public.image"], ["webp"], ["image/webp"]),

        Row("public.audiovisual-content", ["public.data", "public.content"]),
        Row("public.movie", ["public.audiovisual-content"], [], ["video/*"]),
        Row("public.video", ["public.movie"]),
        Row("public.mpeg", ["public.movie"], ["mpg", "mpeg"], ["video/mpeg"]),
        Row("public.mpeg-4", ["public.movie"], ["mp4"], ["video/mp4"]),
        Row("public.avi", ["public.movie"], ["avi"], ["video/x-msvideo"]),
        Row("com.apple.quicktime-movie", ["public.movie"], ["mov"], ["video/quicktime"]),
        Row("org.webmproject.webm", ["public.movie"], ["webm"], ["video/webm"]),
        Row("public.audio", ["public.audiovisual-content"], [], ["audio/*"]),
        Row("public.mp3", ["public.audio"], ["mp3"], ["audio/mpeg"]),
        Row("com.apple.m4a-audio", ["public.audio"], ["m4a"], ["audio/mp4"]),
        Row("com.microsoft.waveform-audio", ["public.audio"], ["wav"], ["audio/wav"]),

        Row("public.archive", ["public.data"]),
        Row("public.zip-archive", ["public.archive"], ["zip"], ["application/zip"]),
        Row("com.pkware.zip-archive", ["public.zip-archive"]),
        Row("public.tar-archive", ["public.archive"], ["tar"], ["application/x-tar"]),
        Row("org.gnu.gnu-zip-archive", ["public.archive"], ["gz"], ["application/gzip"]),
        Row("com.adobe.pdf", ["public.data", "public.composite-content"], ["pdf"], ["application/pdf"]),
        Row("com.microsoft.word.doc", ["public.data", "public.composite-content"], ["doc"], ["application/msword"]),
        Row("com.apple.property-list", ["public.data"], ["plist"]),
        Row("public.database", ["public.data"], ["sqlite"]),
    ]
}
