/// An action that the user can perform on a page.
public struct PageAction: Hashable, Sendable {
    /// The identifier, which is the same in all languages.
    public let identifier: String
    /// The title that the user reads.
    public let title: String
    /// The fields that the user fills in first, usually none.
    public let fields: [PageField]

    /// Creates an action.
    public init(_ identifier: String, title: String, fields: [PageField] = []) {
        self.identifier = identifier
        self.title = title
        self.fields = fields
    }
}

extension PageAction {
    /// Returns the input for the page: the entered text of each field in its final form, and the initial text of fields without one.
    ///
    /// Hosts call this before they perform the action, so that pages get only values that their fields accept. Texts of other names are passed
    /// on as they are.
    ///
    /// - Throws: The errors of ``PageField/value(of:)``.
    public func input(from texts: [String: String]) throws(AtriumError) -> [String: String] {
        var input = texts
        for field in fields { input[field.name] = try field.value(of: texts[field.name] ?? field.initial) }
        return input
    }
}
