#include "terminal_images.h"

#include <dlfcn.h>
#include <png.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static struct {
  int (*begin)(png_imagep, png_const_voidp, size_t);
  int (*finish)(png_imagep, png_const_colorp, void *, png_int_32, void *);
  void (*release)(png_imagep);
} png;

static char missing[96];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void *find(void *library, const char *name) {
  void *function = dlsym(library, name);
  if (!function && !missing[0]) snprintf(missing, sizeof missing, "libpng has no %s", name);
  return function;
}

// The library stays open, because other threads may use it until the process ends.
static void load(void) {
  void *library = dlopen("libpng16.so.16", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    snprintf(missing, sizeof missing, "libpng16.so.16 cannot be opened");
    return;
  }
  png.begin = find(library, "png_image_begin_read_from_memory");
  png.finish = find(library, "png_image_finish_read");
  png.release = find(library, "png_image_free");
}

static int fail(png_image *image, char problem[96]) {
  snprintf(problem, 96, "%s", image->message);
  png.release(image);
  return -1;
}

static int begin(png_image *image, const uint8_t *bytes, size_t count, char problem[96]) {
  pthread_once(&once, load);
  if (missing[0]) {
    snprintf(problem, 96, "%s", missing);
    return -1;
  }
  memset(image, 0, sizeof *image);
  image->version = PNG_IMAGE_VERSION;
  return png.begin(image, bytes, count) ? 0 : fail(image, problem);
}

int image_read_size(const uint8_t *bytes, size_t count, struct image_size *size, char problem[96]) {
  png_image image;
  if (begin(&image, bytes, count, problem) != 0) return -1;
  size->width = image.width;
  size->height = image.height;
  png.release(&image);
  return 0;
}

int image_read_pixels(const uint8_t *bytes, size_t count, struct image_size size, uint8_t *pixels, char problem[96]) {
  png_image image;
  if (begin(&image, bytes, count, problem) != 0) return -1;
  if (image.width != size.width || image.height != size.height) {
    snprintf(image.message, sizeof image.message, "the size differs");
    return fail(&image, problem);
  }
  image.format = PNG_FORMAT_RGBA;
  return png.finish(&image, NULL, pixels, 0, NULL) ? 0 : fail(&image, problem);
}
