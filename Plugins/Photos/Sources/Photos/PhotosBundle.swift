internal import PhotosInterface
internal import PluginCore

/// Returns the plugin's description; this is the only symbol that the host looks up.
@c(plugin_entry_v3)
public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(PhotosBundle.self) }

/// The photos plugin, which lists the pictures in its container.
final class PhotosBundle: BundleDelegate {
    let context: BundleContext
    let library: PictureLibrary

    init(context: BundleContext) {
        self.context = context
        library = PictureLibrary(in: context.container)
    }

    static var routes: some RouteSet<PhotosBundle> {
        Route(PhotosRoutes.list) { photos in ListPage(photos) }
        Route(PhotosRoutes.picture) { photos, name, request in
            guard let picture = try photos.library.pictures().first(where: { $0.name == name }) else {
                throw AtriumError(.resourceUnknown, request.uri.text)
            }
            return PicturePage(photos, picture)
        }
    }

    /// The texts in the user's language.
    var texts: Texts { context.texts }
}
