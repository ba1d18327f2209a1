import Console
import Testing

@Suite("JSON output", .tags(.small))
struct JSONTextTests {
    @Test(
        "Every kind of value is written as JSON",
        arguments: [
            ("a", #""a""#), (1, "1"), (.integer(.min), "-9223372036854775808"), (.number(1.5), "1.5"),
            (.number(1e21), "1e+21"),
            (.number(-0.0), "-0.0"), (.number(.infinity), "null"), (.number(-.infinity), "null"),
            (.number(.nan), "null"),
            (true, "true"), (false, "false"), (.null, "null"), ([], "[]"), ([:], "{}"),
            ([1, [2, .null]], "[1,[2,null]]"),
            (["b": 1, "a": ["c": "x"] as JSONText], #"{"b":1,"a":{"c":"x"}}"#),
        ] as [(JSONText, String)])
    func values(value: JSONText, text: String) { #expect(value.text() == text) }

    @Test(
        "Characters are escaped as JSON requires and if they would control a terminal",
        arguments: [
            ("\"\\/", #""\"\\/""#), ("\n\r\t\u{8}\u{C}", #""\n\r\t\b\f""#), ("\r\n", #""\r\n""#),
            ("\u{0}\u{1B}\u{7F}", #""\u0000\u001b\u007f""#), ("\u{9B}\u{2028}\u{2029}", #""\u009b\u2028\u2029""#),
            ("\u{202E}\u{E0041}", #""\u202e\udb40\udc41""#), ("购物车 é👍", "\"购物车 é👍\""),
            ("\"\u{301}", "\"\\\"\u{301}\""),
        ])
    func escapes(value: String, text: String) {
        #expect(JSONText.string(value).text() == text)
        #expect(JSONText.object([(value, 1)]).text() == "{\(text):1}")
    }

    @Test("A pretty document is indented, with empty lists on one line")
    func pretty() {
        let value: JSONText = [
            "name": "cart", "sizes": [1, 2], "none": JSONText.array([]), "more": ["empty": [:] as JSONText] as JSONText,
        ]
        #expect(
            value.text(pretty: true) == """
                {
                  "name": "cart",
                  "sizes": [
                    1,
                    2
                  ],
                  "none": [],
                  "more": {
                    "empty": {}
                  }
                }
                """)
    }
}
