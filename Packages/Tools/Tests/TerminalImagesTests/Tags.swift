import Testing

extension Tag {
    /// Tests in memory; `Scripts/test --small` runs these alone.
    @Tag static var small: Self
    /// Tests with files, databases or libraries.
    @Tag static var medium: Self
    /// Tests that start programs.
    @Tag static var large: Self
}
