/// What an app is made of, as `bundle.json` says it: which bundles, under which first segment of an address, and which
/// addresses of its own the app gives to their pages.
///
/// ```json
/// {
///   "formatVersion": 1, "name": "Sample", "start": "app://shop",
///   "bundles": [
///     { "uri": "shop", "pkg": "com.example.app.shop", "rules": { "answer": "item?id=42", "welcome": "help/about" } }
///   ]
/// }
/// ```
///
/// A rule's key is the path behind the bundle's `uri`, and `""` the `uri` alone. Its value is the name of a page of the
/// bundle, or `layout/pageId` for a page described by data, either with a query that is handed on. A rule beats what the
/// bundle's own manifest says of the same address; the guards that the manifest gives to the page stay.
struct Composition: Sendable {
    /// One bundle of the app.
    struct Member: Sendable {
        /// The first segment of the addresses that are the bundle's.
        let uri: String
        /// The bundle's identifier.
        let pkg: String
        /// Pages by path behind `uri`.
        let rules: [String: String]
    }

    /// The only `formatVersion` there is.
    static let formatVersion = 1

    /// The app's name.
    let name: String
    /// The address that a session starts with; `nil` for none.
    let start: String?
    /// The bundles.
    let bundles: [Member]
}
