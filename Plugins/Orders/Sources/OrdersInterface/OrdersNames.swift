/// The names by which other plugins use the orders plugin.
public enum OrdersNames {
    /// The target of the plugin's actions.
    public static let target = "Orders"
}
