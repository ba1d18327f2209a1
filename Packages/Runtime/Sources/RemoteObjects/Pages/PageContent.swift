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

    /// Creates the content from what the other process has sent.
    ///
    /// - Throws: ``WireReader/Malformed``, and the errors of decoding JSON.
    init(decoding bytes: [UInt8]) throws {
        var reader = WireReader(bytes)
        title = try reader.readText()
        elements = try CodedValue(json: try reader.readBytes()).value()
        actions = try reader.readList { (reader: inout WireReader) throws(WireReader.Malformed) in
            let (identifier, title) = (try reader.readText(), try reader.readText())
            let fields = try reader.readList { (reader: inout WireReader) throws(WireReader.Malformed) in
                PageField(try reader.readText(), label: try reader.readText(), initial: try reader.readText())
            }
            return PageAction(identifier, title: title, fields: fields)
        }
    }

    /// The content as bytes.
    var encoded: [UInt8] {
        var writer = WireWriter()
        writer.write(title)
        // Text, lists and pairs of texts can always be encoded.
        writer.write((try? CodedValue(elements))?.json ?? [])
        writer.write(actions) { writer, action in
            writer.write(action.identifier)
            writer.write(action.title)
            writer.write(action.fields) { writer, field in
                writer.write(field.name)
                writer.write(field.label)
                writer.write(field.initial)
            }
        }
        return writer.bytes
    }
}

extension ValueWriter {
    /// Writes a page: its number, and which process it belongs to. The content is sent before the message.
    mutating func write(_ page: any Page) {
        if let page = page as? RemotePage, page.reference.objects === objects {
            plain.write(true)
            plain.write(page.reference.number)
        } else {
            plain.write(false)
            writeExport(objects.export(page))
        }
    }
}

extension ValueReader {
    /// Reads a page of either process.
    mutating func readPage() throws(WireReader.Malformed) -> any Page {
        let isOwn = try plain.readBool()
        guard isOwn else { return try readRemotePage() }
        guard let page = objects.ownPage(try plain.read()) else { throw WireReader.Malformed() }
        return page
    }
}
