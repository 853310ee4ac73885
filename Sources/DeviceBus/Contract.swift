import BatonContract
import DBus

/// The bus contract as this program has it.
public enum Contract {
    /// The introspection of `/org/baton/Device1`.
    public static var introspection: String { Introspection.document(Interfaces.device) }
}
