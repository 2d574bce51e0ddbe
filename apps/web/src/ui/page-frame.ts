/**
 * Where a page's content stands, and what is said above it. From the left, so that no heading moves from page to page. What
 * is wide is a list or a table, which gains from a wide screen; what is read stays at a measure that can be.
 */
export const pageFrame = {
  wide: "w-full max-w-[110rem] px-4 sm:px-8",
  read: "w-full max-w-7xl px-4 sm:px-8",
};
