/// The names under which the shop plugin is reached. It has no target: all it offers are addresses.
public enum ShopNames {
    /// The address of the home page.
    public static let homeAddress = "app://shop"
}
