extension Duration {
    /// Whole microseconds, within what fits.
    package var microseconds: UInt64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = UInt64(clamping: seconds).multipliedReportingOverflow(by: 1_000_000)
        let (sum, more) = product.addingReportingOverflow(UInt64(clamping: attoseconds / 1_000_000_000_000))
        return overflow || more ? .max : sum
    }
}
