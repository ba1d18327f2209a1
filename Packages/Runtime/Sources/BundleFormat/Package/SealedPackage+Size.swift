extension SealedPackage {
    /// The total uncompressed size of all files in bytes, including seal and signature.
    package var size: UInt64 {
        seal.files.reduce(UInt64(sealSource.count + signatureSource.count)) { $0 + $1.size }
    }
}
