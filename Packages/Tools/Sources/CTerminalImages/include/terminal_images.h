// libpng, which is opened with the first image.
#ifndef TERMINAL_IMAGES_H
#define TERMINAL_IMAGES_H

#include <stddef.h>
#include <stdint.h>

struct image_size {
  uint32_t width;
  uint32_t height;
};

/// Reads the size of a PNG. Any thread. Returns 0 on success; otherwise `problem` gets a text that ends with a zero byte.
int image_read_size(const uint8_t *_Nonnull png, size_t count, struct image_size *_Nonnull size, char problem[_Nonnull 96]);

/// Decodes a PNG into `width * height` pixels of red, green, blue and alpha. Any thread.
///
/// The size must be that of `image_read_size`. Returns 0 on success; otherwise `problem` gets a text.
int image_read_pixels(const uint8_t *_Nonnull png, size_t count, struct image_size size, uint8_t *_Nonnull pixels,
                      char problem[_Nonnull 96]);

#endif
