import FoundationEssentials

/// What the page's clock says.
enum UnixTime {
    static var milliseconds: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
}
