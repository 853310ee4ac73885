/// A key and a certificate that were made for these tests; the thumbprints are openssl's.
enum TokenClientKey {
    static let thumbprint = "_9y3RbOGoLDOMufSDPKmls21V7E"
    static let thumbprintS256 = "5yjm6Jsg8iW9Trm9Jt5iPc8TjGGb8MmPzSvz3BVQVEc"

    static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBgTCCASegAwIBAgIUZq9fAz2s9giKRt3eVHiTHGILXkowCgYIKoZIzj0EAwIw
        FTETMBEGA1UEAwwKYmF0b24tdGVzdDAgFw0yNjExMjEyMDM2NDBaGA8yMTI2MTAy
        ODIwMzY0MFowFTETMBEGA1UEAwwKYmF0b24tdGVzdDBZMBMGByqGSM49AgEGCCqG
        SM49AwEHA0IABB8uJC0TMpsFsi3M1HOzY70fpKyOXtTvxUptcgSCvdGNjyu3BEsU
        xPKtnb5mdf3bH6AdsszyR9lMP91dvtszCzWjUzBRMB0GA1UdDgQWBBTU7fLov78E
        LtdjCAgWKWVjWJNvkDAfBgNVHSMEGDAWgBTU7fLov78ELtdjCAgWKWVjWJNvkDAP
        BgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIQCDqYZsgqH0hr5qCDV8
        afBlMApsS0nsz/2tcSFBKOkk9AIgdb+3TFqwENmjt4Ay7+ydUQc+iqFW78B8RsAk
        DvF4aMs=
        -----END CERTIFICATE-----

        """

    static let pem = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgmix6nji5PD6wDebR
        LbJO6w5xN+r4o01dcpRCUvZu+mehRANCAAQfLiQtEzKbBbItzNRzs2O9H6Ssjl7U
        78VKbXIEgr3RjY8rtwRLFMTyrZ2+ZnX92x+gHbLM8kfZTD/dXb7bMws1
        -----END PRIVATE KEY-----

        """ + certificate
}
