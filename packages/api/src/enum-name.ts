import type { DescEnum } from "@bufbuild/protobuf";

/** A value as protobuf's JSON mapping names it; the number where this version of the contract has no name for it. */
export const enumName = (desc: DescEnum, number: number): string =>
  desc.value[number]?.name ?? String(number);

/** The number of a name, whole (`PIPELINE_STATUS_RUNNING`) or without the enum's own (`RUNNING`); never of "unspecified". */
export function enumNumber(desc: DescEnum, name: string): number | undefined {
  const found = desc.values.find(
    (value) => value.number !== 0 && [value.name, shortName(desc, value.name)].includes(name),
  );
  return found?.number;
}

/** What may be said, for who said something else. */
export const enumNames = (desc: DescEnum): string =>
  desc.values
    .filter(({ number }) => number !== 0)
    .map(({ name }) => shortName(desc, name))
    .join(", ");

const shortName = ({ sharedPrefix = "" }: DescEnum, name: string): string =>
  name.slice(name.toLowerCase().startsWith(sharedPrefix) ? sharedPrefix.length : 0);

/** As people read it and as every parameter takes it: `PIPELINE_CREATED`, the number where there is no name. */
export const enumShortName = (desc: DescEnum, number: number): string =>
  shortName(desc, enumName(desc, number));
