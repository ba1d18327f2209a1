internal import PluginCore

/// The content of a page at one time.
struct PageContent: Hashable, Codable, Sendable {
    let title: String
    let elements: [PageElement]
    let actions: [PageAction]

    @MainActor
    init(of page: any Page) {
        (title, elements, actions) = (page.title, page.content, page.actions)
    }

    /// Creates the content from what the other process has sent. All contents together are counted before they are decoded.
    init(decoding bytes: [UInt8]) throws { self = try CodedValue(json: bytes).value() }

    /// The content as bytes. It can always be encoded.
    var encoded: [UInt8] { (try? CodedValue(self))?.json ?? [] }
}

extension ValueWriter {
    /// Writes a page: its number, and which process it belongs to. The content is sent before the message.
    mutating func write(_ page: any Page) {
        if let page = page as? RemotePage, page.reference.objects === objects {
            plain.write(all: true, page.reference.number)
        } else {
            plain.write(false)
            writeExport(objects.export(page))
        }
    }
}

extension ValueReader {
    /// Reads a page of either process.
    mutating func readPage() throws -> any Page {
        let isOwn = try plain.readBool()
        guard isOwn else { return try readRemotePage() }
        guard let page = objects.ownPage(try plain.read()) else { throw WireReader.Malformed() }
        return page
    }
}
