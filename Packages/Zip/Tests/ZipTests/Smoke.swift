import Testing
import Zip

@Test func smoke() throws { _ = ZipWriter() }
