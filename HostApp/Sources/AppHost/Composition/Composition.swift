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
/// bundle's own manifest says of the same address.
public struct Composition: Sendable, Decodable {
    /// One bundle of the app.
    public struct Member: Sendable, Decodable {
        /// The first segment of the addresses that are the bundle's.
        public let uri: String
        /// The bundle's identifier.
        public let pkg: String
        /// Pages by path behind `uri`; absent means none.
        public let rules: [String: String]?
    }

    /// The only format there is: 1.
    public let formatVersion: Int
    /// The app's name.
    public let name: String
    /// The address that a session starts with; absent means none.
    public let start: String?
    /// The bundles.
    public let bundles: [Member]

    /// An app that is made of whatever is installed.
    public static let empty = Composition(formatVersion: 1, name: "Atrium", start: nil, bundles: [])
}
