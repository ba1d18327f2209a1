import Foundation
import PluginCore
import PluginTestKit
import Testing

/// Chromium without a window, which opens a page and does what a person would do.
struct Browser {
    /// An action of a person.
    enum Step {
        /// JavaScript whose value, a text, is in the visit's values.
        case evaluate(String)
        /// A click into the middle of an element.
        case click(String)
        case type(String)
        case picture(FilePath)
        case size(Int, Int)

        fileprivate var json: [String: Any] {
            switch self {
            case .evaluate(let script): ["evaluate": script]
            case .click(let selector): ["click": selector, "at": [0.5, 0.5]]
            case .type(let text): ["type": text]
            case .picture(let path): ["picture": path.string]
            case .size(let width, let height): ["size": [width, height]]
            }
        }
    }

    /// The result of a visit.
    struct Visit: Decodable {
        let values: [String]
        /// All messages on the console, those about errors and violated policies included.
        let console: [String]
        /// The addresses that the page asked for, its own included.
        let requests: [String]
        /// The number of different colors in each picture.
        let colors: [Int]
    }

    /// Opens a page, and fails unless the console stays empty and nothing but the page is asked for.
    static func visit(_ page: FilePath, _ steps: Step...) async throws -> Visit {
        let script = Executable(FilePath(DocumentPage.root.appending(path: "Scripts/lib/browse").path))
        let input = String(decoding: try JSONSerialization.data(withJSONObject: steps.map(\.json)), as: UTF8.self)
        let result = try await script.run(page.string, input: input, timeout: .seconds(180)).succeeded()
        let visit = try result.json(as: Visit.self)
        #expect(visit.console == [])
        #expect(visit.requests.filter { !$0.hasPrefix("file:") && !$0.hasPrefix("data:") } == [])
        #expect(visit.colors.allSatisfy { $0 > 20 }, "a picture is blank: \(visit.colors)")
        return visit
    }
}
