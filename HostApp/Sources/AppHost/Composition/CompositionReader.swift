import FoundationEssentials
import PluginCore
import PluginRouter
import PluginRuntime

/// The reader of composition files, which reports every problem at once, each with its path.
enum CompositionReader {
    /// Reads a composition file and the routes of its rules.
    ///
    /// - Parameter converters: the types that the captures of a pattern can be converted to.
    /// - Throws: ``AtriumError`` with code `compositionInvalid`, `fileUnknown` or `inputOutput`.
    static func read(
        _ path: FilePath, converters: RouteConverters = .standard
    ) throws(AtriumError) -> ComposedRoutes {
        try read(InputFile.content(of: path), of: path, converters: converters)
    }

    /// Reads the contents of a composition file.
    static func read(
        _ data: Data, of path: FilePath, converters: RouteConverters
    ) throws(AtriumError) -> ComposedRoutes {
        let value: JSONValue
        do {
            value = try StrictJSON.decode(JSONValue.self, from: [UInt8](data))
        } catch {
            throw AtriumError(.compositionInvalid, path.string, detail: StrictJSON.finding(error))
        }
        var validator = CompositionValidator(converters: converters)
        let composed = validator.validate(value)
        guard validator.problems.isEmpty else {
            throw AtriumError(.compositionInvalid, path.string, problems: validator.problems)
        }
        return composed
    }
}
