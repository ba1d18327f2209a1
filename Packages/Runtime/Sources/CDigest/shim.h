// Access to OpenSSL's SHA-256 without the library's configuration, providers and error texts, which take a millisecond to set up.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>
