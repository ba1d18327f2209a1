import PluginCore

/// The converters that a manifest's patterns ask for, as far as they can be made out.
enum ConverterReference {
    /// The names between `<` and `>`, sorted, each once; also of a manifest that breaks rules.
    static func names(in manifest: [UInt8]) -> [String] {
        let draft = try? StrictJSON.decode(Draft.self, from: manifest)
        let pieces = (draft?.routes ?? []).flatMap { ($0.pattern ?? "").split(separator: "<").dropFirst() }
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
