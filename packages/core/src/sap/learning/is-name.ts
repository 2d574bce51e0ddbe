import { name } from "../../documents/shape.ts";

/** A task may name what no policy can write; nothing is proposed of it. */
export const isName = (text: string): boolean => name.safeParse(text).success;
