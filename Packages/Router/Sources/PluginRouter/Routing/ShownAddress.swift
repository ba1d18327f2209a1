public import PluginCore

/// The address of the page that the router is showing, for a navigator that wants to know it.
public enum ShownAddress {
    /// The address during a call of the navigator by the router, and nil in all other calls.
    @TaskLocal public static var current: ResourceURI?
}
