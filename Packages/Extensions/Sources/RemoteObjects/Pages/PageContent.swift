internal import ExtensionProtocol
internal import PluginCore

/// The content of a page at one time.
struct PageContent: Hashable, Sendable {
    let title: String
    let elements: [PageElement]
    let actions: [PageAction]

    init(title: String, elements: [PageElement], actions: [PageAction] = []) {
        (self.title, self.elements, self.actions) = (title, elements, actions)
    }

    @MainActor
    init(of page: any Page) {
        self.init(title: page.title, elements: page.content, actions: page.actions)
    }

    /// Creates the content from what the other process has sent.
    init(decoding bytes: [UInt8]) throws(WireReader.Malformed) {
        // All contents together are counted before they are decoded.
        var reader = WireReader(bytes) { _ in true }
        title = try reader.readText()
        elements = try reader.readJSON()
        actions = try reader.readList { (reader: inout WireReader) throws(WireReader.Malformed) in
            let (identifier, title): (String, String) = try reader.values()
            let fields = try reader.readList { (reader: inout WireReader) throws(WireReader.Malformed) in
                let (name, label, initial): (String, String, String) = try reader.values()
                return PageField(name, label: label, kind: try reader.readFieldKind(), initial: initial)
            }
            return PageAction(identifier, title: title, fields: fields)
        }
    }

    /// The content as bytes.
    var encoded: [UInt8] {
        var writer = WireWriter()
        writer.write(title)
        // Elements can always be encoded.
        writer.write((try? CodedValue(elements))?.json ?? [])
        writer.write(actions) { writer, action in
            writer.write(all: action.identifier, action.title)
            writer.write(action.fields) { writer, field in
                writer.write(all: field.name, field.label, field.initial)
                writer.write(field.kind)
            }
        }
        return writer.bytes
    }
}

extension WireWriter {
    /// Writes the kind of a field. One that this program doesn't know is a text.
    fileprivate mutating func write(_ kind: PageField.Kind) {
        switch kind {
        case .toggle: write(UInt8(1))
        case .choice(let options):
            write(UInt8(2))
            write(options) { $0.write(all: $1.value, $1.title) }
        default: write(UInt8(0))
        }
    }
}

extension WireReader {
    fileprivate mutating func readFieldKind() throws(Malformed) -> PageField.Kind {
        switch try read(UInt8.self) {
        case 0: return .text
        case 1: return .toggle
        case 2:
            return .choice(
                try readList { (reader: inout WireReader) throws(Malformed) in
                    PageOption(try reader.readText(), title: try reader.readText())
                })
        default: throw Malformed()
        }
    }
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
    mutating func readPage() throws(WireReader.Malformed) -> any Page {
        let isOwn = try plain.readBool()
        guard isOwn else { return try readRemotePage() }
        guard let page = objects.ownPage(try plain.read()) else { throw WireReader.Malformed() }
        return page
    }
}
