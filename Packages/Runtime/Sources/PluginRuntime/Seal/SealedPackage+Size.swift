extension SealedPackage {
    /// The bytes of all its files unpacked, seal and signature included.
    var size: UInt64 {
        seal.files.reduce(UInt64(sealSource.count + signatureSource.count)) { $0 + $1.size }
    }
}
