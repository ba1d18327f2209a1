/// Times as RFC 3339 writes them, in UTC and to the second: `2026-11-21T12:00:00Z`, and no other spelling of the same.
enum UTCTime {
    private static let daySeconds: Int64 = 86_400

    /// - Parameter seconds: since 1970, within the years from 1970 to 9999.
    static func text(_ seconds: Int64) -> String {
        let (year, month, day) = date(ofDay: seconds / daySeconds)
        let rest = seconds % daySeconds
        let date = "\(padded(year, to: 4))-\(padded(month))-\(padded(day))"
        return "\(date)T\(padded(rest / 3600)):\(padded(rest / 60 % 60)):\(padded(rest % 60))Z"
    }

    /// Seconds since 1970; `nil` for a text that is no such time.
    static func seconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count == 20 else { return nil }
        func number(_ range: Range<Int>) -> Int64? {
            bytes[range].reduce(0 as Int64?) { sum, byte in
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                    ? sum.map { $0 * 10 + Int64(byte - UInt8(ascii: "0")) } : nil
            }
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            1970...9999 ~= year, 1...12 ~= month, 1...31 ~= day, hour < 24, minute < 60, second < 60
        else { return nil }
        let seconds = self.day(year, month, day) * daySeconds + hour * 3600 + minute * 60 + second
        // The separators, and days that a month does not have.
        return self.text(seconds).utf8.elementsEqual(bytes) ? seconds : nil
    }

    /// Days since 1970 in the Gregorian calendar, by counting from a March 1st, so that a leap day is a year's last.
    private static func day(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    private static func padded(_ number: Int64, to width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
