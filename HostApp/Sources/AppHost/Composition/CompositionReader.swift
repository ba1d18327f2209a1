internal import FoundationEssentials
public import PluginCore
import PluginRouter

/// Reads `bundle.json` and judges it, all problems at once.
public enum CompositionReader {
    /// Reads a composition and the routes that its rules make.
    ///
    /// - Throws: ``AtriumError`` with code `compositionInvalid`.
    public static func read(_ path: FilePath) throws(AtriumError) -> ComposedRoutes {
        let composition: Composition
        do {
            composition = try JSONDecoder().decode(Composition.self, from: Data(contentsOf: URL(filePath: path.string)))
        } catch let error as DecodingError {
            throw AtriumError(.compositionInvalid, path.string, problems: [Self.problem(error)])
        } catch {
            throw AtriumError(.compositionInvalid, path.string, detail: "it can not be read")
        }
        var problems: [String] = []
        if composition.formatVersion != 1 {
            problems.append("formatVersion: \(composition.formatVersion) is not known")
        }
        if let start = composition.start, (try? ResourceURI(start)) == nil {
            problems.append("start: \"\(start)\" is no address")
        }
        var routes: [Route] = []
        for (index, member) in composition.bundles.enumerated() {
            for (key, value) in (member.rules ?? [:]).sorted(by: { $0.key < $1.key }) {
                do {
                    routes.append(try route(key, value, of: member))
                } catch {
                    problems.append("bundles[\(index)].rules[\"\(key)\"]: \(error.detail)")
                }
            }
        }
        guard problems.isEmpty else { throw AtriumError(.compositionInvalid, path.string, problems: problems) }
        return ComposedRoutes(composition: composition, routes: routes)
    }

    private static func route(_ key: String, _ value: String, of member: Composition.Member) throws(AtriumError)
        -> Route
    {
        let target = try ResourceURI(value)
        guard !target.segments.isEmpty, target.segments.count <= 2, target.scheme == nil else {
            throw AtriumError(.compositionInvalid, value, detail: "\"\(value)\" is no page name and no layout/pageId")
        }
        return Route(
            pattern: try RoutePattern(key.isEmpty ? member.uri : "\(member.uri)/\(key)"), kind: .page,
            owner: member.pkg,
            service: .declared(
                name: target.segments[target.segments.count - 1],
                layout: target.segments.count == 2 ? target.resourcePath : nil
            ),
            parameters: target.parameters
        )
    }

    private static func problem(_ error: DecodingError) -> String {
        func place(_ context: DecodingError.Context) -> String {
            let keys = context.codingPath.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }
            return String(keys.joined().drop { $0 == "." })
        }
        switch error {
        case .keyNotFound(let key, let context): return "\(place(context)): \"\(key.stringValue)\" is missing"
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            return "\(place(context)): a \(type) is expected here"
        case .dataCorrupted: return "it is not JSON"
        @unknown default: return "\(error)"
        }
    }
}
