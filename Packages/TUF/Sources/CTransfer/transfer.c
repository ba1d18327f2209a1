#include "transfer.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// The header defines some of these as macros, which check the types of arguments.
#undef curl_easy_setopt
#undef curl_easy_getinfo

#define FUNCTIONS(USE)                                                                  \
  USE(global_init) USE(easy_init) USE(easy_cleanup) USE(easy_reset) USE(easy_setopt) \
  USE(easy_perform) USE(easy_getinfo) USE(easy_header) USE(easy_strerror) USE(slist_append) USE(slist_free_all)

#define DECLARE(name) __typeof__(&curl_##name) name;
static struct {
  FUNCTIONS(DECLARE)
} curl;

static char problem[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void *find(void *library, const char *name) {
  void *function = dlsym(library, name);
  if (!function && !problem[0]) snprintf(problem, sizeof problem, "libcurl has no %s", name);
  return function;
}

// The library stays open, because other threads may use it until the process ends.
static void load(void) {
  // Most functions of its libraries are never called, and finding all of them at once takes as long as several requests.
  void *library = dlopen("libcurl.so.4", RTLD_LAZY | RTLD_LOCAL);
  if (!library) {
    const char *reason = dlerror();
    snprintf(problem, sizeof problem, "%s", reason ? reason : "libcurl.so.4 cannot be opened");
    return;
  }
#define FIND(name) curl.name = find(library, "curl_" #name);
  FUNCTIONS(FIND)
  if (!problem[0] && curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
    snprintf(problem, sizeof problem, "libcurl cannot be initialized");
  }
}

void transfer_prepare(void) { pthread_once(&once, load); }

void *transfer_create(char *message, size_t capacity) {
  transfer_prepare();
  CURL *handle = problem[0] ? NULL : curl.easy_init();
  if (!handle) snprintf(message, capacity, "%s", problem[0] ? problem : "no memory");
  return handle;
}

void transfer_destroy(void *handle) { curl.easy_cleanup(handle); }

// The longest body of an error that is received, so that the connection can be used again.
static const size_t longest_error = 1 << 16;

// A request that runs.
struct running {
  const struct transfer_options *options;
  CURL *handle;
  size_t error_length;
};

long transfer_status(void *handle) {
  long status = 0;
  curl.easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

const char *transfer_header(void *handle, const char *name) {
  struct curl_header *header;
  if (curl.easy_header(handle, name, 0, CURLH_HEADER, -1, &header) != CURLHE_OK) return NULL;
  return header->amount > 1 ? "," : header->value;
}

static size_t body(char *bytes, size_t size, size_t count, void *context) {
  struct running *running = context;
  if (transfer_status(running->handle) >= 400) {
    running->error_length += size * count;
    return running->error_length <= longest_error ? size * count : 0;
  }
  const struct transfer_options *options = running->options;
  return options->receive_body(options->context, running->handle, bytes, size * count) ? 0 : size * count;
}

static int progress(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d) {
  (void)a, (void)b, (void)c, (void)d;
  const struct transfer_options *options = ((struct running *)context)->options;
  return options->check(options->context);
}

// Returns the first error of many calls.
#define SET(option, value) \
  if (code == CURLE_OK) code = curl.easy_setopt(handle, option, value)

void transfer_perform(
    void *transfer, const char *url, const char *user_agent, const char *range, const char *if_range,
    const char *authorities, const struct transfer_options *options, struct transfer_result *result) {
  CURL *handle = transfer;
  char message[CURL_ERROR_SIZE] = "";
  struct running running = {.options = options, .handle = handle};
  memset(result, 0, sizeof *result);
  curl.easy_reset(handle);  // keeps open connections

  CURLcode code = CURLE_OK;
  struct curl_slist *headers = if_range ? curl.slist_append(NULL, if_range) : NULL;
  if (if_range && !headers) code = CURLE_OUT_OF_MEMORY;
  // A redirect must not lead from TLS to plain text.
  int is_secure = strncmp(url, "https:", 6) == 0;
  SET(CURLOPT_ERRORBUFFER, message);
  SET(CURLOPT_NOSIGNAL, 1L);
  SET(CURLOPT_URL, url);
  SET(CURLOPT_PATH_AS_IS, 1L);
  SET(CURLOPT_PROTOCOLS_STR, "http,https");
  SET(CURLOPT_REDIR_PROTOCOLS_STR, is_secure ? "https" : "http,https");
  SET(CURLOPT_FOLLOWLOCATION, options->most_redirects > 0 ? 1L : 0L);
  SET(CURLOPT_MAXREDIRS, options->most_redirects);
  SET(CURLOPT_RANGE, range);
  SET(CURLOPT_HTTPHEADER, headers);
  SET(CURLOPT_USERAGENT, user_agent);
  if (authorities) {
    // Opening a pipe would wait for its writer without any limit.
    struct stat status;
    if (stat(authorities, &status) == 0 && !S_ISREG(status.st_mode)) {
      code = CURLE_SSL_CACERT_BADFILE;
      snprintf(message, sizeof message, "the certificate authorities are not in a regular file");
    }
    SET(CURLOPT_CAINFO, authorities);
    SET(CURLOPT_CAPATH, (char *)NULL);
  }
  SET(CURLOPT_CONNECTTIMEOUT_MS, options->connect_milliseconds);
  SET(CURLOPT_TIMEOUT_MS, options->total_milliseconds);
  SET(CURLOPT_LOW_SPEED_LIMIT, options->slowest_rate);
  SET(CURLOPT_LOW_SPEED_TIME, options->slowest_seconds);
  SET(CURLOPT_WRITEFUNCTION, body);
  SET(CURLOPT_WRITEDATA, &running);
  SET(CURLOPT_XFERINFOFUNCTION, progress);
  SET(CURLOPT_XFERINFODATA, &running);
  SET(CURLOPT_NOPROGRESS, 0L);
  if (code == CURLE_OK) code = curl.easy_perform(handle);

  result->status = transfer_status(handle);
  curl_off_t retry_after = 0;
  curl.easy_getinfo(handle, CURLINFO_RETRY_AFTER, &retry_after);
  result->retry_after = retry_after;
  // Also if the rest of the error did not arrive.
  if (result->status >= 400) {
    code = CURLE_HTTP_RETURNED_ERROR;
    snprintf(message, sizeof message, "The requested URL returned error: %ld", result->status);
  }
  result->code = code;
  if (code != CURLE_OK) {
    snprintf(result->message, sizeof result->message, "%s", message[0] ? message : curl.easy_strerror(code));
  }
  // These are about to go out of scope.
  curl.easy_setopt(handle, CURLOPT_ERRORBUFFER, (char *)NULL);
  curl.slist_free_all(headers);
}
