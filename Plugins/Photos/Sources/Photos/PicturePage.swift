internal import PluginCore

/// The page of a picture, with the path of its file.
final class PicturePage: Page {
    private let bundle: PhotosBundle
    private let picture: Picture

    init(_ bundle: PhotosBundle, _ picture: Picture) { (self.bundle, self.picture) = (bundle, picture) }

    var title: String { picture.name }

    var content: [PageElement] {
        [
            .field(label: bundle.texts.pictureSize, value: bundle.shownSize(of: picture)),
            .field(label: bundle.texts.pictureFile, value: picture.path.string),
        ]
    }
}

extension PhotosBundle {
    /// Returns width and height, such as `64 × 48`.
    func shownSize(of picture: Picture) -> String {
        guard let size = picture.size else { return texts.pictureDamaged }
        return texts.listSize(size.width, size.height)
    }
}
