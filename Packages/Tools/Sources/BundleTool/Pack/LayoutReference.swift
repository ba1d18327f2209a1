import PluginCore

/// A page layout that a route of the manifest names.
struct LayoutReference {
    /// Where in the manifest: `routes[2].layout`.
    let place: String
    /// The file below `Resources/`.
    let file: String
    /// The page in the file.
    let page: String

    /// All of a manifest, even of one that breaks other rules; what cannot be read is the manifest reader's to report.
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
