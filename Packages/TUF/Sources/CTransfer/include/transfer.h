// One HTTP request at a time by libcurl, which is opened with dlopen on the first use: its thirty libraries would otherwise be loaded
// by every process that contains this code.
#ifndef TRANSFER_H
#define TRANSFER_H

#include <curl/curl.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(default)

// The options of a request.
struct transfer_options {
  long connect_milliseconds;
  long total_milliseconds;  // 0 for no limit
  // The transfer ends if it receives fewer bytes a second than this over this number of seconds.
  long slowest_rate;
  long slowest_seconds;
  long most_redirects;
  void *_Nullable context;
  // Each returns 0 to continue; any other value ends the transfer.
  int (*_Nonnull receive_body)(
      void *_Nullable context, void *_Nonnull transfer, const void *_Nonnull bytes, size_t count);
  int (*_Nonnull check)(void *_Nullable context);
};

struct transfer_result {
  CURLcode code;
  long status;          // the last status, 0 without a response
  int64_t retry_after;  // the seconds after which the server wants the next request, 0 if it does not say
  char message[256];
};

// Opens libcurl, and returns when it is open or cannot be opened.
void transfer_prepare(void);

// Returns a connection cache and its settings, which one thread at a time may use; NULL if libcurl cannot be opened: the reason is in message.
void *_Nullable transfer_create(char *_Nonnull message, size_t capacity);
void transfer_destroy(void *_Nonnull transfer);

// The last status, 0 without a response.
long transfer_status(void *_Nonnull transfer);
// The value of a field of the last response until the next call; a comma if there are several ones, NULL if there is none.
const char *_Nullable transfer_header(void *_Nonnull transfer, const char *_Nonnull name);

// Makes a request. The range and the header line with its condition may be missing, and the file with certificates in PEM that replaces those of the system.
void transfer_perform(
    void *_Nonnull transfer, const char *_Nonnull url, const char *_Nonnull user_agent, const char *_Nullable range,
    const char *_Nullable if_range, const char *_Nullable authorities, const struct transfer_options *_Nonnull options,
    struct transfer_result *_Nonnull result);

#pragma GCC visibility pop

#endif
