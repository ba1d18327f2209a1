/// The steps that a user takes with the built host and its sample plugins, and the guarantees that hold at every step.
enum MainJob {
    static let account = "com.example.app.account"
    static let orders = "com.example.app.orders"
    static let shop = "com.example.app.shop"
    static let money = "com.example.lib.money"
    static let lantern = "com.example.assets.lantern"
}
