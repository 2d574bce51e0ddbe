const escaped = (name: string): string => name.replaceAll("$", String.raw`\$`);

/** Every place where the letters stand: quick, and wrong where another's name holds them. */
export const renameAnywhere = (text: string, from: string, to: string): string => text.replaceAll(from, to);

/** The name itself, and no property of something else that is called the same. */
export const renameWhole = (text: string, from: string, to: string): string =>
  text.replaceAll(new RegExp(String.raw`(?<![\w$.])${escaped(from)}(?![\w$])`, "g"), to);
