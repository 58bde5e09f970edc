// In C, because the Swift compiler takes half a minute for a literal of so many bytes.
#include "EmbeddedTexts.h"

// Valgrind cannot read the debugging information that Clang would write about these.
#define UNDEBUGGED __attribute__((nodebug))

UNDEBUGGED static const unsigned char version[] = {
#embed "../ListServer/version.txt"
};

UNDEBUGGED static const unsigned char protocol[] = {
#embed "../ListServer/protocol.json"
};

UNDEBUGGED static const unsigned char shapes[] = {
#embed "../ListServer/shapes.txt"
};

UNDEBUGGED EmbeddedText versionText(void) { return (EmbeddedText){version, sizeof version}; }

UNDEBUGGED EmbeddedText protocolText(void) { return (EmbeddedText){protocol, sizeof protocol}; }

UNDEBUGGED EmbeddedText shapesText(void) { return (EmbeddedText){shapes, sizeof shapes}; }
