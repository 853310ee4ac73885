/// The name of a worker as it stands in a log that others read.
package enum MaskedName {
    /// The first character, which helps who knows the shift, and always the same number of dots: a log shows neither
    /// who it was nor how long the name is.
    package static func of(_ name: String) -> String { name.prefix(1) + "..." }
}
