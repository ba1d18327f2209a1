public import PluginCore

/// The addresses of the photos plugin, in which a picture is identified by the name of its file.
public enum PhotosRoutes {
    /// The list of pictures.
    public static let list = RouteContract<NoValue, NoValue>("photos", .page, name: "list")
    /// The page of a picture.
    public static let picture = RouteContract<String, NoValue>("photos/:name", .page, name: "picture")
}
