/// The platform whose libraries this process can load.
public enum Platform {
    /// The triple that names the folder in a bundle's `lib/`.
    public static var triple: String {
        #if os(Linux)
            #if arch(x86_64)
                "x86_64-unknown-linux-gnu"
            #elseif arch(arm64)
                "aarch64-unknown-linux-gnu"
            #else
                "unknown-unknown-linux-gnu"
            #endif
        #else
            #if arch(x86_64)
                "x86_64-apple-macosx"
            #else
                "arm64-apple-macosx"
            #endif
        #endif
    }
}
