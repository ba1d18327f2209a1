/// The differences in behavior between the two releases that this source builds.
enum Release {
    #if SecondRelease
        /// A Boolean value that indicates whether formatted amounts have grouping separators.
        static let groupsDigits = true
    #else
        /// A Boolean value that indicates whether formatted amounts have grouping separators.
        static let groupsDigits = false
    #endif
}
