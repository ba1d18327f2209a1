import PluginCore

/// A measurement that this program makes in a separate process of itself, which prints a number.
enum FreshProcess {
    case plugin(PluginLoad.Subject)
    case large(VerifiedLoad.Subject)
    case memory
    case download

    /// Finds the measurement by its name on the command line; `nil` if there is none.
    init?(_ word: String) {
        if let subject = PluginLoad.Subject(rawValue: word) {
            self = .plugin(subject)
        } else if let subject = VerifiedLoad.Subject(rawValue: word) {
            self = .large(subject)
        } else if word == "peak-memory" {
            self = .memory
        } else if word == "download" {
            self = .download
        } else {
            return nil
        }
    }

    struct Arguments: Error {}

    func run(_ arguments: [String]) async throws -> Double {
        guard arguments.count >= 2 else { throw Arguments() }
        let (first, second) = (FilePath(arguments[0]), FilePath(arguments[1]))
        switch self {
        case .plugin(let subject): return try await PluginLoad.load(subject, from: first, trust: second)
        case .large(let subject): return try await VerifiedLoad.load(subject, from: first, trust: second)
        case .memory: return Double(try Program(path: first, arguments: Array(arguments.dropFirst())).peakMemory())
        case .download: return try await LargeDownload.run(arguments)
        }
    }
}
