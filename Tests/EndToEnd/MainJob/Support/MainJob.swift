/// The main job: what a user does with the built host and its sample plugins, step by step, and the promises that
/// hold at every step.
enum MainJob {
    static let account = "com.example.app.account"
    static let orders = "com.example.app.orders"
    static let shop = "com.example.app.shop"
    static let money = "com.example.lib.money"
    static let lantern = "com.example.assets.lantern"
}
