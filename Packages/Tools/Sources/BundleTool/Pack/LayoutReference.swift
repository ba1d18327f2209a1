import PluginCore

/// A page layout that a route of the manifest names.
struct LayoutReference {
    /// The path in the manifest, such as `routes[2].layout`.
    let place: String
    /// The path of the file below `Resources`.
    let file: String
    /// The name of the page in the file.
    let page: String

    /// Returns the references of a manifest; entries that cannot be read are left to the manifest reader to report.
    static func all(in manifest: [UInt8]) -> [LayoutReference] {
        let draft = try? StrictJSON.decode(Draft.self, from: manifest)
        return (draft?.routes ?? []).enumerated().compactMap { index, route in
            let parts = route.layout?.split(separator: "/", omittingEmptySubsequences: false) ?? []
            guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
            return LayoutReference(
                place: "routes[\(index)].layout", file: "Pages/\(parts[0]).json", page: String(parts[1]))
        }
    }

    private struct Draft: Decodable {
        let routes: [Route]
    }

    private struct Route: Decodable {
        let layout: String?

        private enum CodingKeys: String, CodingKey {
            case layout
        }

        init(from decoder: any Decoder) {
            layout = try? decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .layout)
        }
    }
}
