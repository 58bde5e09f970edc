// The shapes of the protocol, written by Tests/schema/generate.py from
// Sources/ListServer/protocol.json.

export * from "./protocol/sent.js";
export * from "./protocol/received.js";
export * from "./protocol/methods.js";
