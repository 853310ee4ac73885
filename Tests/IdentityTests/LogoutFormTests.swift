import Identity
import Testing

struct LogoutFormTests {
    @Test func `the log-out token of a form is found among others and decoded`() {
        #expect(LogoutNotice.token(inForm: "a=1&logout_token=e%2By+J&b=") == "e+y J")
    }

    @Test(arguments: [
        "", "logout_token", "logout_token=", "other=1", "logout_token=1&logout_token=2", "logout_token=%",
        "logout_token=%4", "logout_token=%zz", "logout_token=%+1", "logout_token=%ff", "logout_token=a%00",
    ])
    func `what is missing, doubled or broken is no token`(form: String) {
        #expect(LogoutNotice.token(inForm: form) == nil)
    }
}
