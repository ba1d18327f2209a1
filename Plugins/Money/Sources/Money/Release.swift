/// What differs between the releases of the library that this source tree builds, beside what the second adds.
enum Release {
    #if SecondRelease
        /// A Boolean value that indicates whether thousands are set apart when an amount is written.
        static let groupsDigits = true
    #else
        /// A Boolean value that indicates whether thousands are set apart when an amount is written.
        static let groupsDigits = false
    #endif
}
