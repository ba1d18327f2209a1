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

    /// Writes a reference to the stack, and its pages, each with whether it is presented. Of the pages of other bundles, only the titles
    /// are passed.
    @MainActor
    func write(to writer: inout ValueWriter) {
        writer.write(self)
        let presented = Set(navigator.presentedPages.map { ObjectIdentifier($0) })
        writer.plain.write(navigator.pages) { [objects = writer.objects] plain, page in
            plain.write(presented.contains(ObjectIdentifier(page)))
            let own = (page as? RemotePage).flatMap { $0.reference.objects === objects ? $0.reference.number : nil }
            own.write(to: &plain)
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

/// The stack of pages of the other process.
@MainActor
final class RemoteNavigator: Navigator {
    private let reference: RemoteReference
    private var entries: [(page: any Page, isPresented: Bool)] = []
    private var hasChanged = false
    private var failure: (any Error)?

    init(from reader: inout ValueReader) throws {
        reference = try reader.readReference()
        // A page of another bundle is an object of its own, beside its entry.
        entries = try reader.readList(copies: 3) { reader in
            let isPresented = try reader.plain.readBool()
            guard try reader.plain.readBool() else {
                return (ForeignPage(title: try reader.plain.readText()), isPresented)
            }
            guard let page = reader.objects.ownPage(try reader.plain.read()) else { throw WireReader.Malformed() }
            return (page, isPresented)
        }
    }

    var pages: [any Page] { entries.map(\.page) }

    var presentedPages: [any Page] { entries.filter(\.isPresented).map(\.page) }

    func push(_ page: any Page) {
        entries.append((page, isPresented: false))
        notify(.push) { $0.write(page) }
    }

    func pop() {
        if entries.count > 1 { entries.removeLast() }
        notify(.pop)
    }

    func present(_ page: any Page) async -> (any Sendable)? {
        guard var result = try? await reference.call(ExportedNavigator.Function.present, { $0.write(page) }),
            (try? result.plain.readBool()) == true
        else { return nil }
        return try? result.readAny()
    }

    func dismiss(returning value: (any Sendable)?) {
        // As in the other process, so that a page finds out whether it is still on the stack.
        if let index = entries.lastIndex(where: \.isPresented) { entries.removeSubrange(index...) }
        notify(.dismiss) { writer in
            writer.plain.write(value != nil)
            if let value { try writer.write(any: value, named: "value") }
        }
    }

    func show(notice: String) { notify(.show) { $0.plain.write(notice) } }

    /// Waits until the other process has made all changes.
    ///
    /// - Throws: The error of the first change that could not be passed.
    func flush() async throws {
        guard hasChanged else { return }
        hasChanged = false
        _ = try? await reference.call(ExportedNavigator.Function.flush)
        if let failure {
            self.failure = nil
            throw failure
        }
    }

    private func notify(
        _ function: ExportedNavigator.Function, _ write: (inout ValueWriter) throws -> Void = { _ in }
    ) {
        hasChanged = true
        do {
            try reference.objects.notifyWithPages(reference.number, function.rawValue, write)
        } catch {
            failure = failure ?? error
        }
    }
}

/// A page of another bundle, of which only the title is known.
private final class ForeignPage: Page {
    let title: String
    let content: [PageElement] = []

    init(title: String) {
        self.title = title
    }
}
