import Console
import ExtensionHost
import PluginCore
import PluginExtension
import PluginIsolation

/// A page together with the extensions that accept its content, which are further actions of the page.
@MainActor
final class PageWithExtensions: PageWrapper {
    private let page: any Page
    nonisolated var wrapped: any Page { page }
    private let address: ResourceURI?
    private let call: HostCall
    private var found: [Offer]?

    private typealias Offer = (action: PageAction.Description, declaration: ExtensionDeclaration, item: ExtensionItem)

    /// Adds the extensions of a call's session to a page.
    ///
    /// - Parameter address: The address of the page, or nil if it has none.
    init(_ page: any Page, at address: ResourceURI?, _ call: HostCall) {
        self.page = page
        self.address = address
        self.call = call
    }

    var title: String { page.title }
    var content: [PageElement] { page.content }
    var actions: [PageAction] { page.actions + offers.map { PageAction($0.action) } }

    func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws {
        let isOwn = page.actions.contains { $0.identifier == action }
        guard !isOwn, let offer = offers.first(where: { $0.action.identifier == action }) else {
            return try await page.perform(action, input: input, on: navigator)
        }
        let declaration = offer.declaration
        let input = try CodedValue(NoValue())
        let result: ExtensionResult
        do {
            let stack = call.session?.stack
            result = try await call.extensions.run(
                declaration.identifier, input: input, items: [offer.item], on: stack)
        } catch let error as AtriumError where error.code == .requestCanceled {
            return navigator.show(notice: localized("\(declaration.name) was canceled."))
        }
        guard declaration.point != ExtensionPoints.share.identifier else {
            return navigator.show(notice: localized("Sent to \(declaration.name)."))
        }
        let text = try ReturnedItems(result.items, call).text
        guard !text.isEmpty else { return navigator.show(notice: localized("\(declaration.name) returned nothing.")) }
        navigator.push(FixedPage(declaration.name, text.split(separator: "\n").map { .text(String($0)) }))
    }

    /// The enabled extensions that accept the content; none if the registry cannot be read, which is logged.
    private var offers: [Offer] {
        if let found { return found }
        var accepting: [(InstalledExtension, ExtensionItem)] = []
        do {
            for point in [ExtensionPoints.share, ExtensionPoints.action] {
                for item in items {
                    for installed in try call.extensions.accepting([item], at: point.identifier)
                    where !accepting.contains(where: { $0.0 == installed }) { accepting.append((installed, item)) }
                }
            }
        } catch {
            call.log("host", .error, .error(error))
        }
        let taken = page.actions.map(\.identifier) + accepting.map(\.0.word)
        let offers = accepting.map { installed, item -> Offer in
            let (declaration, word) = (installed.declaration, installed.word)
            let isShare = declaration.point == ExtensionPoints.share.identifier
            let action = PageAction.Description(
                taken.count { $0 == word } == 1 ? word : declaration.identifier.text,
                title: isShare ? localized("Share with \(declaration.name)") : declaration.name)
            return (action, declaration, item)
        }
        found = offers
        return offers
    }

    /// The content of the page in the forms in which an extension may accept it: with text and address, or with one of them.
    private var items: [ExtensionItem] {
        let lines = page.content.flatMap(\.lines)
        let text = lines.isEmpty ? nil : lines.joined(separator: "\n")
        let link = address.map { [ItemAttachment(url: $0.text)] }
        let forms: [(String?, [ItemAttachment]?)] = [(text, link), (text, nil), (nil, link)]
        return forms.filter { $0.0 != nil || $0.1 != nil }.map { text, link in
            ExtensionItem(title: page.title, text: text, attachments: link ?? [])
        }
    }
}

extension InstalledExtension {
    /// The end of the identifier by which the user chooses the extension, such as notes.share.
    fileprivate var word: String {
        declaration.identifier.text.split(separator: ".").suffix(2).joined(separator: ".")
    }
}

extension PageElement {
    /// The text of the element.
    fileprivate var lines: [String] {
        switch self {
        case .heading(let text), .text(let text): [text]
        case .field(let label, let value): ["\(label): \(value)"]
        case .list(let rows): rows.map { $0.detail.isEmpty ? $0.title : "\($0.title): \($0.detail)" }
        case .image(let image): image.text.isEmpty ? [] : [image.text]
        case .section(let title, let elements): (title.isEmpty ? [] : [title]) + elements.flatMap(\.lines)
        case .divider, .progress, .unknown: []
        @unknown default: []
        }
    }
}

extension String {
    /// Applies a change of a keyboard at the end of the text, which can delete at most what is there.
    mutating func apply(_ change: TextChange) {
        removeLast(min(max(0, change.deleted), count))
        self += change.inserted
    }
}
