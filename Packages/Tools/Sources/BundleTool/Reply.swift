public import Console

/// What the program answers to a command line that it has understood and done.
public struct Reply: Sendable {
    /// What goes to standard output.
    public let text: String
    /// What the program ends with; not always 0, because an answer may be no.
    public let status: ExitStatus

    init(text: String, status: ExitStatus = .done) {
        self.text = text
        self.status = status
    }

    init(document: JSONText) {
        self.init(text: document.text(pretty: true) + "\n")
    }
}
