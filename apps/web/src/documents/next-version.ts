const NUMBERS = /^(\d+)\.(\d+)\.(\d+)/;

/** The version after the highest there is: what changed is a minor step. */
export function nextVersion(versions: readonly string[]): string {
  const known = versions.flatMap((version) => {
    const [, major, minor] = NUMBERS.exec(version)?.map(Number) ?? [];
    return major === undefined || minor === undefined ? [] : [{ major, minor }];
  });
  const [highest] = known.toSorted((one, other) => other.major - one.major || other.minor - one.minor);
  return highest === undefined ? "1.0.0" : `${highest.major}.${highest.minor + 1}.0`;
}
