/// What differs between the releases of the library that this source tree builds, beside what the second adds.
enum Release {
    #if SecondRelease
        /// Whether thousands are set apart when an amount is written.
        static let groupsDigits = true
    #else
        /// Whether thousands are set apart when an amount is written.
        static let groupsDigits = false
    #endif
}
