import ExtensionHost
import PluginCore
import PluginRuntime

/// The search for the extensions that accept a link, among 1,000 installed extensions and among 10, which all accept it.
struct ManyExtensions {
    struct WrongAnswer: Error {
        let count: Int
    }

    private static let accepting = 10
    /// The number of extensions of a bundle.
    private static let part = 30

    let trial: TrialBundle
    let effort: Effort

    func measure(to report: Report) async throws {
        let many = effort.count(1_000, smoke: 40)
        Report.progress("the extensions that accept a link among \(many)")
        let (few, all) = (try trial.host("few-extensions"), try trial.host("many-extensions"))
        for manager in [few.manager, all.manager] {
            let rules = Array(repeating: #"{"webURLs": {"max": 1}}"#, count: Self.accepting)
            _ = try await trial.install("accepting", rules: rules, in: manager)
        }
        for start in stride(from: 0, to: many - Self.accepting, by: Self.part) {
            let rules = (start..<min(start + Self.part, many - Self.accepting)).map(Self.rule)
            _ = try await trial.install("other\(start)", rules: rules, in: all.manager)
        }
        let (among, beside) = try await Stopwatch(effort: effort).medians(
            of: { try await time(all.extensions) }, and: { try await time(few.extensions) })
        report.add(.activation, among, beside: beside)
    }

    /// Returns a rule that accepts no link, for an extension with a number.
    private static func rule(_ number: Int) -> String {
        let rules = [
            #"{"images": {"max": 1}}"#, #"{"movies": {"max": 1}}"#, #"{"text": true}"#, #"{"files": {"max": 1}}"#,
        ]
        return rules[number % rules.count]
    }

    private func time(_ extensions: ExtensionManager) async throws -> Double {
        let link = ExtensionItem(attachments: [ItemAttachment(url: "https://example.com")])
        let rounds = effort.count(100)
        let time = try await seconds {
            for _ in 0..<rounds {
                let found = try extensions.accepting([link], at: TrialBundle.point.identifier)
                guard found.count == Self.accepting else { throw WrongAnswer(count: found.count) }
            }
        }
        return time / Double(rounds)
    }
}
