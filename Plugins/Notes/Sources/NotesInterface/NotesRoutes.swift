public import PluginCore

/// The addresses of the notes plugin, in which a note is identified by its number.
public enum NotesRoutes {
    /// The list of notes.
    public static let list = PageRoute<NoValue>("notes", name: "list")
    /// The page of a note.
    public static let note = PageRoute<Int>("notes/:id", name: "note")
}
