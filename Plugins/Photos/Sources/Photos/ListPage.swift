internal import PhotosInterface
internal import PluginCore

/// The page with all pictures.
final class ListPage: Page {
    private static let sample = "lighthouse.png"
    private let bundle: PhotosBundle

    init(_ bundle: PhotosBundle) {
        self.bundle = bundle
    }

    var title: String { bundle.strings.string("list.title") }

    var content: [PageElement] {
        guard let pictures else { return [.text(bundle.strings.string("list.unreadable"))] }
        guard !pictures.isEmpty else { return [.text(bundle.strings.string("list.empty"))] }
        return [.list(pictures.map { PageRow($0.name, detail: bundle.shownSize(of: $0)) })]
    }

    var actions: [PageAction] {
        [PageAction("addSample", title: bundle.strings.string("list.addSample"))]
            + (pictures ?? []).map {
                PageAction("open-\($0.name)", title: bundle.strings.string("list.open", $0.name))
            }
    }

    func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws {
        if action == "addSample" {
            try bundle.library.add(bundle.context.resources.bytes(of: "Pictures/\(Self.sample)"), named: Self.sample)
        } else if let picture = pictures?.first(where: { "open-\($0.name)" == action }) {
            try await bundle.context.router.open(PhotosRoutes.picture, picture.name)
        } else {
            throw AtriumError(.pageActionUnknown, action, nearest: actions.map(\.identifier))
        }
    }

    /// The pictures; `nil` if they cannot be read, which the page shows and the log explains.
    private var pictures: [Picture]? {
        do {
            return try bundle.library.pictures()
        } catch {
            bundle.context.logger.error("the pictures cannot be read: \(error)")
            return nil
        }
    }
}
