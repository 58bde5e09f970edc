// In C, because the Swift compiler takes half a minute for a literal of so many bytes.
#include "EmbeddedTexts.h"

static const unsigned char version[] = {
#embed "../ListServer/version.txt"
};

static const unsigned char protocol[] = {
#embed "../ListServer/protocol.json"
};

static const unsigned char shapes[] = {
#embed "../ListServer/shapes.txt"
};

EmbeddedText versionText(void) { return (EmbeddedText){version, sizeof version}; }

EmbeddedText protocolText(void) { return (EmbeddedText){protocol, sizeof protocol}; }

EmbeddedText shapesText(void) { return (EmbeddedText){shapes, sizeof shapes}; }
