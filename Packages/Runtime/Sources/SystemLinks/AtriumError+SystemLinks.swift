public import PluginCore

// The codes of links that leave the app.
extension AtriumError.Code {
    /// A link that a rule or the user kept from being passed on to the system.
    public static let systemLinkDenied = Self("systemLinkDenied")
    /// A link that the system could not open.
    public static let systemLinkFailed = Self("systemLinkFailed")
}
