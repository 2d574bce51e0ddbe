// The style of this repository, checked without any package: what it finds it names, and ends with 1.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const rules = [
  [/[ \t]+$/, "ends in spaces"],
  [/\t/, "holds a tab"],
  [/\bconsole\./, "writes to the console"],
  [/\bvar\s/, "declares with var"],
  [/[^=!]==[^=]|!=[^=]/, "compares loosely"],
  [/^.{121,}$/, "is longer than 120 characters"],
];
const faults = [];
const files = ["src", "test"].flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
for (const file of files.filter((name) => name.endsWith(".js"))) {
  const text = readFileSync(file, "utf8");
  if (!text.endsWith("\n")) faults.push(`${file}: does not end in a new line`);
  for (const [index, line] of text.split("\n").entries()) {
    for (const [rule, what] of rules) if (rule.test(line)) faults.push(`${file}:${index + 1}: ${what}`);
  }
}
for (const fault of faults) console.log(fault);
console.log(`${files.length} files, ${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
