/** Says hello. */
export function greet(name) {
  return `Hello, ${name}.`;
}

/** The same, louder. */
export function shout(text) {
  return text.toUpperCase().replaceAll(".", "!");
}
