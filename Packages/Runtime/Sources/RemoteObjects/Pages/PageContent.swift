internal import ExtensionProtocol
internal import PluginCore

/// The content of a page at one time.
struct PageContent: Hashable, Sendable {
    let title: String
    let elements: [PageElement]
    let actions: [PageAction]

    init(title: String, elements: [PageElement], actions: [PageAction] = []) {
        self.title = title
        self.elements = elements
        self.actions = actions
    }

    @MainActor
    init(of page: any Page) {
        self.init(title: page.title, elements: page.content, actions: page.actions)
    }

    init(from reader: inout ValueReader) throws {
        title = try reader.plain.readText()
        elements = try CodedValue(json: try reader.plain.readBytes()).value()
        actions = try reader.plain.readList { (reader: inout WireReader) throws(WireReader.Malformed) in
            let (identifier, title) = (try reader.readText(), try reader.readText())
            let fields = try reader.readList { (reader: inout WireReader) throws(WireReader.Malformed) in
                PageField(try reader.readText(), label: try reader.readText(), initial: try reader.readText())
            }
            return PageAction(identifier, title: title, fields: fields)
        }
    }

    func write(to writer: inout ValueWriter) {
        writer.plain.write(title)
        // Text, lists and pairs of texts can always be encoded.
        writer.plain.write((try? CodedValue(elements))?.json ?? [])
        writer.plain.write(actions) { writer, action in
            writer.write(action.identifier)
            writer.write(action.title)
            writer.write(action.fields) { writer, field in
                writer.write(field.name)
                writer.write(field.label)
                writer.write(field.initial)
            }
        }
    }
}

extension ValueWriter {
    /// Writes a page: its number, and which process it belongs to. The content is sent before the message.
    mutating func write(_ page: any Page) {
        if let page = page as? RemotePage, page.reference.peer === peer {
            plain.write(true)
            plain.write(page.reference.number)
        } else {
            plain.write(false)
            plain.write(peer.export(page))
        }
    }
}

extension ValueReader {
    /// Reads a page of either process.
    mutating func readPage() throws(WireReader.Malformed) -> any Page {
        let isOwn = try plain.readBool()
        let number = try plain.read(UInt32.self)
        guard isOwn else { return try peer.page(number) }
        guard let page = peer.ownPage(number) else { throw WireReader.Malformed() }
        return page
    }
}
