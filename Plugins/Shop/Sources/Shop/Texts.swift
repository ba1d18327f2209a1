// Generated from Resources/en.lproj/Localizable.json by "bundletool texts"; do not edit.
// swift-format-ignore-file
internal import PluginCore

/// The texts of the plugin in the user's language.
struct Texts: Sendable {
    private let _resources: BundleResources

    init(_ resources: BundleResources) { _resources = resources }

    var aboutAccount: String { _resources.string("about.account") }
    var aboutOrders: String { _resources.string("about.orders") }
    var aboutOthers: String { _resources.string("about.others") }
    var aboutPicture: String { _resources.string("about.picture") }
    var aboutShop: String { _resources.string("about.shop") }
    var aboutText: String { _resources.string("about.text") }
    var aboutTitle: String { _resources.string("about.title") }
    var dealsTitle: String { _resources.string("deals.title") }
    var giftChoose: String { _resources.string("gift.choose") }
    var giftExplanation: String { _resources.string("gift.explanation") }
    var giftLookUp: String { _resources.string("gift.lookUp") }
    var giftTitle: String { _resources.string("gift.title") }
    func giftWritten(_ value1: any Sendable) -> String { _resources.string("gift.written", value1) }
    var homeDeals: String { _resources.string("home.deals") }
    var homeDealsHeading: String { _resources.string("home.dealsHeading") }
    var homeGift: String { _resources.string("home.gift") }
    var homeGreeting: String { _resources.string("home.greeting") }
    var homeTitle: String { _resources.string("home.title") }
    func itemBought(_ value1: any Sendable, _ value2: any Sendable) -> String { _resources.string("item.bought", value1, value2) }
    var itemBuy: String { _resources.string("item.buy") }
    var itemFrom: String { _resources.string("item.from") }
    var itemLastOrder: String { _resources.string("item.lastOrder") }
    var itemName: String { _resources.string("item.name") }
    var itemOrders: String { _resources.string("item.orders") }
    var itemPrice: String { _resources.string("item.price") }
    var nameChair: String { _resources.string("name.chair") }
    var nameLamp: String { _resources.string("name.lamp") }
    var nameNotebook: String { _resources.string("name.notebook") }
    func priceWas(_ value1: any Sendable, _ value2: any Sendable) -> String { _resources.string("price.was", value1, value2) }
}

extension BundleContext {
    /// The texts of the plugin in the user's language.
    var texts: Texts { Texts(resources) }
}
