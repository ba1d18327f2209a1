import Preflight

/// Checks arbitrary bytes as a plugin's library.
///
/// Nothing may trap. Removing foreign search paths must neither change a library without such paths nor damage one that is
/// otherwise valid.
@c(LLVMFuzzerTestOneInput)
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let library = Array(UnsafeBufferPointer(start: bytes, count: count))
    let report = LibraryPreflight.validate(library, named: "libSample.so")
    let packed = SearchPath.removingForeign(from: library)
    demand(packed.count == count, "a library keeps its size")
    demand(packed == library || !report.isLoadable, "a library without foreign folders is left alone")
    if report.findings.allSatisfy({ $0.rule == .searchPath }) {
        demand(LibraryPreflight.validate(packed, named: "libSample.so").isLoadable, "a library is not spoilt")
    }
    return 0
}

private func demand(_ holds: Bool, _ promise: String) {
    guard holds else { fatalError("broken: \(promise)") }
}
