public import Console

/// The reply to a command line that was carried out.
public struct Reply: Sendable {
    /// The text for standard output.
    public let text: String
    /// The exit status, which is not 0 if the answer is negative.
    public let status: ExitStatus

    /// The text for standard error.
    public let note: String

    init(text: String, status: ExitStatus = .done, note: String = "") {
        self.text = text
        self.note = note
        self.status = status
    }

    init(document: JSONText, status: ExitStatus = .done) {
        self.init(text: document.text(pretty: true) + "\n", status: status)
    }
}
