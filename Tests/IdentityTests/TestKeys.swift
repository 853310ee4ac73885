/// Keys that were made for these tests alone; making RSA keys anew takes too long.
enum TestKeys {
    static let rsa2048 = """
        -----BEGIN PRIVATE KEY-----
        MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCcKRhBuc6ldkok
        63KBgQiQ3/+Dbz64bymPX6MXqrStCXj1xk0BKgvTEus8ETAw6P7yzkaRJ7Uj3y2F
        N6QimUQLyW10ZjNMqPynQVcB03GmdFeHaHzFAQA8tpH+2eoEXYZQlDJxd7ucHts0
        rnJe9f87CywNlTyfpvxCR2XJzw0l7dhVWQ76PXyGM67SaLwumTgOYjBQM5ovhTZI
        H4tTrw9MwuChhIBOQWs+dZvNMBuFMdfqpH8wzzwEFKuBRlz+EF8M7oExnqfNaiDN
        gMj3Y8gk8VBsGUd6i8PhRxuAg9CMeQnv4dUMveClCJvVVqZJYhnYJfBc3RwXX7pb
        bDSQB9T9AgMBAAECggEACYTexT45OMWrvNw7qWXEcCews2Iasb2YTAn8JC3uyrUk
        XLT8Y4OyNKkMp6dzkikDG36+ofazQxnFtFRr4AO1jb4MUEIHmAFyuej7elwZgNhK
        2pv1rmuXyFunrXWP9I6qk0Bet83Lj6IjjMP31aPgrZ3KJGonsngIcgDYqqiBUxcN
        Y4TNAvoVoeza8ilKlr3KybmTWt83N7H3WLWHkcTXJ4O9QY3vPvqX3E4lKDhY9/o+
        f6x9oiBW3knQlVLw/lfrcg6+9QNbGhXVffil2XhG6yjNab5GD5Kmcp5WwWVH+UL5
        ZlLe39C32Im8B51iYikD3ABysNP2YeVuNeWVDB1WsQKBgQDJ/H7OMMFS10Pln8oC
        i4vKOsgk5ypU1c4R8C1XysImgA6htMR77n9q5zG8Aml9i0czGACsbgct9V7vybeD
        TdcbR/eax8OmZ6W/o7Fz84jySacfwizqAaq36RaiaO6Kxmd2RrLRaLe4j/L/qyko
        GD8Py5PfWZb1HjH8KD8CzeyWEQKBgQDF63mJRaW2bqiOlr+CFOEgIHGx4ZcZR2BX
        SwaOVyqoIR9GyFxnk+HhpwI/HHae5TBJLlHdZBDFi+Wze/4js0BzNQZ4jPZ2WvJh
        NTUZfI4GYCt8L6eWFPqHSwMjXOKD3Ewt+19D+iz1TuAZAUs+K/alRO/sORkULgq1
        1RNXUZY0LQKBgQCf9buClS/06A+YQQQdIeAx5n1sZDms96l7oUZ3eVZqYQ21WFAm
        iYkU40UKzKo4R126g+68n2JGLkTiB1CyxqlsrIDVbhBurzSfYQZ+ekZhAp081Gz3
        YRyPCyPmuMz40AlNrM2ec5zTqARcH3O3kgQXATT5M50OP7x8Im9MTEJp0QKBgDt8
        xTDfQCmPJRaGdNUyVWAEoGeouHOeonRaVoQd6vJR0kbCHhP7vN7IBcLWWUj09gho
        5a43T1sw6z+BOyebzvlRrLo7FDEKsONKzMT2TPHZofhXknVnpM1ZXH4agvLDGhqP
        /Vg/L5gjtvONEgKD0ERobfyAROtt00ZH3uJV4WGZAoGAVJpo2prN1b+uHQAziO9X
        ROEqd+r5crXFNMqDwdCWSeR4BILt2kzSas2r089zhmWyq4Mh03iLti/Xku0g5Dan
        2z7yPaW10z98RZkl1mOQqUIne7z6M4n1adHyWNMv98p3BpijWv0ds9N+VE7pTkyS
        aUnGps18EiaAW6HtakUA3Lo=
        -----END PRIVATE KEY-----
        """

    /// The modulus of a key that is too short.
    static let rsa1024Modulus = """
        3KB-q3lerFknFuBXS2swpbwiZ5XlhVqjLzsnlITfRCYfiS2C-r819t88fXy9Yl_pVVaB6qwHutFRNrafH9NhoEyF0BrgAB8JRllx\
        G48il8IyrmsCTpmhbzrlurlmA262zHAUHoBw6E_5DsoWKo8O-P5L6xta_SMHOmtlDuN7ex0
        """
}
