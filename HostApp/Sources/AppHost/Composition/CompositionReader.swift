import FoundationEssentials
import PluginCore
import PluginRouter
import PluginRuntime

/// Reads `bundle.json` and judges it: every problem is found and reported at once, each with its place.
enum CompositionReader {
    /// Reads a composition and the routes that its rules make.
    ///
    /// - Parameter converters: the types that a pattern's captures can ask for.
    /// - Throws: ``AtriumError`` with code `compositionInvalid`, `fileUnknown` or `inputOutput`.
    static func read(
        _ path: FilePath, converters: RouteConverters = .standard
    ) throws(AtriumError) -> ComposedRoutes {
        try read(InputFile.content(of: path), of: path, converters: converters)
    }

    /// Reads the content of a composition's file.
    static func read(
        _ data: Data, of path: FilePath, converters: RouteConverters
    ) throws(AtriumError) -> ComposedRoutes {
        let value: JSONValue
        do {
            value = try StrictJSON.decode(JSONValue.self, from: [UInt8](data))
        } catch {
            throw AtriumError(.compositionInvalid, path.string, detail: StrictJSON.finding(error))
        }
        var judge = CompositionJudge(converters: converters)
        let composed = judge.judge(value)
        guard judge.problems.isEmpty else {
            throw AtriumError(.compositionInvalid, path.string, problems: judge.problems)
        }
        return composed
    }
}
