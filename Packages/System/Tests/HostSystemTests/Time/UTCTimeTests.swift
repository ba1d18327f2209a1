import Foundation
import Testing

@testable import HostSystem

@Suite("Times in UTC", .tags(.small))
struct UTCTimeTests {
    @Test(
        "Times are written and read in the format of RFC 3339",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"), (951_782_400, "2000-02-29T00:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"), (1_795_262_400, "2026-11-21T12:00:00Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z"), (-62_167_219_200, "0000-01-01T00:00:00Z"),
        ] as [(Int64, String)])
    func examples(seconds: Int64, text: String) {
        #expect(UTCTime.text(seconds) == text)
        #expect(UTCTime.seconds(text) == seconds)
    }

    @Test("Every day of four centuries is read back as written, and samples agree with Foundation")
    func days() throws {
        let style = Date.ISO8601FormatStyle()
        for day: Int64 in 0..<146_097 {
            let seconds = -11_676_096_000 + day * 86_400 + day % 86_400
            let text = UTCTime.text(seconds)
            #expect(UTCTime.seconds(text) == seconds)
            if day % 97 == 0 { #expect(text == style.format(Date(timeIntervalSince1970: TimeInterval(seconds)))) }
        }
    }

    @Test("A time outside the writable range is written as the nearest writable time")
    func limits() {
        #expect(UTCTime.text(.max) == "9999-12-31T23:59:59Z")
        #expect(UTCTime.text(.min) == "0000-01-01T00:00:00Z")
    }

    @Test(
        "Text that isn't a valid UTC time isn't read",
        arguments: [
            "", "2026-11-21", "2026-11-21T12:00:00", "2026-11-21t12:00:00z", "2026-11-21 12:00:00Z",
            "2026-11-21T12:00:00+00:00", "2026-11-21T12:00:00.0Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
            "2026-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z",
            "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z", "-026-01-01T00:00:00Z", "2026-1 -01T00:00:00Z",
            "２026-01-01T00:0Z", "2026-01-01T00:00:0:Z", "20/6-01-01T00:00:00Z",
        ])
    func malformed(_ text: String) {
        #expect(UTCTime.seconds(text) == nil)
    }
}
