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
        let context = bundle.context
        return [
            .list(
                pictures.map {
                    PageRow(
                        $0.name, detail: bundle.shownSize(of: $0),
                        opens: context.address(for: PhotosRoutes.picture, $0.name))
                })
        ]
    }

    var actions: [PageAction] {
        PageAction("addSample", title: bundle.strings.string("list.addSample")) { _ in
            let picture = try bundle.context.resources.bytes(of: "Pictures/\(Self.sample)")
            try bundle.library.add(picture, named: Self.sample)
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
