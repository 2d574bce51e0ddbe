import { useMemo } from "react";
import { readTemplates, type Templates } from "./template-graph.ts";
import { openText } from "./template-text.ts";

export const useReadTemplates = (text: string | undefined): Templates =>
  useMemo(() => {
    const opened = text === undefined ? undefined : openText(text);
    return readTemplates(opened?.kind === "open" ? opened.value : undefined);
  }, [text]);
