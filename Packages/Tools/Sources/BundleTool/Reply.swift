public import Console

/// What the program answers to a command line that it has understood and done.
public struct Reply: Sendable {
    /// What goes to standard output.
    public let text: String
    /// What the program ends with; not always 0, because an answer may be no.
    public let status: ExitStatus

    /// Text that goes to standard error.
    public let note: String

    init(text: String, status: ExitStatus = .done, note: String = "") {
        self.text = text
        self.note = note
        self.status = status
    }

    init(document: JSONText) {
        self.init(text: document.text(pretty: true) + "\n")
    }
}
