/// The row of a receipt that stands for all senders of refused acknowledgements beyond those that it names.
public enum OtherSenders {
    public static let name = "others"
}
