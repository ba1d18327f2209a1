import Console
import PluginCore
import Testing

@testable import AppHost

@MainActor
@Suite("Taps on page actions, and calls of actions", .tags(.small))
struct TapTests {
    private static let city = PageField("city", label: "City", initial: "Paris")
    private let page = StubPage(
        "Shop",
        actions: [
            PageAction.Description("buy", title: "Buy"),
            PageAction.Description("signIn", title: "Sign in", fields: [PageField("name", label: "Name"), Self.city]),
            PageAction.Description("1", title: "An action that is called like a number"),
        ])

    @Test(
        "A tap selects an action by its identifier or else by its number",
        arguments: [("buy", "buy"), ("2", "signIn"), ("1", "1"), ("3", "1"), ("  2", "signIn")])
    func action(text: String, expected: String) throws {
        #expect(try Tap(text).resolve(on: page).action.identifier == expected)
    }

    @Test(
        "A value is quoted, or extends to the next field, and an omitted field keeps its initial value",
        arguments: [
            ("signIn", ["name": "", "city": "Paris"]),
            ("signIn name=Ada", ["name": "Ada", "city": "Paris"]),
            ("signIn name=Ada Lovelace city=London", ["name": "Ada Lovelace", "city": "London"]),
            ("2 city= name=a  b", ["name": "a  b", "city": ""]),
            ("signIn name=a=b other=c", ["name": "a=b other=c", "city": "Paris"]),
            ("signIn name=王小明 二世", ["name": "王小明 二世", "city": "Paris"]),
            ("  signIn   name=Ada", ["name": "Ada", "city": "Paris"]),
            ("buy", [:]),
            (#"signIn name="Ada Lovelace" city=London"#, ["name": "Ada Lovelace", "city": "London"]),
            (#"signIn name="a city=b" city="""#, ["name": "a city=b", "city": ""]),
            (#"signIn name="she said \"hi\" \\ \n""#, ["name": #"she said "hi" \ \n"#, "city": "Paris"]),
            (#"signIn name=she said "hi" city=the "town""#, ["name": #"she said "hi""#, "city": #"the "town""#]),
            (#"signIn name=  "a" "#, ["name": #"  "a" "#, "city": "Paris"]),
        ]
    )
    func fields(text: String, expected: [String: String]) throws {
        #expect(try Tap(text).resolve(on: page).input == expected)
    }

    @Test(
        "An unterminated quotation mark, or text directly after a closing one, is a usage error",
        arguments: [#"signIn name="Ada city=Paris"#, #"signIn name="Ada"x"#, #"signIn name="Ada\""#])
    func openQuote(text: String) {
        let error = #expect(throws: UsageError.self) { try Tap(text).resolve(on: page) }
        #expect(error?.code == .invalidValue && error?.subject == "name")
    }

    private let rows = StubPage(
        "Shop",
        content: [
            .list([
                PageRow("Tea", action: "open", input: ["id": "1"]), PageRow("Only shown"),
                PageRow("Milk", action: "open", input: ["id": "2"]), PageRow("Deals", action: "deals"),
            ]), .section(title: "S", [.list([PageRow("Cup", action: "order", input: ["size": "l", "item": "cup"])])]),
        ],
        actions: [
            PageAction.Description(
                "order", title: "Order",
                fields: [
                    PageField("name", label: "Name", initial: "Ada"),
                    .choice("size", label: "Size", of: [PageOption("s"), PageOption("l")]),
                    .toggle("gift", label: "Gift"),
                ])
        ])

    @Test(
        "A row is chosen by its number before those of the actions, or by its action and input",
        arguments: [
            ("1", "open", ["id": "1"]), ("2", "open", ["id": "2"]), ("open id=2", "open", ["id": "2"]),
            ("3", "deals", [:]), ("deals", "deals", [:]),
            ("4", "order", ["name": "Ada", "size": "l", "gift": "false", "item": "cup"]),
            ("4 name=Eve gift=on", "order", ["name": "Eve", "size": "l", "gift": "true", "item": "cup"]),
            ("5", "order", ["name": "Ada", "size": "s", "gift": "false"]),
            ("order size=l", "order", ["name": "Ada", "size": "l", "gift": "false"]),
        ])
    func chosenRow(text: String, action: String, input: [String: String]) throws {
        let (found, given) = try Tap(text).resolve(on: rows)
        #expect(found.identifier == action && given == input)
    }

    @Test(
        "The fields that are asked for are those of an action that is chosen without any, with the values of its row",
        arguments: [
            ("5", ["Ada", "s", "false"]), ("order", ["Ada", "s", "false"]), ("4", ["Ada", "l", "false"]), ("1", []),
            ("order gift=on", []), ("open", []), ("-9223372036854775808", []), ("9", []), ("", []),
        ])
    func missingFields(text: String, initial: [String]) {
        #expect(Tap(text).fields(on: rows).map(\.initial) == initial)
    }

    @Test(
        "An answer is the value of its field, whatever characters it has", arguments: ["a b", #""q" \ x"#, "gift=on"])
    func answer(text: String) throws {
        let field = PageField("name", label: "Name")
        #expect(try Tap("order " + field.typed(text)).resolve(on: rows).input["name"] == text)
    }

    @Test("An action that several rows have is answered with the inputs of the rows", arguments: ["open", "open id=3"])
    func severalRows(text: String) {
        let error = #expect(throws: AtriumError.self) { try Tap(text).resolve(on: rows) }
        #expect(error?.code == .pageActionUnknown && error?.nearest == ["open id=1", "open id=2"])
    }

    @Test("A value that a field does not accept is an error that lists the choices, and the page gets nothing")
    func invalidChoice() throws {
        let error = #expect(throws: AtriumError.self) { try Tap("order size=xl").resolve(on: rows) }
        let report = Failure(try #require(error)).report
        #expect(report.message == "the field does not accept \"xl\": size is one of: s, l; did you mean \"l\"?")
    }

    @Test(
        "An unknown action is answered with the actions of the page",
        arguments: ["by", "0", "4", "-1", "99999999999999999999", ""]
    )
    func unknownAction(text: String) {
        let error = #expect(throws: AtriumError.self) { try Tap(text).resolve(on: page) }
        #expect(error?.code == .pageActionUnknown && error?.subject == text)
        #expect(error?.nearest == ["buy", "signIn", "1"])
    }

    @Test("The error for an unknown action says if the page has no actions")
    func noActions() {
        let error = #expect(throws: AtriumError.self) { try Tap("1").resolve(on: StubPage("Empty")) }
        #expect(error?.reason?.description == "noActions(page: Empty)" && error?.nearest == [])
    }

    @Test("An unknown field is answered with the syntax of the page's fields", arguments: ["nam=Ada", "Ada", "=Ada"])
    func unknownField(word: String) {
        let error = #expect(throws: AtriumError.self) { try Tap("signIn \(word)").resolve(on: page) }
        #expect(error?.code == .pageActionUnknown)
        #expect(error?.reason?.description == "fieldOfNoAction(action: signIn, field: \(word))")
        #expect(error?.nearest == ["signIn name=...", "signIn city=..."])
    }

    @Test(
        "A call passes its parameters as strings by name",
        arguments: [
            (["Shop", "price"], "Shop.price"), (["Shop", "price", "id=42"], "Shop.price id=42"),
            (["Shop", "price", "b=1=2", "a="], "Shop.price a= b=1=2"),
            (["Shop", "price", "id=1", "id=2"], "Shop.price id=2"),
            (["app://Shop/price?id=42"], "from afar: app://Shop/price?id=42"),
        ])
    func calls(words: [String], expected: String) async throws {
        #expect(try await ActionCall(words).perform(StubMediator()) as? String == expected)
    }

    @Test(
        "An incomplete or malformed call is rejected",
        arguments: [
            ([], .targetUnknown), (["Shop"], .actionUnknown), (["Shop", "id=42"], .actionUnknown),
            (["Shop", "price", "42"], .parameterMissing), (["Shop", "price", "=42"], .parameterMissing),
            (["app://%"], .uriMalformed), (["app://Shop/price", "x"], .parameterMissing),
        ] as [([String], AtriumError.Code)])
    func refused(words: [String], code: AtriumError.Code) {
        let error = #expect(throws: AtriumError.self) { try ActionCall(words) }
        #expect(error?.code == code)
    }
}
