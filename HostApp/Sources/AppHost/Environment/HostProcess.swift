import Console

/// What a host arranges for its process as a whole, because plugins share it.
enum HostProcess {
    /// Arranges it, before anything else is done.
    ///
    /// - Throws: `DescriptorLimit.TooLow`.
    static func begin() throws {
        StandardOutput.ignoreBrokenPipes()
        try DescriptorLimit.raise()
    }
}
