import PluginCore
import PluginExtension
import Testing

@Suite("Content types", .tags(.small))
struct ContentTypeTests {
    @Test(
        "A standard type conforms to itself and to more general types, and to nothing else",
        arguments: [
            (
                "public.png", ["public.image", "public.data", "public.content", "public.item"],
                ["public.jpeg", "public.text"]
            ),
            ("public.html", ["public.text", "public.data", "public.content", "public.item"], ["public.plain-text"]),
            ("public.file-url", ["public.url", "public.data", "public.item"], ["public.content", "public.folder"]),
            (
                "com.apple.quicktime-movie", ["public.movie", "public.audiovisual-content"],
                ["public.video", "public.audio"]
            ),
            ("com.pkware.zip-archive", ["public.zip-archive", "public.archive", "public.data"], ["public.content"]),
            ("com.adobe.pdf", ["public.composite-content", "public.content", "public.data"], ["public.text"]),
            ("public.svg-image", ["public.image", "public.xml", "public.text"], ["public.html"]),
        ])
    func conformance(identifier: String, general: [String], others: [String]) throws {
        let type = try #require(ContentType(identifier))
        #expect(type.conforms(to: type))
        for other in general {
            let other = try #require(ContentType(other))
            #expect(type.conforms(to: other) && type.supertypes.contains(other) && !other.conforms(to: type))
        }
        for other in others { #expect(!type.conforms(to: try #require(ContentType(other)))) }
    }

    @Test("The case of an identifier does not matter")
    func ignoresCase() throws {
        let type = try #require(ContentType("Public.PNG"))
        #expect(type == .png && type.identifier == "public.png" && type.conforms(to: .image))
        #expect(ContentType("com.Example.A") == ContentType("COM.example.a"))
    }

    @Test("An unknown type conforms to itself alone, unless it was created with parents")
    func unknown() throws {
        let unknown = try #require(ContentType("com.example.note"))
        #expect(unknown.conforms(to: unknown) && unknown.supertypes.isEmpty && !unknown.conforms(to: .data))
        let declared = try #require(ContentType("com.example.note", conformingTo: [.plainText, .archive]))
        #expect(declared == unknown)
        #expect(declared.conforms(to: .text) && declared.conforms(to: .archive) && !declared.conforms(to: .image))
        let next = try #require(ContentType("com.example.note.secret", conformingTo: [declared]))
        #expect(next.conforms(to: unknown) && next.conforms(to: .plainText))
        #expect(
            ContentType("com.example.note", conformingTo: Array(declared.supertypes))?.supertypes == declared.supertypes
        )
    }

    @Test("No sender of data can change what a standard type conforms to")
    func standardTypesAreFixed() {
        #expect(ContentType("public.png", conformingTo: [.movie])?.conforms(to: .movie) == false)
        #expect(ContentType("public.png", conformingTo: [.movie])?.conforms(to: .image) == true)
    }

    @Test("A type conforms to a bounded number of types")
    func bounded() {
        let parents = (0...ContentType.maximumSupertypes).compactMap { ContentType("a.b\($0)") }
        #expect(ContentType("a.b", conformingTo: parents) == nil)
        #expect(ContentType("a.b", conformingTo: parents.dropLast()) != nil)
    }

    @Test(
        "A text that is not an identifier is no type",
        arguments: [
            "", ".", "data", "public.", ".data", "public..data", "public.plain text", "public.plain_text", "public.é",
            "a." + String(repeating: "b", count: ContentType.maximumLength),
        ])
    func malformed(text: String) {
        #expect(ContentType(text) == nil)
    }

    @Test("The type of a file follows from its extension")
    func extensions() {
        #expect(ContentType(filenameExtension: "PNG") == .png)
        #expect(ContentType(filenameExtension: "jpeg") == .jpeg)
        #expect(ContentType(filenameExtension: "txt") == .plainText)
        #expect(ContentType(filenameExtension: "pdf") == .pdf)
        #expect(ContentType(filenameExtension: "xyz") == nil && ContentType(filenameExtension: "") == nil)
    }

    @Test("The type of a MIME type ignores parameters, and is general if the subtype is unknown")
    func mimeTypes() {
        #expect(ContentType(mimeType: "text/plain; charset=utf-8") == .plainText)
        #expect(ContentType(mimeType: "IMAGE/PNG") == .png)
        #expect(ContentType(mimeType: "image/x-unknown") == .image)
        #expect(ContentType(mimeType: "video/x-unknown") == .movie)
        #expect(ContentType(mimeType: "application/x-unknown") == nil && ContentType(mimeType: "") == nil)
    }
}
