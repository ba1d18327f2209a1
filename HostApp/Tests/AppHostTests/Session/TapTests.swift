import Console
import PluginCore
import Testing

@testable import AppHost

@MainActor
@Suite("Taps on page actions", .tags(.small))
struct TapTests {
    private let page = StubPage(
        "Shop",
        actions: [
            PageAction("buy", title: "Buy"),
            PageAction(
                "signIn", title: "Sign in",
                fields: [
                    PageField("name", label: "Name"), PageField("city", label: "City", initial: "Paris"),
                ]
            ),
            PageAction("1", title: "An action that is called like a number"),
        ]
    )

    @Test(
        "A tap selects an action by its identifier or else by its number",
        arguments: [("buy", "buy"), ("2", "signIn"), ("1", "1"), ("3", "1"), ("  2", "signIn")]
    )
    func action(text: String, expected: String) throws {
        #expect(try Tap(text).resolve(on: page).action.identifier == expected)
    }

    @Test(
        "A value extends to the next field, and an omitted field keeps its initial value",
        arguments: [
            ("signIn", ["name": "", "city": "Paris"]),
            ("signIn name=Ada", ["name": "Ada", "city": "Paris"]),
            ("signIn name=Ada Lovelace city=London", ["name": "Ada Lovelace", "city": "London"]),
            ("2 city= name=a  b", ["name": "a  b", "city": ""]),
            ("signIn name=a=b other=c", ["name": "a=b other=c", "city": "Paris"]),
            ("signIn name=王小明 二世", ["name": "王小明 二世", "city": "Paris"]),
            ("  signIn   name=Ada", ["name": "Ada", "city": "Paris"]),
            ("buy", [:]),
        ]
    )
    func fields(text: String, expected: [String: String]) throws {
        #expect(try Tap(text).resolve(on: page).input == expected)
    }

    @Test(
        "A quoted value is taken as it is, and quotation marks elsewhere are text",
        arguments: [
            (#"signIn name="Ada Lovelace" city=London"#, ["name": "Ada Lovelace", "city": "London"]),
            (#"signIn name="a city=b" city="""#, ["name": "a city=b", "city": ""]),
            (#"signIn name="she said \"hi\" \\ \n""#, ["name": #"she said "hi" \ \n"#, "city": "Paris"]),
            (#"signIn name=she said "hi" city=the "town""#, ["name": #"she said "hi""#, "city": #"the "town""#]),
            (#"signIn name=  "a" "#, ["name": #"  "a" "#, "city": "Paris"]),
        ]
    )
    func quotes(text: String, expected: [String: String]) throws {
        #expect(try Tap(text).resolve(on: page).input == expected)
    }

    @Test(
        "An unterminated quotation mark, or text directly after a closing one, is a usage error",
        arguments: [#"signIn name="Ada city=Paris"#, #"signIn name="Ada"x"#, #"signIn name="Ada\""#])
    func openQuote(text: String) {
        let error = #expect(throws: UsageError.self) { try Tap(text).resolve(on: page) }
        #expect(error?.code == .invalidValue && error?.subject == "name")
    }

    @Test(
        "An unknown action is answered with the actions of the page",
        arguments: ["by", "0", "4", "-1", "99999999999999999999", ""]
    )
    func unknownAction(text: String) {
        let error = #expect(throws: AtriumError.self) { try Tap(text).resolve(on: page) }
        #expect(error?.code == .pageActionUnknown)
        #expect(error?.subject == text)
        #expect(error?.nearest == ["buy", "signIn", "1"])
    }

    @Test("The error for an unknown action says if the page has no actions")
    func noActions() {
        let error = #expect(throws: AtriumError.self) { try Tap("1").resolve(on: StubPage("Empty")) }
        #expect(error?.reason?.description == "noActions(page: Empty)")
        #expect(error?.nearest == [])
    }

    @Test("An unknown field is answered with the syntax of the page's fields", arguments: ["nam=Ada", "Ada", "=Ada"])
    func unknownField(word: String) {
        let error = #expect(throws: AtriumError.self) { try Tap("signIn \(word)").resolve(on: page) }
        #expect(error?.code == .pageActionUnknown)
        #expect(error?.reason?.description == "fieldOfNoAction(action: signIn, field: \(word))")
        #expect(error?.nearest == ["signIn name=...", "signIn city=..."])
    }
}
