public import Testing

extension Tag {
    /// Tests in memory; `Scripts/test --small` runs these alone.
    @Tag public static var small: Self
    /// Tests with files, databases or libraries.
    @Tag public static var medium: Self
    /// Tests that start programs.
    @Tag public static var large: Self
}
