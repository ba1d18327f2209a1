/// What differs between the releases of the shop that this source tree builds.
struct Release: Sendable {
    /// The key of the home page's greeting.
    let greetingKey: String
    /// What is cheaper in this release.
    let deals: [Deal]

    /// A price below the usual one.
    struct Deal: Sendable {
        /// The item's number.
        let item: Int
        /// The price in cents.
        let price: Int
    }

    /// 1.0.0, built with the package trait `FirstRelease`.
    static let first = Release(greetingKey: "home.greeting.first", deals: [])
    /// 1.1.0, with deals.
    static let second = Release(greetingKey: "home.greeting", deals: [Deal(item: 7, price: 350)])

    #if FirstRelease
        /// The release that is being built.
        static let current = first
    #else
        /// The release that is being built.
        static let current = second
    #endif
}
