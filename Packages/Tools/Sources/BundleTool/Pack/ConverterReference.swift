import PluginCore

/// The converters that the patterns of a manifest and its code use.
enum ConverterReference {
    /// Returns the sorted names between `<` and `>` without duplicates, also for a manifest that breaks other rules.
    static func names(in manifest: [UInt8], _ code: BundleDeclarations?) -> [String] {
        let draft = try? StrictJSON.decode(Draft.self, from: manifest)
        let patterns = (draft?.routes ?? []).compactMap(\.pattern) + (code?.routes ?? []).map(\.pattern)
        let pieces = patterns.flatMap { $0.split(separator: "<").dropFirst() }
        return Set(pieces.compactMap { piece in piece.firstIndex(of: ">").map { String(piece[..<$0]) } }).sorted()
    }

    private struct Draft: Decodable {
        let routes: [Route]
    }

    private struct Route: Decodable {
        let pattern: String?

        private enum CodingKeys: String, CodingKey {
            case pattern
        }

        init(from decoder: any Decoder) {
            pattern = try? decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .pattern)
        }
    }
}
