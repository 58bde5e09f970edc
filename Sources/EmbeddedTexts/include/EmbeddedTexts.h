#ifndef EMBEDDED_TEXTS_H
#define EMBEDDED_TEXTS_H

#include <stddef.h>

/// The bytes of a file that is part of the program.
typedef struct {
  const unsigned char *_Nonnull start;
  size_t count;
} EmbeddedText;

/// Returns `ListServer/version.txt`.
EmbeddedText versionText(void);

/// Returns `ListServer/protocol.json`.
EmbeddedText protocolText(void);

/// Returns `ListServer/shapes.txt`.
EmbeddedText shapesText(void);

#endif
