/** What is longer than anybody wants, by the part of a page that shows it. */
export const longTask = `TASK-${"0123456789".repeat(12)}`;
export const longPack = `pack-${"with-a-long-name-".repeat(5)}x`;
export const longInstance = `instance-${"of-a-long-name-".repeat(5)}x`;
export const longTemplate = `template-${"with-a-long-name-".repeat(4)}x`;
export const longTerritory = `territory-${"of-a-long-name-".repeat(8)}x`;
export const longName = "Maximiliana Konstantinopolitanskaja-Wolkenstein ".repeat(2).trim();
