import { type FillingCodec, type ObjectCodec, objectOf } from "./codec.ts";
import { RecordFault, shown } from "./record-fault.ts";

/** REC-4: of all that is written here. A change that an older reader would misread gets the next number. */
const FORMAT = 1;

/** Marks what is written with its format, and reads no other. */
export const marked = <T>({ fill, read }: Pick<FillingCodec<T>, "fill" | "read">): ObjectCodec<T> => ({
  write: (value) => fill(value, { v: FORMAT }),
  read: (json) => {
    const { v, ...rest } = objectOf(json);
    if (v !== FORMAT) {
      throw new RecordFault(`wants format ${FORMAT}, has ${shown(v)}: another version wrote it`, "v");
    }
    return read(rest);
  },
});
