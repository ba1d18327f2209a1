#include "delta.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

static struct {
  ZSTD_CCtx *(*create_compressor)(void);
  size_t (*free_compressor)(ZSTD_CCtx *);
  size_t (*set_compressor)(ZSTD_CCtx *, ZSTD_cParameter, int);
  size_t (*compress)(ZSTD_CCtx *, void *, size_t, const void *, size_t);
  size_t (*bound)(size_t);
  ZSTD_DCtx *(*create_decompressor)(void);
  size_t (*free_decompressor)(ZSTD_DCtx *);
  size_t (*set_decompressor)(ZSTD_DCtx *, ZSTD_dParameter, int);
  size_t (*decompress)(ZSTD_DCtx *, ZSTD_outBuffer *, ZSTD_inBuffer *);
  unsigned (*is_error)(size_t);
  ZSTD_ErrorCode (*error_code)(size_t);
} zstd;

static char problem[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void *find(void *library, const char *name) {
  void *function = dlsym(library, name);
  if (!function && !problem[0]) snprintf(problem, sizeof problem, "libzstd has no %s", name);
  return function;
}

// The library stays open, because other threads may use it until the process ends.
static void load(void) {
  void *library = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = dlerror();
    snprintf(problem, sizeof problem, "%s", reason ? reason : "libzstd.so.1 cannot be opened");
    return;
  }
  zstd.create_compressor = find(library, "ZSTD_createCCtx");
  zstd.free_compressor = find(library, "ZSTD_freeCCtx");
  zstd.set_compressor = find(library, "ZSTD_CCtx_setParameter");
  zstd.compress = find(library, "ZSTD_compress2");
  zstd.bound = find(library, "ZSTD_compressBound");
  zstd.create_decompressor = find(library, "ZSTD_createDCtx");
  zstd.free_decompressor = find(library, "ZSTD_freeDCtx");
  zstd.set_decompressor = find(library, "ZSTD_DCtx_setParameter");
  zstd.decompress = find(library, "ZSTD_decompressStream");
  zstd.is_error = find(library, "ZSTD_isError");
  zstd.error_code = find(library, "ZSTD_getErrorCode");
}

const char *delta_problem(void) {
  pthread_once(&once, load);
  return problem[0] ? problem : NULL;
}

size_t delta_bound(size_t size) {
  size_t bound = zstd.bound(size);
  return zstd.is_error(bound) ? 0 : bound;
}

size_t delta_compress(struct delta_buffer output, struct delta_buffer input, int window_log, int level) {
  ZSTD_CCtx *context = zstd.create_compressor();
  if (!context) return 0;
  size_t size = zstd.set_compressor(context, ZSTD_c_compressionLevel, level);
  if (!zstd.is_error(size)) size = zstd.set_compressor(context, ZSTD_c_windowLog, window_log);
  if (!zstd.is_error(size)) size = zstd.set_compressor(context, ZSTD_c_enableLongDistanceMatching, 1);
  if (!zstd.is_error(size)) size = zstd.compress(context, output.bytes, output.size, input.bytes, input.size);
  size_t result = zstd.is_error(size) ? 0 : size;
  zstd.free_compressor(context);
  return result;
}

struct delta_decompressor {
  ZSTD_DCtx *context;
};

struct delta_decompressor *delta_decompressor_create(int window_log) {
  struct delta_decompressor *decompressor = malloc(sizeof *decompressor);
  if (!decompressor) return NULL;
  decompressor->context = zstd.create_decompressor();
  if (decompressor->context &&
      !zstd.is_error(zstd.set_decompressor(decompressor->context, ZSTD_d_windowLogMax, window_log))) {
    return decompressor;
  }
  delta_decompressor_destroy(decompressor);
  return NULL;
}

void delta_decompressor_destroy(struct delta_decompressor *decompressor) {
  zstd.free_decompressor(decompressor->context);
  free(decompressor);
}

int delta_decompress(
    struct delta_decompressor *decompressor, struct delta_buffer *output, struct delta_buffer *input) {
  ZSTD_outBuffer out = {output->bytes, output->size, output->done};
  ZSTD_inBuffer in = {input->bytes, input->size, input->done};
  size_t result = zstd.decompress(decompressor->context, &out, &in);
  output->done = out.pos;
  input->done = in.pos;
  if (!zstd.is_error(result)) return result == 0 ? delta_end : delta_more;
  ZSTD_ErrorCode code = zstd.error_code(result);
  int is_memory = code == ZSTD_error_memory_allocation || code == ZSTD_error_frameParameter_windowTooLarge;
  return is_memory ? delta_memory : delta_invalid;
}

struct delta_deflate {
  z_stream stream;
};

struct delta_deflate *delta_deflate_create(int level, int memory_level) {
  struct delta_deflate *deflate = calloc(1, sizeof *deflate);
  if (!deflate) return NULL;
  if (deflateInit2(&deflate->stream, level, Z_DEFLATED, -MAX_WBITS, memory_level, Z_DEFAULT_STRATEGY) == Z_OK) {
    return deflate;
  }
  free(deflate);
  return NULL;
}

void delta_deflate_destroy(struct delta_deflate *deflate) {
  deflateEnd(&deflate->stream);
  free(deflate);
}

int delta_deflate_step(
    struct delta_deflate *deflate_stream, struct delta_buffer *output, struct delta_buffer *input, int is_last) {
  z_stream *stream = &deflate_stream->stream;
  size_t available_in = input->size - input->done, available_out = output->size - output->done;
  if (available_in > UINT_MAX || available_out > UINT_MAX) return delta_memory;
  stream->next_in = (unsigned char *)input->bytes + input->done;
  stream->avail_in = (unsigned)available_in;
  stream->next_out = (unsigned char *)output->bytes + output->done;
  stream->avail_out = (unsigned)available_out;
  int status = deflate(stream, is_last ? Z_FINISH : Z_NO_FLUSH);
  input->done = input->size - stream->avail_in;
  output->done = output->size - stream->avail_out;
  if (status == Z_STREAM_END) return delta_end;
  return status == Z_OK || status == Z_BUF_ERROR ? delta_more : delta_invalid;
}

int delta_inflate(struct delta_buffer output, struct delta_buffer input) {
  if (input.size > UINT_MAX || output.size > UINT_MAX) return 0;
  z_stream stream = {.next_in = input.bytes, .avail_in = (unsigned)input.size};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return 0;
  stream.next_out = output.bytes;
  stream.avail_out = (unsigned)output.size;
  // An output of no bytes must have an address, too.
  unsigned char nothing;
  if (output.size == 0) stream.next_out = &nothing;
  int status = inflate(&stream, Z_FINISH);
  int is_exact = status == Z_STREAM_END && stream.avail_in == 0 && stream.avail_out == 0;
  inflateEnd(&stream);
  return is_exact;
}
