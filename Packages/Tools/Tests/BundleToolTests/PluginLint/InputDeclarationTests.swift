import FoundationEssentials
import PluginCore
import Testing
@testable import Authoring

@MainActor
@Suite("The parameters that contracts declare", .tags(.small))
struct InputDeclarationTests {
    enum Unit: String, Codable, CaseIterable { case piece, kilogram }
    enum Hidden: String, Codable { case one }

    struct Order: Codable, Sendable {
        var id: Int
        var unit: Unit
        var time: Date
        var key: UUID
        var link: URL
        var tags: [String]
        var isGift: Bool
        var note: String?
        var more: Double?
    }

    struct Partly: Codable, Sendable {
        var first: Int
        var hidden: Hidden
        var last: Int
    }

    /// A type that asks for its values itself.
    struct Custom: Codable, Sendable {
        var page: Int
        var size: Int?

        enum CodingKeys: String, CodingKey { case page = "p", size }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            page = try container.decodeIfPresent(Int.self, forKey: .page) ?? 1
            size = try container.decode(Int?.self, forKey: .size)
        }
    }

    struct Receipt: Codable, Sendable {
        struct Line: Codable, Sendable {
            var item: String
            var price: Double?
            var parts: [Line]
        }
        enum Payment: Codable, Sendable { case card(String), cash }

        var number: Int
        var unit: Unit
        var lines: [Line]
        var payment: Payment
        var note: String?
    }

    final class Plugin: BundleDelegate {
        init(context: BundleContext) {}

        static var routes: some RouteSet<Plugin> {
            Route(ValueRoute<Order, Int>("order/:id/:{unit}.:{key}")) { _, order in order.id }
            Route(ValueRoute<Int, Int>("count/:id")) { _, id in id }
            Route(ValueRoute<[String], Int>("all/**names")) { _, names in names.count }
        }

        static var targets: some TargetSet<Plugin> {
            Action(ActionContract<Order, Int>("order", on: "Shop")) { _, order in order.id }
            Action(ActionContract<Int, Int>("count", on: "Shop")) { _, id in id }
            Action(ActionContract<NoValue, Int>("none", on: "Shop")) { _ in 1 }
            Action(ActionContract<Partly, Int>("partly", on: "Shop")) { _, input in input.first }
            Action(ActionContract<Custom, Int>("custom", on: "Shop")) { _, input in input.page }
            UnknownAction(of: "Other") { _, _, _ in 1 }
        }
    }

    @Test(
        "Captures and required and optional parameters are found with their types, without values",
        arguments: [
            (
                "Shop.order", "",
                "id: Int, unit: String, time: Date, key: UUID, link: URL, tags: [String], isGift: Bool, note?: String, "
                    + "more?: Double"
            ),
            (
                "order/:id/:{unit}.:{key}", "id: Int, unit: String, key: UUID",
                "time: Date, link: URL, tags: [String], isGift: Bool, note?: String, more?: Double"
            ),
            ("count/:id", "value: Int", ""), ("all/**names", "value: [String]", ""), ("Shop.count", "", "value: Int"),
            ("Shop.none", "", ""), ("Shop.partly", "", "first: Int, hidden: String"),
            ("Shop.custom", "", "p?: Int, size?: Int"),
        ])
    func parameters(subject: String, captures: String, parameters: String) throws {
        let inputs = PrincipalType(Plugin.self).contracts.map { InputDeclaration(of: $0) }
        let input = try #require(inputs.first { $0.subject == subject })
        let found = [input.captures, input.parameters].map { places in
            places.map { "\($0.name)\($0.isRequired ? "" : "?"): \($0.shape.map { "\($0)" } ?? "-")" }
        }
        #expect(found.map { $0.joined(separator: ", ") } == [captures, parameters])
        #expect(input.isComplete == (subject != "Shop.partly") && input.output == .value("Int"))
        #expect(inputs.count == 8)
    }

    @Test(
        "The form of a result has the properties of its structures, and ends at types that contain themselves",
        arguments: [
            (
                Receipt.self as Any.Type,
                "{number: Int, unit: String, lines: [{item: String, price: Double?, parts: [Line]}], payment: Payment, ...}"
            ),
            (Int.self, "Int"), ([String: Int].self, "Dictionary<String, Int>"), ((any Page).self, "Page"),
            (NoValue.self, "NoValue"), (Unit.self, "String"), ([Custom]?.self, "[{p: Int?, size: Int?}]?"),
        ])
    func outputs(type: Any.Type, text: String) {
        #expect(ValueShape(of: type).description == text)
    }
}
