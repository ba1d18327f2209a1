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

/// A page of either process as it passes: its number, and which process it belongs to. The content is sent before the message.
struct PassedPage: WireValue {
    let page: any Page

    init(_ page: any Page) {
        self.page = page
    }

    init(from reader: inout WireReader) throws {
        guard try reader.read(Bool.self) else {
            page = try reader.readReference { number, objects in try objects.page(number) }
            return
        }
        page = try reader.readOwnPage()
    }

    func write(to writer: inout WireWriter) {
        if let page = page as? RemotePage, page.reference.objects === writer.objects {
            writer.write(true, page.reference.number)
        } else {
            writer.write(false)
            writer.writeReference { $0.export(page) }
        }
    }
}

extension WireReader {
    /// Reads the number of a page of this process.
    mutating func readOwnPage() throws -> any Page {
        guard let page = objects?.ownPage(try read()) else { throw Malformed() }
        return page
    }
}
