import PluginCore
import PluginRouter

/// The number of random requests for each route, action, and action of a page.
private let rounds = 50

/// The check of random requests, which depend only on the seed.
extension CheckRun {
    /// Sends random requests. A crash or a hang ends the process, so only late answers are noticed here.
    func sendGarbage() async throws {
        var garbage = Garbage(seed: settings.seed)
        let requests = await SampleRequest.all(in: host)
        let calls = await SampleCall.all(in: host)
        try require(!requests.isEmpty || !calls.isEmpty, "noRequests")
        for request in requests {
            try await open(request, with: &garbage)
            guard case .page(let page) = request.answer else { continue }
            await perform(on: page, with: &garbage)
            page.didClose()
        }
        for call in calls where !call.answer.isLate {
            for _ in 0..<rounds {
                let parameters = garbage.parameters(like: call.parameters.values)
                await notice(call.name) { _ = try await host.call(call.action, on: call.target, parameters) }
            }
        }
    }

    private func open(_ request: SampleRequest, with garbage: inout Garbage) async throws {
        guard !request.answer.isLate else { return }
        // The segments by which an address leads to the route stay.
        let path = try RoutePattern(request.route.pattern).expansions.first?.path ?? []
        let fixed = Set(path.indices.filter { if case .literal = path[$0] { true } else { false } })
        for _ in 0..<rounds {
            // The time for making up addresses is no hang of the plugin, which would be blamed for it on a busy machine.
            await Task.yield()
            let text = garbage.address(like: request.uri, keeping: fixed)
            let userInfo = garbage.parameters(like: request.parameters.values)
            // Most malformed addresses end here, before they reach the plugin.
            guard let uri = try? ResourceURI(text) else { continue }
            await notice(text) {
                guard case .page(let page) = try await host.request(uri, as: request.route.kind, userInfo: userInfo)
                else { return }
                _ = host.texts(of: page)
                page.didClose()
            }
        }
    }

    private func perform(on page: any Page, with garbage: inout Garbage) async {
        let actions = host.watched(page).actions.map(\.description)
        guard !actions.isEmpty else { return }
        // Without fields there is no garbage, and the valid action is the subject of another check.
        for action in actions where !action.fields.isEmpty {
            for _ in 0..<rounds {
                var input = [garbage.text(): garbage.text()]
                for field in action.fields { input[field.name] = garbage.text() }
                await notice("the page action \(action.identifier)") {
                    try await host.perform(action.identifier, input: input, on: page)
                }
            }
        }
        let unknown = garbage.text()
        await notice("an unknown page action") { try await host.perform(unknown, input: [:], on: page) }
    }

    /// Runs a request, and adds a fault if there is no answer within the deadline. Any error is an answer.
    private func notice(_ request: String, _ body: () async throws -> Void) async {
        do {
            try await body()
        } catch let error as AtriumError where error.code == .deadlineExceeded {
            fail("\(CheckProgress.plain(request)) was not answered within the deadline")
        } catch {
            // A refusal is what garbage deserves.
        }
    }
}

extension ValidationHost.Answer {
    /// A Boolean value that indicates whether there was no answer, so that further requests would only cost time.
    var isLate: Bool { if case .late = self { true } else { false } }
}

/// Random input of the kinds at which careless code fails. The same seed yields the same input.
///
/// The random numbers are those of SplitMix64.
struct Garbage: RandomNumberGenerator {
    private var state: UInt64

    /// Texts that a careless reader takes for something else.
    private static let texts = [
        "", " ", "1e400", "-0.0", "NaN", "inf", "0x10", "true", "null", "nil", "[]", "{}",
        "..", "../../../etc/passwd", "/", "//", "\\", "'", "\"", "'; DROP TABLE notes; --", "%", "%00", "%s%n", "{}",
        "{0}", "@", "&a=b", "#", "?", "\u{0}", "\u{1}\u{7F}", "\u{1B}[31mred", "\r\n", "\t", "\u{202E}abc", "\u{FEFF}",
        "\u{200D}", "e\u{301}\u{301}\u{301}", "\u{1F469}\u{200D}\u{1F4BB}", "\u{10FFFF}", "\u{FFFD}", "\u{646}\u{5D0}",
    ]

    /// Numbers at the limits of ranges, and texts that only look like numbers.
    private static let numbers = [
        "0", "-1", "2", "3", "100", "-32769", "65536", "2147483648", "-9223372036854775808", "9223372036854775807",
        "99999999999999999999999999", "+1", "007", "1.5", "1e3",
    ]

    /// Escapes that are invalid, or invalid as UTF-8.
    private static let escapes = ["%FF", "%C0%AF", "%ED%A0%80", "%F8%88%80%80%80", "%E2%82", "%", "%4", "%GG", "%00"]

    /// The length of a huge text, which 16 bits cannot count.
    private static let hugeLength = 70_000

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number below a limit.
    mutating func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

    /// Returns an element of a list that is not empty.
    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(below: elements.count)] }

    /// Returns a random text.
    mutating func text() -> String {
        switch number(below: 8) {
        case 0: return String(repeating: pick(["a", "9", "/", " ", "\u{0}"]), count: Self.hugeLength)
        case 1:
            let scalars = (0..<number(below: 40)).compactMap { _ in Unicode.Scalar(UInt32(number(below: 0x2_0000))) }
            return String(String.UnicodeScalarView(scalars))
        case 2: return pick(Self.texts) + pick(Self.texts)
        case 3, 4: return pick(Self.numbers)
        default: return pick(Self.texts)
        }
    }

    /// Returns a value that an action can get, of a type that it probably does not expect.
    mutating func value() -> any Sendable {
        switch number(below: 8) {
        case 0: Int.min
        case 1: Double.nan
        case 2: [UInt8](repeating: 0xFF, count: number(below: 1000))
        case 3: ["a": 1] as [String: any Sendable]
        case 4: [text(), text()]
        case 5: ({ () -> Int in 1 }) as @Sendable () -> Int
        default: text()
        }
    }

    /// Returns parameters in which each of some names is missing, random, or as it was.
    mutating func parameters(like sample: [String: String]) -> ActionParameters {
        var values: [String: any Sendable] = [:]
        for (name, text) in sample.sorted(by: { $0.key < $1.key }) {
            switch number(below: 4) {
            case 0: break
            case 1: values[name] = text
            default: values[name] = value()
            }
        }
        if number(below: 2) == 0 { values[text()] = value() }
        return ActionParameters(values)
    }

    /// Returns the text of an address in which pieces of a valid address are replaced, repeated or left out.
    ///
    /// - Parameter fixed: the positions of the segments that lead to the route, which stay.
    mutating func address(like sample: ResourceURI, keeping fixed: Set<Int>) -> String {
        let text = sample.text
        let (path, query) = text.firstIndex(of: "?").map { (text[..<$0], text[$0...].dropFirst()) } ?? (text[...], "")
        var segments = path.dropFirst("app://".count).split(separator: "/", omittingEmptySubsequences: false)
            .map(String.init)
        for index in segments.indices where !fixed.contains(index) && number(below: 3) > 0 {
            segments[index] = piece()
        }
        var items = query.split(separator: "&").map(String.init)
        for index in items.indices.reversed() {
            let name = items[index].prefix { $0 != "=" }
            switch number(below: 4) {
            case 0: items.remove(at: index)
            case 1: items.append("\(name)=\(piece())")
            default: items[index] = "\(name)=\(piece())"
            }
        }
        if number(below: 2) == 0 { items.append("\(piece())=\(piece())") }
        return "app://" + segments.joined(separator: "/") + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
    }

    private mutating func piece() -> String {
        number(below: 4) == 0 ? pick(Self.escapes) : PercentCoding.encode(text())
    }
}
