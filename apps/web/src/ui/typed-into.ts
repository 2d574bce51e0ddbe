/** Whether a key belongs to what is being written, or to a dialog, and so is no shortcut of the page. */
export const isTypedInto = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest("input, textarea, select, [contenteditable]:not([contenteditable=false]), dialog") !== null;
