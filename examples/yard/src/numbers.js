/** The highest of some numbers. */
export function max(numbers) {
  return numbers.reduce((highest, next) => Math.max(highest, next), -Infinity);
}

/** The sum of some numbers. */
export function sum(numbers) {
  return numbers.reduce((total, next) => total + next, 0);
}

/** What each would have if all had the same. */
export function mean(numbers) {
  return numbers.length === 0 ? 0 : sum(numbers) / numbers.length;
}
