/** RFC 6455 §5.2: the last frame of a message, of text. */
const FINAL_TEXT = 0x81;

/**
 * A message as it stands on the wire, unmasked, as servers send. Made once, it is written to every reader's socket as it
 * is; through a WebSocket library each reader would have a header of its own made for each message.
 */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const head = length < 126 ? 2 : length < 0x1_00_00 ? 4 : 10;
  const frame = Buffer.allocUnsafe(head + length);
  frame[0] = FINAL_TEXT;
  if (head === 2) frame[1] = length;
  else if (head === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, head, "utf8");
  return frame;
}
