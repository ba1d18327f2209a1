public import PluginCore

/// The addresses of the notes plugin, in which a note is identified by its number.
public enum NotesRoutes {
    /// The list of notes.
    public static let list = RouteContract<NoValue, NoValue>("notes", .page, name: "list")
    /// The page of a note.
    public static let note = RouteContract<Int, NoValue>("notes/:id", .page, name: "note")
}
