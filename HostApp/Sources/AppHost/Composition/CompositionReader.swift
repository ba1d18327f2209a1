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
        let data = try InputFile.content(of: path)
        let flaw = JSONCheck.flaw(in: [UInt8](data))
        if let problem = flaw?.problem(in: path.lastComponent) {
            throw AtriumError(.compositionInvalid, path.string, problems: [problem])
        }
        guard flaw == nil, let value = try? JSONDecoder().decode(JSONValue.self, from: data) else {
            throw AtriumError(.compositionInvalid, path.string, detail: "it is not JSON")
        }
        var judge = CompositionJudge(converters: converters)
        let composed = judge.judge(value)
        guard judge.problems.isEmpty else {
            throw AtriumError(.compositionInvalid, path.string, problems: judge.problems)
        }
        return composed
    }
}
