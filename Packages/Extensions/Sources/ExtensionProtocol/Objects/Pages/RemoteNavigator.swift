import PluginCore

/// A stack of pages that the other process can change.
struct ExportedNavigator: ExportedObject {
    /// The functions of a stack.
    enum Function: UInt8 {
        case push, pop, present, dismiss, show
        /// Returns when the calls before it were performed.
        case flush
    }

    private let navigator: any Navigator
    private let pages: [(isPresented: Bool, own: UInt32?, title: String)]

    /// Creates the object with the pages that are on the stack now.
    ///
    /// - Parameter objects: The connection to the process, which gets only the titles of other processes' pages.
    @MainActor
    init(_ navigator: any Navigator, for objects: ObjectConnection) {
        self.navigator = navigator
        let presented = Set(navigator.presentedPages.map { ObjectIdentifier($0) })
        pages = navigator.pages.map { page in
            let own = (page as? RemotePage).flatMap { $0.reference.objects === objects ? $0.reference.number : nil }
            return (presented.contains(ObjectIdentifier(page)), own, own == nil ? page.title : "")
        }
    }

    /// Writes a reference to the stack, and its pages.
    func write(to writer: inout WireWriter) {
        writer.writeReference { $0.export(self) }
        writer.write(pages) { writer, page in
            writer.write(page.isPresented, page.own)
            if page.own == nil { writer.write(page.title) }
        }
    }

    func run(_ function: UInt8, _ arguments: inout WireReader) async throws -> any WireEncodable {
        switch Function(rawValue: function) {
        case .push: await navigator.push(try arguments.read(PassedPage.self).page)
        case .pop: await navigator.pop()
        case .present:
            let value = await navigator.present(try arguments.read(PassedPage.self).page)
            return value.map { AnyValue($0, named: "value") }
        case .dismiss: await navigator.dismiss(returning: try arguments.read(AnyValue?.self)?.value)
        case .show: await navigator.show(notice: try arguments.read())
        // A call is handled after the notifications with the same context.
        case .flush: break
        case nil: throw WireReader.Malformed()
        }
        return EmptyReply()
    }
}

/// The stack of pages of the other process.
@MainActor
final class RemoteNavigator: Navigator, WireDecodable {
    private let reference: RemoteReference
    private var entries: [(page: any Page, isPresented: Bool)] = []
    private var hasChanged = false
    private var failure: (any Error)?

    nonisolated init(from reader: inout WireReader) throws {
        reference = try reader.read(RemoteReference.self)
        // A page of another bundle is an object of its own, beside its entry.
        entries = try reader.readList(copies: 3) { reader in
            let isPresented = try reader.read(Bool.self)
            let isOwn = try reader.read(Bool.self)
            return (isOwn ? try reader.readOwnPage() : ForeignPage(title: try reader.read()), isPresented)
        }
    }

    var pages: [any Page] { entries.map(\.page) }

    var presentedPages: [any Page] { entries.filter(\.isPresented).map(\.page) }

    func push(_ page: any Page) {
        entries.append((page, isPresented: false))
        notify(.push, PassedPage(page))
    }

    func pop() {
        if entries.count > 1 { entries.removeLast() }
        notify(.pop)
    }

    func present(_ page: any Page) async -> (any Sendable)? {
        let value = try? await reference.call(
            function: ExportedNavigator.Function.present, PassedPage(page), as: AnyValue?.self)
        return value?.value
    }

    func dismiss(returning value: (any Sendable)?) {
        // As in the other process, so that a page finds out whether it is still on the stack.
        if let index = entries.lastIndex(where: \.isPresented) { entries.removeSubrange(index...) }
        notify(.dismiss, value.map { AnyValue($0, named: "value") })
    }

    func show(notice: String) { notify(.show, notice) }

    /// Waits until the other process has made all changes.
    ///
    /// - Throws: The error of the first change that could not be passed.
    func flush() async throws {
        guard hasChanged else { return }
        hasChanged = false
        try? await reference.call(function: ExportedNavigator.Function.flush)
        if let failure {
            self.failure = nil
            throw failure
        }
    }

    private func notify<each Argument: WireEncodable>(
        _ function: ExportedNavigator.Function, _ arguments: repeat each Argument
    ) {
        hasChanged = true
        do {
            try reference.objects.notifyWithPages(function, of: reference.number, repeat each arguments)
        } catch {
            failure = failure ?? error
        }
    }
}

/// A page of another bundle, of which only the title is known.
private final class ForeignPage: Page {
    let title: String
    let content: [PageElement] = []

    nonisolated init(title: String) {
        self.title = title
    }
}
