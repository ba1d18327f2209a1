#include "transfer.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// The header defines some of these as macros, which check the types of arguments.
#undef curl_easy_setopt
#undef curl_easy_getinfo

static struct {
  CURLcode (*global_init)(long);
  CURL *(*easy_init)(void);
  void (*easy_cleanup)(CURL *);
  void (*easy_reset)(CURL *);
  CURLcode (*easy_setopt)(CURL *, CURLoption, ...);
  CURLcode (*easy_perform)(CURL *);
  CURLcode (*easy_getinfo)(CURL *, CURLINFO, ...);
  const char *(*easy_strerror)(CURLcode);
  struct curl_slist *(*slist_append)(struct curl_slist *, const char *);
  void (*slist_free_all)(struct curl_slist *);
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
  curl.global_init = find(library, "curl_global_init");
  curl.easy_init = find(library, "curl_easy_init");
  curl.easy_cleanup = find(library, "curl_easy_cleanup");
  curl.easy_reset = find(library, "curl_easy_reset");
  curl.easy_setopt = find(library, "curl_easy_setopt");
  curl.easy_perform = find(library, "curl_easy_perform");
  curl.easy_getinfo = find(library, "curl_easy_getinfo");
  curl.easy_strerror = find(library, "curl_easy_strerror");
  curl.slist_append = find(library, "curl_slist_append");
  curl.slist_free_all = find(library, "curl_slist_free_all");
  if (!problem[0] && curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
    snprintf(problem, sizeof problem, "libcurl cannot be initialized");
  }
}

struct transfer {
  CURL *handle;
};

void transfer_prepare(void) { pthread_once(&once, load); }

struct transfer *transfer_create(char *message, size_t capacity) {
  transfer_prepare();
  struct transfer *transfer = problem[0] ? NULL : calloc(1, sizeof *transfer);
  if (transfer && (transfer->handle = curl.easy_init())) return transfer;
  free(transfer);
  snprintf(message, capacity, "%s", problem[0] ? problem : "no memory");
  return NULL;
}

void transfer_destroy(struct transfer *transfer) {
  curl.easy_cleanup(transfer->handle);
  free(transfer);
}

// The longest body of an error that is received, so that the connection can be used again.
static const size_t longest_error = 1 << 16;

// A request that runs.
struct running {
  const struct transfer_request *request;
  CURL *handle;
  size_t error_length;
};

static long status_of(CURL *handle) {
  long status = 0;
  curl.easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

static size_t header(char *bytes, size_t size, size_t count, void *context) {
  const struct transfer_request *request = ((struct running *)context)->request;
  return request->receive_header(request->context, bytes, size * count) ? 0 : size * count;
}

static size_t body(char *bytes, size_t size, size_t count, void *context) {
  struct running *running = context;
  if (status_of(running->handle) >= 400) {
    running->error_length += size * count;
    return running->error_length <= longest_error ? size * count : 0;
  }
  const struct transfer_request *request = running->request;
  return request->receive_body(request->context, bytes, size * count) ? 0 : size * count;
}

static int progress(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d) {
  (void)a, (void)b, (void)c, (void)d;
  const struct transfer_request *request = ((struct running *)context)->request;
  return request->check(request->context);
}

// Returns the first error of many calls.
#define SET(option, value) \
  if (code == CURLE_OK) code = curl.easy_setopt(handle, option, value)

void transfer_perform(
    struct transfer *transfer, const struct transfer_request *request, struct transfer_result *result) {
  CURL *handle = transfer->handle;
  char message[CURL_ERROR_SIZE] = "";
  struct running running = {.request = request, .handle = handle};
  memset(result, 0, sizeof *result);
  curl.easy_reset(handle);  // keeps open connections

  CURLcode code = CURLE_OK;
  struct curl_slist *headers = NULL;
  for (size_t i = 0; request->headers[i]; i++) {
    struct curl_slist *longer = curl.slist_append(headers, request->headers[i]);
    if (!longer) code = CURLE_OUT_OF_MEMORY;
    if (longer) headers = longer;
  }
  // A redirect must not lead from TLS to plain text.
  int is_secure = strncmp(request->url, "https:", 6) == 0;
  SET(CURLOPT_ERRORBUFFER, message);
  SET(CURLOPT_NOSIGNAL, 1L);
  SET(CURLOPT_URL, request->url);
  SET(CURLOPT_PATH_AS_IS, 1L);
  SET(CURLOPT_PROTOCOLS_STR, "http,https");
  SET(CURLOPT_REDIR_PROTOCOLS_STR, is_secure ? "https" : "http,https");
  SET(CURLOPT_FOLLOWLOCATION, request->most_redirects > 0 ? 1L : 0L);
  SET(CURLOPT_MAXREDIRS, request->most_redirects);
  SET(CURLOPT_HTTPHEADER, headers);
  SET(CURLOPT_USERAGENT, request->user_agent);
  if (request->authorities) {
    // Opening a pipe would wait for its writer without any limit.
    struct stat status;
    if (stat(request->authorities, &status) == 0 && !S_ISREG(status.st_mode)) {
      code = CURLE_SSL_CACERT_BADFILE;
      snprintf(message, sizeof message, "the certificate authorities are not in a regular file");
    }
    SET(CURLOPT_CAINFO, request->authorities);
    SET(CURLOPT_CAPATH, (char *)NULL);
  }
  SET(CURLOPT_CONNECTTIMEOUT_MS, request->connect_milliseconds);
  SET(CURLOPT_TIMEOUT_MS, request->total_milliseconds);
  SET(CURLOPT_LOW_SPEED_LIMIT, request->slowest_rate);
  SET(CURLOPT_LOW_SPEED_TIME, request->slowest_seconds);
  SET(CURLOPT_HEADERFUNCTION, header);
  SET(CURLOPT_HEADERDATA, &running);
  SET(CURLOPT_WRITEFUNCTION, body);
  SET(CURLOPT_WRITEDATA, &running);
  SET(CURLOPT_XFERINFOFUNCTION, progress);
  SET(CURLOPT_XFERINFODATA, &running);
  SET(CURLOPT_NOPROGRESS, 0L);
  if (code == CURLE_OK) code = curl.easy_perform(handle);

  result->status = status_of(handle);
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
