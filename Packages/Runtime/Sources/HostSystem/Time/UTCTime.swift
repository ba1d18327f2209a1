/// Times in the format of RFC 3339, in UTC and with whole seconds: 2026-11-21T12:00:00Z.
package enum UTCTime {
    /// The times that a four-digit year can express, in seconds since 1970.
    package static let range: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

    /// Returns the text of a time.
    ///
    /// - Parameter seconds: the seconds since 1970, clamped to ``range``.
    package static func text(_ seconds: Int64) -> String {
        let seconds = min(max(seconds, range.lowerBound), range.upperBound)
        let time = Int(seconds - Int64(days(to: seconds)) * 86_400)
        let (year, month, day) = date(days(to: seconds))
        func padded(_ number: Int, _ width: Int = 2) -> String {
            let digits = String(number)
            return String(repeating: "0", count: width - digits.count) + digits
        }
        return padded(year, 4) + "-" + padded(month) + "-" + padded(day) + "T" + padded(time / 3_600) + ":"
            + padded(time / 60 % 60) + ":" + padded(time % 60) + "Z"
    }

    /// Parses a time into seconds since 1970.
    ///
    /// - Returns: `nil` for any text that ``text(_:)`` doesn't produce.
    package static func seconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count == 20 else { return nil }
        func number(_ place: Range<Int>) -> Int {
            bytes[place].reduce(0) { $0 * 10 + Int($1) - 48 }
        }
        let time = number(11..<13) * 3_600 + number(14..<16) * 60 + number(17..<19)
        guard (1...12).contains(number(5..<7)), (0...9_999).contains(number(0..<4)) else { return nil }
        let day = days(toYear: number(0..<4), month: number(5..<7), day: number(8..<10))
        let seconds = Int64(day) * 86_400 + Int64(time)
        // A character that isn't a digit, or a day that the month doesn't have, produces another text.
        return Self.text(seconds).utf8.elementsEqual(bytes) ? seconds : nil
    }

    private static func days(to seconds: Int64) -> Int {
        Int(seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400)
    }

    /// Returns the days since 1970 in the Gregorian calendar.
    ///
    /// The years of this calculation start in March, which puts the leap day at the end of the year.
    private static func days(toYear year: Int, month: Int, day: Int) -> Int {
        let (year, month) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + (153 * month + 2) / 5 + day - 1
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func date(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
        return (year, month < 10 ? month + 3 : month - 9, dayOfYear - (153 * month + 2) / 5 + 1)
    }
}
