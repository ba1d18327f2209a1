internal import ExtensionProtocol
internal import PluginCore

/// A stack of pages that the other process can change.
struct ExportedNavigator: ExportedObject {
    /// The functions of a stack.
    enum Function: UInt8 {
        case push, pop, present, dismiss, show
        /// Returns when the calls before it were performed.
        case flush
    }

    let navigator: any Navigator

    init(_ navigator: any Navigator) {
        self.navigator = navigator
    }

    /// Writes a reference to the stack, and its pages, each with whether it is presented. Of the pages of other bundles, only the titles
    /// are passed.
    @MainActor
    func write(to writer: inout ValueWriter) {
        writer.write(self)
        let presented = Set(navigator.presentedPages.map { ObjectIdentifier($0) })
        writer.plain.write(navigator.pages) { [objects = writer.objects] plain, page in
            plain.write(presented.contains(ObjectIdentifier(page)))
            let own = (page as? RemotePage).flatMap { $0.reference.objects === objects ? $0.reference.number : nil }
            plain.write(own) { $0.write($1) }
            if own == nil { plain.write(page.title) }
        }
    }

    func run(_ function: UInt8, _ arguments: inout ValueReader, _ result: inout ValueWriter) async throws {
        switch Function(rawValue: function) {
        case .push: await navigator.push(try arguments.readPage())
        case .pop: await navigator.pop()
        case .present:
            let value = await navigator.present(try arguments.readPage())
            result.plain.write(value != nil)
            if let value { try result.write(any: value, named: "value") }
        case .dismiss:
            let value = try arguments.plain.readBool() ? try arguments.readAny() : nil
            await navigator.dismiss(returning: value)
        case .show: await navigator.show(notice: try arguments.plain.readText())
        // A call is handled after the notifications with the same context.
        case .flush: break
        case nil: throw WireReader.Malformed()
        }
    }
}
