/// The names under which the orders plugin is reached.
public enum OrdersNames {
    /// The mediator's target.
    public static let target = "Orders"
}
