/// Certificates for servers on loopback, made for these tests alone and good for nothing else.
enum TestCertificates {
    struct Pair: Sendable {
        let certificate: String
        let key: String
    }

    /// What clients in these tests trust.
    static let authority = """
        -----BEGIN CERTIFICATE-----
        MIIBZDCCAQqgAwIBAgICEAAwCgYIKoZIzj0EAwIwGDEWMBQGA1UEAwwNQmF0b24g
        dGVzdCBDQTAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowGDEWMBQG
        A1UEAwwNQmF0b24gdGVzdCBDQTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABK+y
        BREfU6JsURkXmONhXdaQAjAs/Rx+9ADIVMbchAoYqet5Vc7BGBBkEN700bOR/fKN
        souEhccXBebv203G/UijQjBAMA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQD
        AgEGMB0GA1UdDgQWBBQIPFpLcczyfuMaVb7jGG+YwI+SGzAKBggqhkjOPQQDAgNI
        ADBFAiBHYIjzTxjhF0+6ya0mDITu1KzF1fYZk+j9/fg6F45M5wIhAOJ5LBqtgWSd
        0t7Brinv21rE2YiMi5yRINqgPGCxah88
        -----END CERTIFICATE-----
        """

    /// A CA that signed none of these.
    static let anotherAuthority = """
        -----BEGIN CERTIFICATE-----
        MIIBaDCCAQ6gAwIBAgICEAEwCgYIKoZIzj0EAwIwGjEYMBYGA1UEAwwPQW5vdGhl
        ciB0ZXN0IENBMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAaMRgw
        FgYDVQQDDA9Bbm90aGVyIHRlc3QgQ0EwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
        AASXFxo7o5EthYfuIU4C0BBTurhp19PW5iHxvXsJvFO0tKCeFCteIrPz5uoIUOKc
        pYwHeEE/LWo+b1U8wAjYrEuIo0IwQDAPBgNVHRMBAf8EBTADAQH/MA4GA1UdDwEB
        /wQEAwIBBjAdBgNVHQ4EFgQUCEVD1AC1LEh6w0pPsYhfIUIlyFwwCgYIKoZIzj0E
        AwIDSAAwRQIhAOJEC/GIWzfpDGz+xt734Q0jhoZyfXUTal2T0QcvVBKXAiATbJoO
        iFJSx9CKlQleRUSrH3bgUPW1/rPcIxd6rvZPLA==
        -----END CERTIFICATE-----
        """

    /// For `localhost` and 127.0.0.1.
    static let localhost = Pair(
        certificate: """
            -----BEGIN CERTIFICATE-----
            MIIBnDCCAUKgAwIBAgICEAIwCgYIKoZIzj0EAwIwGDEWMBQGA1UEAwwNQmF0b24g
            dGVzdCBDQTAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowFDESMBAG
            A1UEAwwJbG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEdKNza11Y
            OTTaEUqdivTvChjVx+Sk/2Sq709aYGLaqtjRus+flp1O2D1BsBuP/66EYz5QtRCd
            AV+lhkWDRZ9Ow6N+MHwwGgYDVR0RBBMwEYIJbG9jYWxob3N0hwR/AAABMAkGA1Ud
            EwQCMAAwEwYDVR0lBAwwCgYIKwYBBQUHAwEwHQYDVR0OBBYEFIF3PwgJzORWgM3A
            erZajmPnFnWqMB8GA1UdIwQYMBaAFAg8WktxzPJ+4xpVvuMYb5jAj5IbMAoGCCqG
            SM49BAMCA0gAMEUCIHxdU3GMtmnmZoz6CZQuBTzjUZyGvaa9AoShPS3X5jvqAiEA
            sZdpDnFhTU/SvasEsllitJKFhc9JzB+kX7ito1NI5t4=
            -----END CERTIFICATE-----
            """,
        key: localhostKey)

    /// Signed by the same CA, for another host.
    static let elsewhere = Pair(
        certificate: """
            -----BEGIN CERTIFICATE-----
            MIIBnzCCAUWgAwIBAgICEAMwCgYIKoZIzj0EAwIwGDEWMBQGA1UEAwwNQmF0b24g
            dGVzdCBDQTAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowFDESMBAG
            A1UEAwwJZWxzZXdoZXJlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEv+LilckQ
            vCCEpKivRqQLW9oX4xNM+lVC/qXj4WETGW+k9neqGv14v/smoXTl6OQ1sewG6hWX
            e5NXxQKmvD0QeKOBgDB+MBwGA1UdEQQVMBOCEWVsc2V3aGVyZS5leGFtcGxlMAkG
            A1UdEwQCMAAwEwYDVR0lBAwwCgYIKwYBBQUHAwEwHQYDVR0OBBYEFIPKOD1UBOU/
            gCvWOi5LW4Kn/bKZMB8GA1UdIwQYMBaAFAg8WktxzPJ+4xpVvuMYb5jAj5IbMAoG
            CCqGSM49BAMCA0gAMEUCIQCu+U3a9ObZggjg4lT20kJjZEjOpYeutsX8ppnDqU6X
            gwIgD3fuPD1HiBD9fYF0YgCQ0x5blgIUacVGN1m2ILALT5s=
            -----END CERTIFICATE-----
            """,
        key: """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg7JUOXXR1juidhcwe
            OkSMC9UzZIGh9zgV888GL0UVVzehRANCAAS/4uKVyRC8IISkqK9GpAtb2hfjE0z6
            VUL+pePhYRMZb6T2d6oa/Xi/+yahdOXo5DWx7AbqFZd7k1fFAqa8PRB4
            -----END PRIVATE KEY-----
            """)

    /// For `localhost`, until the end of 2020.
    static let expired = Pair(
        certificate: """
            -----BEGIN CERTIFICATE-----
            MIIBmjCCAUCgAwIBAgICEAQwCgYIKoZIzj0EAwIwGDEWMBQGA1UEAwwNQmF0b24g
            dGVzdCBDQTAeFw0yMDAxMDEwMDAwMDBaFw0yMTAxMDEwMDAwMDBaMBQxEjAQBgNV
            BAMMCWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABHSjc2tdWDk0
            2hFKnYr07woY1cfkpP9kqu9PWmBi2qrY0brPn5adTtg9QbAbj/+uhGM+ULUQnQFf
            pYZFg0WfTsOjfjB8MBoGA1UdEQQTMBGCCWxvY2FsaG9zdIcEfwAAATAJBgNVHRME
            AjAAMBMGA1UdJQQMMAoGCCsGAQUFBwMBMB0GA1UdDgQWBBSBdz8ICczkVoDNwHq2
            Wo5j5xZ1qjAfBgNVHSMEGDAWgBQIPFpLcczyfuMaVb7jGG+YwI+SGzAKBggqhkjO
            PQQDAgNIADBFAiEAoSuk7VskJKauKTv94fDsLdx9pE5da+UtOyE4Cyh8bbkCICHt
            esIbwo81Lg8osFhDiotJ940vM7Syb9Z+gzQFjQJz
            -----END CERTIFICATE-----
            """,
        key: localhostKey)

    private static let localhostKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg7a6cpw8K58EskkNj
        H4FBjmr2IWIlnPXaWjdAk28ZSOehRANCAAR0o3NrXVg5NNoRSp2K9O8KGNXH5KT/
        ZKrvT1pgYtqq2NG6z5+WnU7YPUGwG4//roRjPlC1EJ0BX6WGRYNFn07D
        -----END PRIVATE KEY-----
        """
}
