/// The differences between the two releases that this source builds.
struct Release: Sendable {
    /// The key of the home page's greeting.
    let greetingKey: String
    /// The items that are cheaper in this release.
    let deals: [Deal]

    /// A price below the usual price.
    struct Deal: Sendable {
        /// The item's number.
        let item: Int
        /// The price in cents.
        let price: Int
    }

    /// Version 1.0.0, which `Scripts/build` builds with the condition `FirstRelease`.
    static let first = Release(greetingKey: "home.greeting.first", deals: [])
    /// Version 1.1.0, which has deals.
    static let second = Release(greetingKey: "home.greeting", deals: [Deal(item: 7, price: 350)])

    #if FirstRelease
        /// The release that is built.
        static let current = first
    #else
        /// The release that is built.
        static let current = second
    #endif
}
