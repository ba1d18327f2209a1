import Testing

@testable import AppHost

@Suite("Timestamps", .tags(.small))
struct TimestampTests {
    @Test(
        "A timestamp is formatted by RFC 3339 in UTC",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (1_795_262_400, "2026-11-21T12:00:00Z"), (951_827_696, "2000-02-29T12:34:56Z"),
            (-1, "1969-12-31T23:59:59Z"), (-62_135_596_800, "0001-01-01T00:00:00Z"),
        ] as [(Int64, String)]
    )
    func form(seconds: Int64, expected: String) {
        #expect(timestamp(seconds) == expected)
    }

    @Test("A time beyond the calendar is printed as a number", arguments: [Int64.max, Int64.min])
    func beyond(seconds: Int64) {
        #expect(timestamp(seconds) == String(seconds))
    }

    @Test(
        "The calendar's last years do not overflow", arguments: [67_767_976_233_532_799, 67_768_036_191_676_799])
    func last(seconds: Int64) {
        #expect(timestamp(seconds).hasPrefix("2147"))
    }
}
