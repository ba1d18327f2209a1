internal import ExtensionProtocol
internal import PluginCore

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
