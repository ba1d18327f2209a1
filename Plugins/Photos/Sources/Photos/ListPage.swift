internal import PhotosInterface
internal import PluginCore

/// The page with all pictures.
final class ListPage: Page {
    private let bundle: PhotosBundle

    init(_ bundle: PhotosBundle) { self.bundle = bundle }

    var title: String { bundle.texts.listTitle }

    var content: [PageElement] {
        let (context, texts) = (bundle.context, bundle.texts)
        let list = context.list(empty: texts.listEmpty, unreadable: texts.listUnreadable) {
            try bundle.library.pictures().map {
                PageRow(
                    $0.name, detail: bundle.shownSize(of: $0),
                    opens: context.address(for: PhotosRoutes.picture, $0.name))
            }
        }
        return [list]
    }

    var actions: [PageAction] {
        PageAction("addSample", title: bundle.texts.listAddSample) { _ in
            let picture = try bundle.context.resources.bytes(of: "Pictures/lighthouse.png")
            try bundle.library.add(picture, named: "lighthouse.png")
        }
    }
}
