public import PluginCore

/// The addresses of the photos plugin, in which a picture is identified by the name of its file.
public enum PhotosRoutes {
    /// The list of pictures.
    public static let list = PageRoute<NoValue>("photos", name: "list")
    /// The page of a picture.
    public static let picture = PageRoute<String>("photos/:name", name: "picture")
}
