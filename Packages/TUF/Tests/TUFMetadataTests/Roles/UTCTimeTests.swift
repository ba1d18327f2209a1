import Testing
import TUFMetadata

@Suite("Times in metadata", .tags(.small))
struct UTCTimeTests {
    @Test(
        "are read and written",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:01Z", 1), ("1969-12-31T23:59:59Z", -1),
            ("2000-02-29T12:34:56Z", 951_827_696), ("2030-01-01T00:00:00Z", 1_893_456_000),
            ("1985-10-21T01:21:00Z", 498_705_660), ("0001-01-01T00:00:00Z", -62_135_596_800),
            ("9999-12-31T23:59:59Z", 253_402_300_799), ("2100-03-01T00:00:00Z", 4_107_542_400),
        ])
    func coding(_ text: String, _ seconds: Int) {
        #expect(UTCTime(text)?.seconds == seconds)
        #expect(UTCTime(seconds: seconds).description == text)
    }

    @Test("stay the same on all days of four centuries")
    func days() {
        for day in stride(from: 0, to: 146_097, by: 11) {
            let time = UTCTime(seconds: day * 86_400 + day % 86_400)
            if UTCTime(time.description) != time { Issue.record("\(day)") }
        }
    }

    @Test(
        "have one form",
        arguments: [
            "", "2030-01-01", "2030-01-01T00:00:00", "2030-01-01T00:00:00z", "2030-01-01 00:00:00Z",
            "2030-01-01T00:00:00+00:00",
            "2030-01-01T00:00:00.5Z", "2030-1-01T00:00:00Z", "2030-13-01T00:00:00Z", "2030-00-01T00:00:00Z",
            "2030-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2030-04-31T00:00:00Z", "2030-01-00T00:00:00Z",
            "2030-01-01T24:00:00Z", "2030-01-01T00:60:00Z", "2030-01-01T00:00:60Z", "0000-01-01T00:00:00Z",
            "-030-01-01T00:00:00Z", "٢٠٣٠-01-01T00:00:00Z", "20300-01-01T00:00:00Z", "2030-01-01T00:00:00Z ",
        ])
    func refusals(_ text: String) {
        #expect(UTCTime(text) == nil)
    }
}
